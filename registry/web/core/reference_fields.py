"""Form fields for references: each keeps its text and has its own error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from registry.domain.errors import Refused
from registry.domain.reference import Reference
from registry.services.versions import selection
from registry.web.core.error_pages import MAX_SUGGESTIONS, Suggestion


@dataclass(frozen=True, slots=True)
class ReferenceInput:
    """A field as it was filled in; `error` is empty if it is valid."""

    name: str
    text: str
    error: str = ""
    suggestions: tuple[Suggestion, ...] = ()


def reference_fields(
    names: Sequence[str],
    texts: Sequence[str],
    refusals: Mapping[str, Refused],
    *,
    url: Callable[[int, str], str],
) -> list[ReferenceInput]:
    """Return a field for each text, with its parse error or its entry in `refusals`.

    `url(index, text)` returns the page's URL with that text in that field.
    """
    return [
        _field(name, text, refusals, partial(url, index))
        for index, (name, text) in enumerate(zip(names, texts, strict=True))
    ]


def _field(
    name: str, text: str, refusals: Mapping[str, Refused], url: Callable[[str], str]
) -> ReferenceInput:
    refusal = refusals.get(text) or (_parse_error(text) if text else None)
    if refusal is None:
        return ReferenceInput(name, text)
    suggestions = refusal.suggestions[:MAX_SUGGESTIONS]
    links = tuple(Suggestion(suggestion, url(suggestion)) for suggestion in suggestions)
    return ReferenceInput(name, text, refusal.detail, links)


def _parse_error(text: str) -> Refused | None:
    try:
        Reference.parse(text)
    except Refused as refusal:
        return selection.with_similar_tags(refusal)
    return None
