"""Macs with their chip and Apple's identifiers, from the list of devices of Asahi Linux."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.names import slug
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import table_reader

LIST, CODENAMES = "docs/hw/devices/device-list.md", "docs/hw/soc/soc-codenames.md"
MAC = re.compile(r"^\| (.+?) +\| (\w+,\d+) +\| (\w+) +\| (T\d+) *\|?$", re.MULTILINE)
CHIP = re.compile(
    r"^\| (M\d[^|\"]*?) +(?:\(\"\w+\"\) +)?\|[^|]*\|[^|]*\| (T[\dT/ ]+?) +\|", re.MULTILINE
)
STATED = re.compile(r"\bM\d(?: (?:Pro|Max|Ultra))?\b")
PORTS = re.compile(r" \(\d-port\)")
CATEGORIES = {"MacBook": "laptop", "iMac": "desktop", "Mac": "desktop"}
BOOKS = "linux-device-trees/macbooks"


@table_reader("asahi-docs/macs", "AsahiLinux/docs", LIST, CODENAMES, key="tag")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield Macs that no device tree gave; iMacs with two and four ports are one product."""
    macs = [*map(_mac, clone.matches(LIST, MAC, "Macs with identifier, board and chip"))]
    chips = _chips(clone)
    uses = Counter(identifier for _, identifier, _ in macs)
    taken = {row["model"] for row in read_table(BOOKS).rows}
    rows: dict[str, Row] = {}
    for model, identifier, number in macs:
        chip = chips.get(number, "")
        stated = STATED.search(model)
        if stated and chip and stated[0] != chip:
            yield f"{model}: its name and {number} are of different chips"
        elif _spelling(model) not in map(_spelling, taken):
            row = rows.setdefault(model, _row(model, stated[0] if stated else chip))
            # An identifier that stands at two products is an error of the list.
            row["identifiers"] += [identifier] * (uses[identifier] == 1)
    yield from rows.values()


def _mac(fields: tuple[str, str, str, str]) -> tuple[str, str, str]:
    name, identifier, _, number = fields
    return PORTS.sub("", name), identifier, number


def _row(model: str, chip: str) -> Row:
    return {
        "tag": f"apple/{slug(model)}",
        "chip": f"apple/{slug(chip)}",
        "model": model,
        "category": CATEGORIES[model.split(" ", maxsplit=1)[0]],
        "released": re.findall(r"\d{4}", model)[-1],
        "identifiers": [],
    }


def _chips(clone: Clone) -> dict[str, str]:
    """Return the names of chips by their number."""
    pairs = clone.matches(CODENAMES, CHIP, "chips with a number")
    return {number: name for name, numbers in pairs for number in numbers.split(" / ")}


def _spelling(model: str) -> frozenset[str]:
    """Return the words of a model, which sources order differently."""
    return frozenset(re.findall(r"[\w.-]+", model))
