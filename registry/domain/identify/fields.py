"""Fields of a text: names with values, as tools print them, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

# `name: value`, `name = value`, `[name]: [value]` of Android, `"name": "value"` of JSON. Bounded,
# so that no line takes long.
LINE = re.compile(
    r"""^[ \t>|\#*]{0,40}
    (?: \[(?P<bracketed>[\w.]{1,80})\]:[ ]\[(?P<within>[^\]\n]{0,400})\]
      | "(?P<quoted>[^"\n]{1,80}?):?"[ \t]*:[ \t]*"?(?P<json>[^"\n]{0,4000}?)"?,?
      | (?P<name>[A-Za-z_][\w./() -]{0,60}?)[ \t]{0,40}[:=][ \t]{0,40}(?P<value>[^\n]{0,4000}?)
    )[ \t\r]*$""",
    re.VERBOSE | re.MULTILINE,
)
# `lscpu --json` has the name and the value of a field as two members.
PAIR = re.compile(
    r'"field":\s{0,40}"(?P<name>[^"\n]{1,80}?):?",\s{0,80}"data":\s{0,40}"(?P<value>[^"\n]{0,4000})"'
)

MEMBER = re.compile(r'"(?P<name>[^"\n]{1,80})":\s{0,40}"(?P<value>[^"\n]{0,400})"')
MAX_BLOCKS = 64  # machines or GPUs of a text
MAX_GAP = 1000  # characters between two fields of a block; longer lists of flags are known fields


@dataclass(frozen=True, slots=True)
class Field:
    """A name with a value; `start` and `end` are the place of the value, `begin` of the name."""

    name: str
    value: str
    begin: int
    start: int
    end: int


def read_fields(text: str) -> list[Field]:
    """Return every field of a text, in its order."""
    if '"field"' in text:
        return [_field(match, "name", "value") for match in PAIR.finditer(text)]
    return [
        _field(match, *names)
        for match in LINE.finditer(text)
        for names in (("bracketed", "within"), ("quoted", "json"), ("name", "value"))
        if match[names[0]] is not None
    ]


def read_members(text: str) -> list[Field]:
    """Return every member of JSON that is a string, also if all of it is one line."""
    return [_field(match, "name", "value") for match in MEMBER.finditer(text)]


def _field(match: re.Match[str], name: str, value: str) -> Field:
    return Field(
        match[name].strip(), match[value], match.start(name), match.start(value), match.end(value)
    )


@dataclass(frozen=True, slots=True)
class Block:
    """Fields of one machine, by their names in lower case; the first of a name counts."""

    fields: tuple[Field, ...]

    def find(self, *names: str) -> Field | None:
        """Return the first field of the names, in the order of the names, that has a value."""
        for name in names:
            for field in self.fields:
                if field.name.lower() == name and field.value.strip():
                    return field
        return None

    def value(self, *names: str) -> str:
        """Return the value of `find`, or an empty text."""
        field = self.find(*names)
        return field.value.strip() if field else ""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(field.name.lower() for field in self.fields)

    @property
    def start(self) -> int:
        return self.fields[0].begin

    @property
    def end(self) -> int:
        return self.fields[-1].end

    @property
    def lines(self) -> str:
        """The fields as lines, as the tool prints them."""
        return "".join(f"{field.name}: {field.value}\n" for field in self.fields)


def blocks(
    fields: Iterable[Field],
    known: Collection[str],
    begins: Callable[[Field, Collection[str]], bool],
) -> Iterator[Block]:
    """Yield the fields with known names, in blocks.

    `begins` says whether a field begins another block, given the names of the one before.
    """
    block: list[Field] = []
    names: set[str] = set()
    count = 0
    for field in fields:
        if field.name.lower() not in known or count == MAX_BLOCKS:
            continue
        if block and (field.begin - block[-1].end > MAX_GAP or begins(field, names)):
            yield Block(tuple(block))
            block, names, count = [], set(), count + 1
        block.append(field)
        names.add(field.name.lower())
    if block and count < MAX_BLOCKS:
        yield Block(tuple(block))
