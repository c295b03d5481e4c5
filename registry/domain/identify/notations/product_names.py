"""Read names of products in short texts, such as a shop's: the product decides, not its maker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from registry.domain.identify.notations.product_patterns import (
    AFTER_GAMING,
    ARCHITECTURE,
    BRANDS,
    CHIP,
    DECIDING,
    DECIDING_OF_GPUS,
    FOLLOWING,
    GEFORCE,
    LAPTOP,
    MAKERS,
    MAKES_ANOTHER,
    MAKES_ANOTHER_CHIP,
    MARKETING,
    MAX_FOLLOWING,
    MEMORY,
    MENTIONED,
    OTHER_MEMORY,
    OTHER_MEMORY_OF_BOARDS,
    PATTERNS,
    ProductPattern,
)
from registry.domain.identify.reading_builder import MAX_MATCHES, ReadingBuilder, Span, nothing
from registry.domain.identify.readings import Ignored, Reading
from registry.domain.names.machine_names import MAX_NAME
from registry.domain.search.part_numbers import line_of
from registry.domain.search.query_words import WordRole, read_words
from registry.domain.search.search_terms import split_words

FORM = "name of a product"
MAX_TEXT = 2000  # characters; a longer text is what a program prints, and has names in its fields
MAX_WORDS = 30  # of a line that names a product for sale; others are sentences
GIB = 1 << 30
YEAR = re.compile(r"20[0-3][0-9]")
MEASURE = re.compile(r"[0-9]+(?:[GT]i?B|W|-?inch)", re.IGNORECASE)
WORD = re.compile(r"[\w+]+")
LAST_WORD = re.compile(r"(?<![\w])([A-Za-z]+)[ _-]$")
LOOK_BACK = 12  # characters: every word of MAKERS with what is around it
# Families of which each laptop has another GPU under the same number.
TWO_GPUS = re.compile(r"(?:RTX|GTX)[ _-]?(?:1[06]|20|30|40|50)\d\d(?![A-Za-z0-9])", re.IGNORECASE)
OF_LAPTOPS = "a laptop has the Laptop GPU of that name, which is another chip"
Match = tuple[re.Match[str], ProductPattern]


def read(text: str) -> Iterator[Reading]:
    """Yield each product that a short text names; longer texts are not for people."""
    if len(text) > MAX_TEXT:
        return
    taken: list[Span] = []
    names: set[str] = set()
    for match, pattern in islice(_products(text, (0, len(text))), MAX_MATCHES):
        start, end = match.span()
        if any(start < other and first < end for first, other in taken):
            continue
        taken.append(match.span())
        if MENTIONED.search(text[text.rfind("\n", 0, start) + 1 : start]):
            yield nothing(
                Ignored(match[0], "is mentioned, not described as the machine", start, end)
            )
            continue
        builder = _builder(text, match, pattern)
        if builder.names[0] not in names:
            names.add(builder.names[0])
            builder.names[:0] = _whole(text)  # a board's name can begin with that of its chip
            yield builder.reading()


def _whole(text: str) -> tuple[str, ...]:
    """Return a text of one line, which may be a name as a whole."""
    line = text.strip()
    return (line,) if "\n" not in line and len(line) <= MAX_NAME else ()


def gpu_on_line(text: str, offset: int) -> ReadingBuilder | None:
    """Return the only GPU that the line of a place names, such as in a comment on a list."""
    start = max(text.rfind("\n", 0, offset) + 1, offset - MAX_TEXT)
    end = text.find("\n", offset, offset + MAX_TEXT)
    line = (start, end if end >= 0 else offset + MAX_TEXT)
    builders = [
        _builder(text, match, pattern)
        for match, pattern in islice(_products(text, line), MAX_MATCHES)
        if pattern.is_gpu
    ]
    return builders[0] if len({builder.names[-1] for builder in builders}) == 1 else None


def _products(text: str, span: Span) -> Iterator[Match]:
    """Yield the products of a part of a text; the longer one first where two overlap."""
    matches = [
        (match, pattern)
        for pattern in PATTERNS
        if not pattern.context or pattern.context.search(text, *span)
        for match in pattern.pattern.finditer(text, *span)
        if not (pattern.is_gpu and _is_of_another(text, match.start(), pattern.maker))
    ]
    yield from sorted(matches, key=lambda each: (each[0].start(), -each[0].end()))


def _is_of_another(text: str, start: int, maker: str) -> bool:
    """Return whether the word right before a name is one of another maker of GPUs."""
    word = LAST_WORD.search(text[max(0, start - LOOK_BACK) : start])
    others = (words for name, words in MAKERS.items() if name != maker)
    return word is not None and any(word[1].casefold() in words for words in others)


def _builder(text: str, match: re.Match[str], pattern: ProductPattern) -> ReadingBuilder:
    builder = ReadingBuilder(text, FORM)
    if pattern.is_gpu and (architecture := ARCHITECTURE.match(text, match.end())):
        _state_architecture(builder, architecture)
    line = _line(text, match)
    name = " ".join(re.split(r"[ _]+", match["name"].strip()))
    full = name if name.lower().startswith(pattern.prefix.lower()) else pattern.prefix + name
    words, decided = _following(text, match, pattern)
    is_laptop = pattern is GEFORCE and not decided and LAPTOP.search(text[slice(*line)])
    if is_laptop and TWO_GPUS.fullmatch(name.removesuffix(" Laptop")):
        full = f"{full.removesuffix(' Laptop')} Laptop GPU"
        builder.notes.append(OF_LAPTOPS)
    other_memory = OTHER_MEMORY_OF_BOARDS if pattern.is_board else OTHER_MEMORY
    has_memory = pattern.is_board or (pattern.is_gpu and not is_laptop)
    memory = _memory(text, (match.end(), line[1]), other_memory) if has_memory else None
    builder.year = _year(words)
    chip = CHIP.match(text, match.end()) if name.startswith("Snapdragon") else None
    model = " ".join((full, *words[:decided]))
    end = match.end("name") + sum(len(word) + 1 for word in words[:decided])
    span = match.start("name"), chip.end() if chip else end
    builder.state("/hardware/model", model, span, "text" if full == name else "inferred")
    if memory:
        size = int(memory["size"])
        builder.state("/hardware/memory_bytes", size * GIB, memory.span())
        builder.names.append(f"{full} {size}GB")
    builder.names.append(full)
    if decided:  # without them, it is the name of another product
        builder.names.clear()
    longer = (" ".join((full, *words[:count])) for count in range(len(words), decided - 1, -1))
    builder.names[:0] = (name for name in longer if name != full)
    if chip:
        builder.names = [chip["code"]]
    if chip_line := line_of(name.lower()):
        builder.names.append(name[: len(chip_line)])
    _ignore_marketing(builder, text, line)
    return builder


def _state_architecture(builder: ReadingBuilder, stated: re.Match[str]) -> None:
    """State the architecture of a GPU, which can be another than that of its name."""
    capability = f"sm_{stated['major']}{stated['minor']}" if stated["major"] else stated["sm"]
    kind, option, value = (
        ("cuda", "/arch", capability) if capability else ("rocm", "/mcpu", stated["gfx"])
    )
    builder.state("/kind", kind, stated.span(), "inferred")
    builder.state(option, value.lower(), stated.span())


def _following(text: str, match: re.Match[str], pattern: ProductPattern) -> tuple[list[str], int]:
    """Return the words after a name, and how many of them belong to it for certain."""
    words = list(_words_after(text, match.end()))
    numbers = _deciding_numbers(text[match.end() : _line(text, match)[1]])
    # Cards have words with digits in any order; only a number that follows at once is theirs.
    may_decide = [
        not pattern.is_gpu or (not place and word.isdecimal()) for place, word in enumerate(words)
    ]
    decides = DECIDING_OF_GPUS if pattern.is_gpu else DECIDING
    makes_another = MAKES_ANOTHER if pattern.is_gpu else MAKES_ANOTHER_CHIP
    counts = [
        place
        for place, word in enumerate(words, 1)
        if decides.fullmatch(word)
        or (place == 1 and word.casefold() in makes_another)
        or (may_decide[place - 1] and not numbers.isdisjoint(split_words(word)))
    ]
    return words, max(counts, default=0)


def _year(words: Iterable[str]) -> int:
    """Return the year after a name, with nothing but measures between them; 0 without one."""
    for word in words:
        if YEAR.fullmatch(word):
            return int(word)
        if not MEASURE.fullmatch(word):
            break
    return 0


def _words_after(text: str, end: int) -> Iterator[str]:
    """Yield the words that follow a place with nothing but a blank or hyphen between them."""
    for _ in range(MAX_FOLLOWING):
        if not (word := FOLLOWING.match(text, end)):
            return
        yield word["word"]
        end = word.end()


# Decision 143: what tells machines apart in a search does so after a name, too.
def _deciding_numbers(text: str) -> set[str]:
    """Return the words with digits that are no measures: the 5 of `Snapdragon 8 Elite Gen 5`."""
    return {word.text for word in read_words(text).words if word.role is WordRole.DECIDES}


def _line(text: str, match: re.Match[str]) -> Span:
    end = text.find("\n", match.end())
    return text.rfind("\n", 0, match.start()) + 1, end if end >= 0 else len(text)


def _memory(text: str, rest: Span, other: re.Pattern[str]) -> re.Match[str] | None:
    """Return the memory of a card or board: the only size of its line that is of nothing else."""
    sizes = [
        match
        for match in MEMORY.finditer(text, *rest)
        if not other.match(text, match.end()) and match["size"] != "0"
    ]
    return sizes[0] if len(sizes) == 1 else None


def _ignore_marketing(builder: ReadingBuilder, text: str, line: Span) -> None:
    """Note which words of a shop's line do not decide."""
    words = list(WORD.finditer(text, *line))
    if len(words) > MAX_WORDS:
        return
    previous = ""
    for word in words:
        folded = word[0].casefold()
        if any(start <= word.start() < end for start, end in builder.places):
            previous = ""
            continue
        if folded in BRANDS:
            builder.ignore(word.span(), "the maker of the card or computer does not decide")
        elif folded in MARKETING or (previous == "gaming" and folded in AFTER_GAMING):
            builder.ignore(word.span(), "tells no products apart")
        previous = folded
