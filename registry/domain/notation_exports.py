"""Export formats of notations: what a notation leaves out, with the reasons of the kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from registry.domain.errors import Code, Refused
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Subject
from registry.domain.toolchains.flags import flag_losses
from ttag_rules.notations.notation import Notation, Unfit


def notation_format(
    name: str,
    summary: str,
    notation: Callable[[Mapping[str, Any]], Notation],
    *,
    members: tuple[str, ...] = (),
) -> Format:
    """Return the format of a notation: lines of text, or JSON with these members."""
    kind, suffix = ("application", "+json") if members else ("text", "")
    return Format(
        name=name,
        media_type=f"{kind}/{MEDIA_TYPE_PREFIX}.{name}{suffix}",
        summary=summary,
        write=lambda subject: export(subject, notation),
        members=members,
    )


def export(subject: Subject, notation: Callable[[Mapping[str, Any]], Notation]) -> Export:
    """Write a target in a notation. Raises `Refused` (FORMAT_UNFIT)."""
    try:
        result = notation(subject.target)
    except Unfit as error:
        detail = f"{subject.reference} has no text in this format: {error}."
        raise Refused(Code.FORMAT_UNFIT, detail) from None
    losses = flag_losses(subject, result.described, result.written, result.reasons)
    return Export(result.content, losses)
