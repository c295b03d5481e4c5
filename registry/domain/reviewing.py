"""What becomes of a proposal: its states, and the one table of what leads from one to another."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from registry.domain.errors import Code, Refused


class State(StrEnum):
    """Where a proposal stands. The last three are for good."""

    OPEN = "open"  # waits for a curator
    CHANGES_ASKED = "changes-asked"  # waits for its submitter
    ACCEPTED = "accepted"  # published
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"  # by its submitter


class Act(StrEnum):
    """What somebody does to a proposal."""

    SUBMIT = "submit"
    REVISE = "revise"
    COMMENT = "comment"
    ASK = "ask"  # for changes
    ACCEPT = "accept"
    REJECT = "reject"
    WITHDRAW = "withdraw"


UNDECIDED = (State.OPEN, State.CHANGES_ASKED)
DECIDED = (State.ACCEPTED, State.REJECTED, State.WITHDRAWN)

# By the state it is done in; a comment changes none, and what is decided can still be talked about.
TRANSITIONS: Mapping[State, Mapping[Act, State]] = {
    State.OPEN: {
        Act.REVISE: State.OPEN,
        Act.COMMENT: State.OPEN,
        Act.ASK: State.CHANGES_ASKED,
        Act.ACCEPT: State.ACCEPTED,
        Act.REJECT: State.REJECTED,
        Act.WITHDRAW: State.WITHDRAWN,
    },
    State.CHANGES_ASKED: {
        Act.REVISE: State.OPEN,
        Act.COMMENT: State.CHANGES_ASKED,
        Act.ACCEPT: State.ACCEPTED,
        Act.REJECT: State.REJECTED,
        Act.WITHDRAW: State.WITHDRAWN,
    },
    State.ACCEPTED: {Act.COMMENT: State.ACCEPTED},
    State.REJECTED: {Act.COMMENT: State.REJECTED},
    State.WITHDRAWN: {Act.COMMENT: State.WITHDRAWN},
}

# Every step that the database lets a proposal take.
STEPS = frozenset(
    (old, new) for old, acts in TRANSITIONS.items() for new in acts.values() if old is not new
)


def after(state: State, act: Act) -> State:
    """The state that an act leads to. Raises `Refused` (CONFLICT) for what is not done there."""
    found = TRANSITIONS[state].get(act)
    if found is None:
        possible = ", ".join(TRANSITIONS[state])
        raise Refused(
            Code.CONFLICT, f"The proposal is {state}; what can be done to it still: {possible}."
        )
    return found
