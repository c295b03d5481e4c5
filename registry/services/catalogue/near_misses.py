"""Makes names that are one digit away from those of machines, and that no machine has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from registry.domain.search.search_terms import has_digit, split_words
from registry.models import Attribute, Entry, Name

SEED = 143
DIGITS = "0123456789"
NUMBER = re.compile(r"[0-9]{2,}")  # a single digit is often that of another generation


def near_misses(count: int) -> list[str]:
    """Return searches for machines that do not exist, always the same for the same tags.

    Each is the name of a tag without its namespace, with one digit of its last number changed, left
    out or added. Three queries.
    """
    random = Random(SEED)  # noqa: S311 - to repeat it, not to keep a secret
    names = sorted(
        name.partition("/")[2].rpartition("/")[2]
        for name in Entry.objects.values_list("text", flat=True)
        if ":" not in name
    )
    known = frozenset(_known_words())
    random.shuffle(names)
    changed = (_changed(name, random) for name in names if NUMBER.search(name))
    absent = (name for name in changed if _is_unknown(name, known))
    return [name.replace("-", " ") for name, _ in zip(absent, range(count), strict=False)]


def _known_words() -> Iterator[str]:
    """Yield the words of all names and models, so that no part of another name is made."""
    models = Attribute.objects.filter(name__in=("model", "family")).values_list("text", flat=True)
    for text in (*Name.objects.values_list("text", flat=True), *models.distinct()):
        words = split_words(text)
        yield from words
        for start in range(len(words)):
            yield from ("".join(words[start:end]) for end in range(start + 2, start + 4))


def _changed(name: str, random: Random) -> str:
    """Return a name with a digit of its last number changed, left out or added."""
    *_, number = NUMBER.finditer(name)
    place = random.randrange(number.start(), number.end())
    new = random.choice([digit for digit in DIGITS if digit != name[place]])
    before, after = name[:place], name[place + 1 :]
    return random.choice([before + new + after, before + after, name[: place + 1] + new + after])


def _is_unknown(name: str, known: frozenset[str]) -> bool:
    """Return whether no name has the last word with digits."""
    words = [word for word in split_words(name) if has_digit(word)]
    return not any(word in known for word in words[-1:])
