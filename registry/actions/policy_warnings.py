"""Says that a namespace has too few curators for its policy, and what happens until it has more."""

from __future__ import annotations

from registry.models import Namespace, Policy
from registry.services.namespaces.policy_gaps import PolicyGap, policy_gap

NEEDS = {
    Policy.CURATORS: "Under the policy curators, only curators and owners publish and review",
    Policy.FOUR_EYES: "Four-eyes needs two curators or owners with open accounts",
}


def policy_warning(namespace: Namespace) -> str:
    """Return a warning if a namespace has too few curators for its policy; else an empty text.

    At most two queries.
    """
    gap = policy_gap(namespace)
    return describe_gap(gap) if gap else ""


def describe_gap(gap: PolicyGap) -> str:
    """Return what a policy lacks, and who decides meanwhile."""
    count = ("none", "one")[gap.curators]
    lack = f"{NEEDS[Policy(gap.namespace.policy)]}; {gap.namespace} has {count}."
    if gap.is_blocked:
        return f"{lack} There are too few staff to decide instead: a curator has to be added."
    return f"{lack} Staff decides instead until a curator is added."
