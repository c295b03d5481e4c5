"""The formats that are notations of other tools, which the client writes as the registry does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ttag.notations.hipcc import hipcc_options
from ttag.notations.notation import Notation, Unfit
from ttag.notations.nvcc import nvcc_options
from ttag.texts.claimed_text import Claim
from ttag.texts.tables import Unexpected, shown

NOTATIONS: Mapping[str, Callable[[Mapping[str, Any]], Notation]] = {
    "hipcc": hipcc_options,
    "nvcc": nvcc_options,
}


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the text is what the target is in this notation."""
    try:
        text = NOTATIONS[claim.form](claim.target).text
    except Unfit as error:
        raise Unexpected(f"describes a target without such a text: {error}") from None
    if claim.text != text:
        raise Unexpected(f"is {shown(claim.text)}, and the target's is {shown(text)}")
