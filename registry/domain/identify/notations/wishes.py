"""Read wishes such as `24 GB gpu under 300 W`: conditions on facts, which lead to a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from registry.domain.identify.notations.product_patterns import PATTERNS
from registry.domain.identify.reading_builder import ReadingBuilder, Span, nothing
from registry.domain.identify.readings import Reading
from registry.domain.search.comparable_facts import MAX, MIN

FORM = "conditions on facts"
MAX_TEXT = 300  # characters; a wish is a line
MAX_UNREAD = 3  # words besides conditions; a text with more is about something else
CATEGORIES: Mapping[str, str] = {
    **dict.fromkeys(("gpu", "gpus", "graphics card", "video card", "accelerator"), "gpu"),
    **dict.fromkeys(("server cpu", "server processor"), "server-cpu"),
    **dict.fromkeys(("desktop cpu", "desktop processor"), "desktop-cpu"),
    **dict.fromkeys(("laptop cpu", "mobile cpu"), "laptop-cpu"),
    **dict.fromkeys(("cpu", "cpus", "processor"), "server-cpu|desktop-cpu|laptop-cpu"),
    **dict.fromkeys(("mcu", "mcus", "microcontroller", "microcontrollers"), "microcontroller"),
    **dict.fromkeys(("phone", "phones", "smartphone"), "phone"),
    **dict.fromkeys(("board", "sbc", "single-board computer", "single board computer"), "board"),
    **dict.fromkeys(("instance", "cloud instance", "vm", "instances"), "cloud-instance"),
    **dict.fromkeys(("npu", "npus"), "npu"),
}
CATEGORY = re.compile(
    rf"\b(?:{'|'.join(sorted(CATEGORIES, key=len, reverse=True))})\b", re.IGNORECASE | re.ASCII
)
LEAST = r"at least|min(?:imum)?|more than|over|above|from|>=?|≥"
MOST = r"at most|max(?:imum)?|less than|under|below|up to|within|<=?|≤"
BOUND = rf"(?:(?P<least>{LEAST})|(?P<most>{MOST}))?\s*(?:of\s+)?"
VENDORS = {"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "apple": "Apple", "arm": "Arm"}
VENDOR = re.compile(rf"\b(?P<vendor>{'|'.join(VENDORS)})\b", re.IGNORECASE | re.ASCII)
PRICE = re.compile(
    rf"(?:{BOUND})(?:[$€£]\s*\d[\d.,]*k?|\d[\d.,]*\s*(?:dollars|euros?|usd|eur|[$€£]))|\bcheap(?:est)?\b",
    re.IGNORECASE | re.ASCII,
)
FILLER = frozenset(
    {
        *("a", "an", "the", "i", "we", "need", "want", "looking", "for", "with", "and", "that"),
        *("of", "has", "have", "having", "any", "which", "find", "me", "show", "list", "all"),
        *("power", "memory", "ram", "vram", "tdp", "or", "more", "draw", "consumption", "under"),
        *("to", "run", "than", "newer", "made", "launched", "least", "most", "at", "is", "are"),
        *("best", "some"),
    }
)
WORD = re.compile(r"[\w$€£.+-]+")


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that people wish: its fact, and the parameters of a list that bound it.

    Without a word that says which end is meant, `bare` does; it is empty if that is uncertain.
    """

    pointer: str
    pattern: re.Pattern[str]
    parameter: str
    bare: str = "least"
    value: Callable[[re.Match[str]], str] = lambda match: match["number"]

    def condition(self, match: re.Match[str]) -> tuple[str, str] | None:
        """Return the parameter of a list; None where neither a least nor a most is meant."""
        side = "least" if match["least"] else "most" if match["most"] else self.bare
        ends = {"least": MIN, "most": MAX}
        return (f"{self.parameter}{ends[side]}", self.value(match)) if side else None


def _number_of(unit: str) -> re.Pattern[str]:
    return re.compile(
        rf"{BOUND}(?<![\w.])(?P<number>\d{{1,6}}(?:\.\d{{1,3}})?)\+?\s?(?:{unit})(?![\w/])",
        re.IGNORECASE | re.ASCII,
    )


