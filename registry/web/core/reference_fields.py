"""References that are typed into a form: kept as they are, with what is wrong with each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from registry.domain.errors import Refused
from registry.domain.reference import Reference
from registry.web.core.error_pages import MAX_SUGGESTIONS, Suggestion


@dataclass(frozen=True, slots=True)
class ReferenceField:
    """A field as it was filled in. `refusal` is empty where nothing is wrong with it."""

    name: str
    text: str
    refusal: str = ""
    near: tuple[Suggestion, ...] = ()


def reference_fields(
    names: Sequence[str],
    typed: Sequence[str],
    refusals: Mapping[str, Refused],
    *,
    url: Callable[[int, str], str],
) -> list[ReferenceField]:
    """A field for each text: those that are no references say so, others what was found out.

    `url` is where the page leads with another text in the field of a number.
    """
    return [
        _field(name, text, refusals, partial(url, at))
        for at, (name, text) in enumerate(zip(names, typed, strict=True))
    ]


def _field(
    name: str, text: str, refusals: Mapping[str, Refused], url: Callable[[str], str]
) -> ReferenceField:
    refusal = refusals.get(text) or (_malformed(text) if text else None)
    if refusal is None:
        return ReferenceField(name, text)
    near = tuple(Suggestion(found, url(found)) for found in refusal.suggestions[:MAX_SUGGESTIONS])
    return ReferenceField(name, text, refusal.detail, near)


def _malformed(text: str) -> Refused | None:
    try:
        Reference.parse(text)
    except Refused as refusal:
        return refusal
    return None
