"""The states of a proposal: its table of transitions and its laws."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import (
    ALLOWED_STEPS,
    DECIDED,
    TRANSITIONS,
    UNDECIDED,
    ProposalAction,
    ProposalState,
    next_state,
)

TABLE = {
    ("open", "revise"): "open",
    ("open", "comment"): "open",
    ("open", "ask"): "changes-asked",
    ("open", "approve"): "open",
    ("open", "accept"): "accepted",
    ("open", "reject"): "rejected",
    ("open", "withdraw"): "withdrawn",
    ("changes-asked", "revise"): "open",
    ("changes-asked", "comment"): "changes-asked",
    ("changes-asked", "approve"): "changes-asked",
    ("changes-asked", "accept"): "accepted",
    ("changes-asked", "reject"): "rejected",
    ("changes-asked", "withdraw"): "withdrawn",
    ("accepted", "comment"): "accepted",
    ("rejected", "comment"): "rejected",
    ("withdrawn", "comment"): "withdrawn",
}


@pytest.mark.parametrize("state", ProposalState)
@pytest.mark.parametrize("act", ProposalAction)
def test_each_action_in_each_state(state: ProposalState, act: ProposalAction) -> None:
    expected = TABLE.get((state, act))
    if expected:
        assert next_state(state, act) == expected
        return
    with pytest.raises(Refused) as refused:
        next_state(state, act)
    assert refused.value.code == Code.CONFLICT
    assert str(state) in refused.value.detail
    assert "comment" in refused.value.detail


def test_allowed_steps_are_the_transitions_that_change_the_state() -> None:
    assert {(old, new) for (old, _), new in TABLE.items() if old != new} == ALLOWED_STEPS


def test_every_state_is_decided_or_undecided() -> None:
    assert {*UNDECIDED, *DECIDED} == set(ProposalState) == TRANSITIONS.keys()
    assert not {*UNDECIDED} & {*DECIDED}


@given(st.lists(st.sampled_from(ProposalAction), max_size=12))
def test_a_decision_is_final(acts: list[ProposalAction]) -> None:
    state, decided = ProposalState.OPEN, False
    for act in acts:
        try:
            new = next_state(state, act)
        except Refused:
            continue
        assert not decided or new is state
        state, decided = new, new in DECIDED
