"""The states of a proposal and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from registry.domain.errors import Code, Refused


class ProposalState(StrEnum):
    """The state of a proposal. The last three are final."""

    OPEN = "open"  # waits for a curator
    CHANGES_ASKED = "changes-asked"  # waits for its submitter
    ACCEPTED = "accepted"  # published
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"  # by its submitter


class ProposalAction(StrEnum):
    """An action on a proposal."""

    SUBMIT = "submit"
    REVISE = "revise"
    COMMENT = "comment"
    ASK = "ask"  # for changes
    APPROVE = "approve"  # accept as the first of two people, under four-eyes
    ACCEPT = "accept"
    REJECT = "reject"
    WITHDRAW = "withdraw"


UNDECIDED = (ProposalState.OPEN, ProposalState.CHANGES_ASKED)
DECIDED = (ProposalState.ACCEPTED, ProposalState.REJECTED, ProposalState.WITHDRAWN)
PROPOSED_AGAIN = (ProposalState.REJECTED, ProposalState.WITHDRAWN)  # as another proposal

# By current state. A comment never changes the state, and is possible after a decision. An approval
# does not change it either.
TRANSITIONS: Mapping[ProposalState, Mapping[ProposalAction, ProposalState]] = {
    ProposalState.OPEN: {
        ProposalAction.REVISE: ProposalState.OPEN,
        ProposalAction.COMMENT: ProposalState.OPEN,
        ProposalAction.ASK: ProposalState.CHANGES_ASKED,
        ProposalAction.APPROVE: ProposalState.OPEN,
        ProposalAction.ACCEPT: ProposalState.ACCEPTED,
        ProposalAction.REJECT: ProposalState.REJECTED,
        ProposalAction.WITHDRAW: ProposalState.WITHDRAWN,
    },
    ProposalState.CHANGES_ASKED: {
        ProposalAction.REVISE: ProposalState.OPEN,
        ProposalAction.COMMENT: ProposalState.CHANGES_ASKED,
        ProposalAction.APPROVE: ProposalState.CHANGES_ASKED,
        ProposalAction.ACCEPT: ProposalState.ACCEPTED,
        ProposalAction.REJECT: ProposalState.REJECTED,
        ProposalAction.WITHDRAW: ProposalState.WITHDRAWN,
    },
    ProposalState.ACCEPTED: {ProposalAction.COMMENT: ProposalState.ACCEPTED},
    ProposalState.REJECTED: {ProposalAction.COMMENT: ProposalState.REJECTED},
    ProposalState.WITHDRAWN: {ProposalAction.COMMENT: ProposalState.WITHDRAWN},
}

# Every change of state that the database allows.
ALLOWED_STEPS = frozenset(
    (old, new) for old, steps in TRANSITIONS.items() for new in steps.values() if old is not new
)


def next_state(state: ProposalState, action: ProposalAction) -> ProposalState:
    """Return the state after an action. Raises `Refused` (CONFLICT) if it is not allowed now."""
    new = TRANSITIONS[state].get(action)
    if new is None:
        # Accepting is what people do; whether that approves is up to the policy.
        possible = ", ".join(
            step for step in TRANSITIONS[state] if step is not ProposalAction.APPROVE
        )
        raise Refused(Code.CONFLICT, f"The proposal is {state}; possible actions: {possible}.")
    return new
