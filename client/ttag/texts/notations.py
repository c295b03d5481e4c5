"""The formats that are notations of other tools, which the client writes as the registry does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ttag.canonical_json import is_same
from ttag.texts.claimed_text import DROPPED, Claim, Unexpected, shown
from ttag_rules.notations.archspec import archspec_entry
from ttag_rules.notations.conda import conda_variables
from ttag_rules.notations.hipcc import hipcc_options
from ttag_rules.notations.notation import Notation, Unfit
from ttag_rules.notations.nvcc import nvcc_options
from ttag_rules.notations.wheel_variant import wheel_properties

NOTATIONS: Mapping[str, Callable[[Claim], Notation]] = {
    "archspec": lambda claim: archspec_entry(claim.target, claim.reference),
    "conda": lambda claim: conda_variables(claim.target),
    "hipcc": lambda claim: hipcc_options(claim.target),
    "nvcc": lambda claim: nvcc_options(claim.target),
    "wheel-variant": lambda claim: wheel_properties(claim.target),
}


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the text is what the target is in this notation."""
    try:
        content = NOTATIONS[claim.form](claim).content
    except Unfit as error:
        raise Unexpected(f"describes a target without such a text: {error}") from None
    if isinstance(content, str):
        if claim.text != content:
            raise Unexpected(f"is {shown(claim.text)}, and the target's is {shown(content)}")
        return
    members = {name: value for name, value in claim.members().items() if name != DROPPED}
    if not is_same(members, content):
        raise Unexpected(f"is {shown(members)}, and the target's is {shown(content)}")
