"""Names by which drivers, tools and people call machines: each stands for one tag, or for none.

`registry/catalogue/machine_names.json` is the table. A text is compared as a whole and exactly:
only case, blanks, hyphens and trademark signs do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

MAX_NAME = 200  # characters; no name of the table has half as many
MAX_MAKER = 2  # words: `nvidia jetson`

TRADEMARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]")
NOT_WORD = re.compile(r"[^a-z0-9]+")
SEPARATORS = re.compile(r"(?<=[0-9])[.,](?=[0-9])|[\W_]+")
PCI_ID = re.compile(
    r"(?:0x)?(?P<vendor>1002|10de|8086)[: ](?:0x)?(?P<device>[0-9a-f]{4})"
    r"|pci[:\\](?:v0000|ven_)(?P<v>[0-9a-f]{4})(?:d0000|&dev_)(?P<d>[0-9a-f]{4})\S*"
    r"|0x(?P<nvidia>[0-9a-f]{4})(?P<de>10de)"  # how `nvidia-smi -q` prints it
)
# Programs print these beside the name of a product.
TUNED_KERNEL = re.compile(r".*\bdevice_name=(?P<name>[^,=]+?)(?:,.*|\.json)?")
BESIDE_NAMES = re.compile(
    r"^\d\d?(?:st|nd|rd|th) gen\b"  # 12th Gen Intel(R) Core(TM) i7-12700H
    r"|\bcpu\b|@\s*[0-9.]+\s*[gm]hz$"
    r"|\b\d+-cores?(?: processor)?$|\bprocessor$"
    r"|\sw/ ?radeon\b.*$|\swith radeon\b.*\bgraphics$"
    r"|\s\((?:radv|radeonsi)\b.*\)$"  # Mesa, after the name that the kernel's driver gives
    r"|\sr[0-9]p[0-9]$|\srev [0-9.]+$"  # Mali-G610 r0p0; Raspberry Pi 4 Model B Rev 1.4
)


@dataclass(frozen=True, slots=True)
class OneTag:
    """The tag that a name stands for, and those of its parts that programs call so, too."""

    tag: str
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The reason why a name stands for no single tag, and the tags that it may mean, if known."""

    tags: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Absent:
    """The product that a name stands for, of which there is no tag, and the reason."""

    product: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """The answer for a text that is no name of the table."""


NamedTags = OneTag | Ambiguous | Absent | Unknown
UNKNOWN = Unknown()
SEVERAL = "several products are called so"


@dataclass(frozen=True, slots=True)
class MachineNames:
    """The meaning of each folded name, and for each tag the names that stand for it alone."""

    meanings: Mapping[str, NamedTags]
    names: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, table: Mapping[str, Sequence[Mapping[str, Any]]]) -> Self:
        """Return the names of a table. What is said to be ambiguous or absent wins."""
        tags: dict[str, dict[str, None]] = {}
        spellings: list[tuple[str, str, str]] = []
        for row in table["names"]:
            for name in row["names"]:
                folded = fold_machine_name(name)
                tags.setdefault(folded, {})[row["tag"]] = None
                spellings.append((row["tag"], name, folded))
        meanings = {name: _meaning(stated) for name, stated in tags.items()}
        for row in table["absent"]:
            meanings[fold_machine_name(row["name"])] = Absent(row["product"], row["reason"])
        for row in table["ambiguous"]:
            answer = Ambiguous(tuple(row["tags"]), row["reason"])
            meanings[fold_machine_name(row["name"])] = answer
        return cls(meanings, _own_names(spellings, meanings))


def tags_named(text: str, names: MachineNames) -> NamedTags:
    """Return what a text stands for as a whole, as typed or else without what is printed beside."""
    if len(text) > MAX_NAME:
        return UNKNOWN
    for candidate in dict.fromkeys(map(fold_machine_name, _as_printed(text))):
        if meaning := names.meanings.get(candidate):
            return meaning
    return UNKNOWN


