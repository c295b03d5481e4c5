"""Form fields for references: each keeps its text and has its own error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from registry.domain.errors import Refused
from registry.domain.reference import Reference
from registry.web.core.error_pages import MAX_SUGGESTIONS, Suggestion


@dataclass(frozen=True, slots=True)
class ReferenceField:
    """A field as it was filled in; `refusal` is empty if it is valid."""

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
    """Return a field for each text, with its parse error or the refusal found for it.

    `url(index, text)` returns the page's URL with that text in that field.
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
