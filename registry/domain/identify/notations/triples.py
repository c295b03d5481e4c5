"""Read triples that stand in a text, as Rust, Zig and other projects name what they build for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.compile_commands.words import Word
from registry.domain.identify.drafts import Draft, Span, nothing
from registry.domain.identify.notations.triple_text import state_triple, triples_in
from registry.domain.identify.readings import Ignored, Reading

FORM = "target triple"
# Words before a triple that speak of what can be built, not of what is.
LISTED = re.compile(
    r"(?:support|available|installed|unknown|valid|possible|known)\w*[^\n]{0,400}$", re.IGNORECASE
)
MAX_ALIKE = 8  # triples of one text; more are a list of what a compiler knows


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each triple that differs, unless the text lists what is possible."""
    words = list(triples_in(text))
    is_list = len({word.text for word in words}) > MAX_ALIKE
    listed = [word for word in words if is_list or is_listed(text, word.offset)]
    if listed:
        reason = "is listed as possible, not as the machine"
        yield nothing(*(Ignored(word.text, reason, *span_of(word)) for word in listed))
    drafts: dict[str, Draft] = {}
    for word in (word for word in words if word not in listed):
        state_triple(drafts.setdefault(word.text, Draft(text, FORM)), word.text, span_of(word))
    yield from (draft.reading() for draft in drafts.values())


def is_listed(text: str, offset: int) -> bool:
    """Return whether the line before a place speaks of what is supported."""
    start = max(text.rfind("\n", 0, offset) + 1, offset - 400)
    return bool(LISTED.search(text[start:offset]))


def span_of(word: Word) -> Span:
    """Return the place of a word."""
    return word.offset, word.offset + len(word.text)