def tags_named_like(name: str, names: MachineNames) -> NamedTags:
    """Return what the name of a tag stands for, also without its namespace.

    aws/p5.48xlarge is called p5.48xlarge.
    """
    meaning = tags_named(name.replace("/", " "), names)
    rest = name.partition("/")[2].replace("/", " ")
    return tags_named(rest, names) if meaning is UNKNOWN and rest else meaning


def is_own_name(text: str, tag: str) -> bool:
    """Return whether a text is a tag's own name: the whole of it, or what follows a slash."""
    parts = tag.split("/")
    names = ("/".join(parts[start:]) for start in range(len(parts)))
    return fold_machine_name(text) in map(fold_machine_name, names)


def tags_named_after(text: str, names: MachineNames) -> NamedTags:
    """Return what a text stands for, also without first words that the name of its tag has.

    `jetson orin nano super` is called `orin nano super`, and the tag is nvidia/jetson-orin-nano.
    """
    meaning = tags_named(text, names)
    words = text.casefold().split()
    for count in range(1, min(MAX_MAKER, len(words) - 1) + 1):
        if meaning is not UNKNOWN:
            break
        shorter = tags_named(" ".join(words[count:]), names)
        if isinstance(shorter, OneTag) and set(words[:count]) <= {*NOT_WORD.split(shorter.tag)}:
            meaning = shorter
    return meaning


# Decision 144: digits that a blank parts stay apart, `core 7 150u` is no `core 7150u`.
def fold_machine_name(text: str) -> str:
    """Return a name without case, separators and trademark signs.

    Digits stay apart where they were, dots and commas between them stay. A PCI id of any
    spelling is written `10de:2330`.
    """
    lower = text.casefold().strip()
    if match := PCI_ID.fullmatch(lower.strip("[]")):
        vendor = match["vendor"] or match["v"] or match["de"]
        return f"{vendor}:{match['device'] or match['d'] or match['nvidia']}"
    return SEPARATORS.sub(_separator, TRADEMARKS.sub(" ", lower).replace("+", " plus "))


def _separator(match: re.Match[str]) -> str:
    before, after = match.string[: match.start()], match.string[match.end() :]
    if not before[-1:].isdigit() or not after[:1].isdigit():
        return ""
    return match[0] if match[0] in {".", ","} else " "


def _as_printed(text: str) -> Iterator[str]:
    """Yield a text, then the name in it: of a tuned kernel's file, of a processor or a driver."""
    yield text
    lower = " ".join(TRADEMARKS.sub("", text.casefold()).split())
    if match := TUNED_KERNEL.fullmatch(lower):
        yield match["name"]
    name = lower
    while (shorter := BESIDE_NAMES.sub("", name).strip()) != name:
        name = shorter
    yield name


def _own_names(
    spellings: Iterable[tuple[str, str, str]], meanings: Mapping[str, NamedTags]
) -> dict[str, tuple[str, ...]]:
    """Return the names of each tag that stand for no other, of tags, names and folded names."""
    names: dict[str, tuple[str, ...]] = {}
    for tag, name, folded in spellings:
        meaning = meanings[folded]
        if isinstance(meaning, OneTag) and meaning.tag == tag:
            names[tag] = (*names.get(tag, ()), name)
    return names


def _meaning(tags: Iterable[str]) -> NamedTags:
    """Return one tag for a machine and its parts, else that the name is ambiguous."""
    machine, *variants = sorted(tags, key=len)
    if are_parts(variants, machine):
        return OneTag(machine, tuple(sorted(variants)))
    return Ambiguous(tuple(sorted(tags)), SEVERAL)


def are_parts(tags: Iterable[str], machine: str) -> bool:
    """Return whether all of these tags are variants of a machine, or describe its GPU."""
    return all(tag.startswith(f"{machine}:") or tag == f"{machine}-gpu" for tag in tags)
