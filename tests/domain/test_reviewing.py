"""What becomes of a proposal: the table of its steps, and its laws."""

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Code, Refused
from registry.domain.reviewing import (
    DECIDED,
    STEPS,
    TRANSITIONS,
    UNDECIDED,
    Act,
    State,
    after,
)

TABLE = {
    ("open", "revise"): "open",
    ("open", "comment"): "open",
    ("open", "ask"): "changes-asked",
    ("open", "accept"): "accepted",
    ("open", "reject"): "rejected",
    ("open", "withdraw"): "withdrawn",
    ("changes-asked", "revise"): "open",
    ("changes-asked", "comment"): "changes-asked",
    ("changes-asked", "accept"): "accepted",
    ("changes-asked", "reject"): "rejected",
    ("changes-asked", "withdraw"): "withdrawn",
    ("accepted", "comment"): "accepted",
    ("rejected", "comment"): "rejected",
    ("withdrawn", "comment"): "withdrawn",
}


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("act", Act)
def test_each_action_in_each_state(state: State, act: Act) -> None:
    expected = TABLE.get((state, act))
    if expected:
        assert after(state, act) == expected
        return
    with pytest.raises(Refused) as refused:
        after(state, act)
    assert refused.value.code == Code.CONFLICT
    assert str(state) in refused.value.detail
    assert "comment" in refused.value.detail


def test_allowed_steps_are_the_transitions_that_change_the_state() -> None:
    assert {(old, new) for (old, _), new in TABLE.items() if old != new} == STEPS


def test_every_state_is_decided_or_undecided() -> None:
    assert {*UNDECIDED, *DECIDED} == set(State) == TRANSITIONS.keys()
    assert not {*UNDECIDED} & {*DECIDED}


@given(st.lists(st.sampled_from(Act), max_size=12))
def test_a_decision_is_final(acts: list[Act]) -> None:
    state, decided = State.OPEN, False
    for act in acts:
        try:
            found = after(state, act)
        except Refused:
            continue
        assert not decided or found is state
        state, decided = found, found in DECIDED
