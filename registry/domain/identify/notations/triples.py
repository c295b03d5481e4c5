"""Read triples that stand in a text, as Rust, Zig and other projects name what they build for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from registry.domain.compile_commands.words import Word
from registry.domain.identify.notations.triple_text import state_triple, triples_in
from registry.domain.identify.reading_builder import ReadingBuilder, nothing
from registry.domain.identify.readings import Ignored, Reading

FORM = "target triple"
# Words before a triple that speak of what can be built, not of what is.
LISTED = re.compile(
    r"(?:support|available|installed|unknown|valid|possible|known)\w*[^\n]{0,400}$", re.IGNORECASE
)
SEPARATORS = " \t\r\n,*-`'\""  # between the items of a list
MAX_BEFORE = 400  # characters before a triple that tell what it is
MAX_ALIKE = 8  # triples of one text; more are a list of what a compiler knows


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each triple that differs, unless the text lists what is possible."""
    words, listed = stated_triples(text)
    if listed:
        reason = "is listed as possible, not as the machine"
        yield nothing(*(Ignored(word.text, reason, *word.span) for word in listed))
    yield from (builder.reading() for builder in triple_builders(text, words, FORM).values())


def triple_builders(text: str, words: Iterable[Word], form: str) -> dict[str, ReadingBuilder]:
    """Return a builder for each triple that differs."""
    builders: dict[str, ReadingBuilder] = {}
    for word in words:
        builder = builders.setdefault(word.text, ReadingBuilder(text, form))
        state_triple(builder, word.text, word.span)
    return builders


def stated_triples(text: str) -> tuple[list[Word], list[Word]]:
    """Return the triples that a text states, and those that it lists as possible."""
    words = list(triples_in(text))
    if len({word.text for word in words}) > MAX_ALIKE:
        return [], words
    stated: list[Word] = []
    listed: list[Word] = []
    for word in words:
        before = listed[-1] if listed else None
        follows = before and not text[before.span[1] : word.offset].strip(SEPARATORS)
        (listed if follows or _is_listed(text, word.offset) else stated).append(word)
    return stated, listed


def _is_listed(text: str, offset: int) -> bool:
    """Return whether the line before a place speaks of what is supported."""
    start = max(text.rfind("\n", 0, offset) + 1, offset - MAX_BEFORE)
    line = text[start:offset]
    if not line.strip(SEPARATORS):  # the first of a list below a heading
        start = max(text.rfind("\n", 0, max(start - 1, 0)) + 1, offset - MAX_BEFORE)
        heading = text[start:offset].rstrip(SEPARATORS)
        return heading.endswith(":") and bool(LISTED.search(heading))
    return bool(LISTED.search(line))
