"""The states of a proposal and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from registry.domain.errors import Code, Refused


class State(StrEnum):
    """The state of a proposal. The last three are final."""

    OPEN = "open"  # waits for a curator
    CHANGES_ASKED = "changes-asked"  # waits for its submitter
    ACCEPTED = "accepted"  # published
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"  # by its submitter


class Act(StrEnum):
    """An action on a proposal."""

    SUBMIT = "submit"
    REVISE = "revise"
    COMMENT = "comment"
    ASK = "ask"  # for changes
    ACCEPT = "accept"
    REJECT = "reject"
    WITHDRAW = "withdraw"


UNDECIDED = (State.OPEN, State.CHANGES_ASKED)
DECIDED = (State.ACCEPTED, State.REJECTED, State.WITHDRAWN)

# By current state. A comment never changes the state, and is possible after a decision.
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

# Every change of state that the database allows.
STEPS = frozenset(
    (old, new) for old, acts in TRANSITIONS.items() for new in acts.values() if old is not new
)


def after(state: State, act: Act) -> State:
    """Return the state after an action. Raises `Refused` (CONFLICT) if it is not allowed now."""
    new = TRANSITIONS[state].get(act)
    if new is None:
        possible = ", ".join(TRANSITIONS[state])
        raise Refused(Code.CONFLICT, f"The proposal is {state}; possible actions: {possible}.")
    return new