def _bytes(match: re.Match[str]) -> str:
    """Return binary bytes, in which memory is sold whatever its unit is called."""
    return f"{match['number']} {match['prefix'].upper()}iB"


AMOUNTS = (
    Amount(
        "/hardware/memory_bytes",
        _number_of(r"(?P<prefix>[KMGT])i?B(?!/s)"),
        "memory",
        value=_bytes,
    ),
    Amount("/hardware/power_watts", _number_of(r"W|watts?"), "power", bare=""),
    Amount("/hardware/cores", _number_of(r"-?\s?cores?"), "cores"),
    Amount("/hardware/compute_units", _number_of(r"compute units|CUs?|SMs?"), "compute_units"),
    Amount(
        "/hardware/memory_bandwidth_bytes_per_s",
        _number_of(r"(?P<prefix>[GT])B/s"),
        "bandwidth",
        value=lambda match: f"{match['number']} {match['prefix'].upper()}B/s",
    ),
)
YEAR = re.compile(
    r"\b(?:(?P<least>since|after|from|newer than)|(?P<most>before|until|older than))\s+"
    r"(?P<number>20[0-3]\d)\b",
    re.IGNORECASE | re.ASCII,
)
NOT_LISTED = "prices are not in the catalogue"
NEITHER = "says neither a least nor a most"


def read(text: str) -> Iterator[Reading]:
    """Yield the list that a line wishes, if it names a category and at least one condition."""
    line = text.strip()
    if not line or len(text) > MAX_TEXT or "\n" in line:
        return
    categories = list(CATEGORY.finditer(text))
    if len(categories) != 1 or any(each.pattern.search(text) for each in PATTERNS):
        return
    builder = ReadingBuilder(text, FORM)
    search = list(_conditions(builder))
    if not search:
        if builder.ignored:
            yield nothing(*builder.ignored)
        return
    category = CATEGORIES[categories[0][0].casefold()]
    builder.state("/hardware/category", category, categories[0].span(), "inferred")
    search.append(("where", f"/hardware/category={category}"))
    if match := VENDOR.search(text):
        vendor = VENDORS[match["vendor"].casefold()]
        builder.state("/hardware/vendor", vendor, match.span(), "inferred")
        search.append(("vendor", vendor))
    if _leave_out_the_rest(builder):
        builder.body.clear()
        yield builder.reading(tuple(search))


def _conditions(builder: ReadingBuilder) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a list for the amounts of a text; each fact once."""
    for amount in AMOUNTS:
        if match := amount.pattern.search(builder.text):
            if condition := amount.condition(match):
                builder.state(amount.pointer, condition[1], _span(match))
                yield condition
            else:
                builder.ignore(_span(match), NEITHER)
    if match := YEAR.search(builder.text):
        builder.state("/hardware/launched", match["number"], match.span())
        operator = ">=" if match["least"] else "<="
        yield "where", f"/hardware/launched/year{operator}{match['number']}"


def _span(match: re.Match[str]) -> Span:
    """Return the place of an amount without the blanks before it."""
    return match.end() - len(match[0].lstrip()), match.end()


def _leave_out_the_rest(builder: ReadingBuilder) -> bool:
    """Note the words that are no conditions; return whether they leave a wish: few, no names."""
    for match in PRICE.finditer(builder.text):
        builder.ignore(match.span(), NOT_LISTED)
    read_spans: list[Span] = [
        *builder.places,
        *((each.start, each.end) for each in builder.ignored),
    ]
    unread = [
        word
        for word in WORD.finditer(builder.text)
        if word[0].casefold() not in FILLER
        and not any(start <= word.start() < end for start, end in read_spans)
    ]
    for word in unread[:MAX_UNREAD]:
        builder.ignore(word.span(), "is no condition on a fact")
    has_name = any(re.search("[0-9]", word[0]) for word in unread)
    return len(unread) <= MAX_UNREAD and not has_name
