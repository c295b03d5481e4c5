"""iPhones and iPads with their chip and Apple's identifiers, from DeviceKit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.names import slug
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import table_reader

PATH = "Source/Device.swift.gyb"
DEVICE = re.compile(
    r'^ +Device\("i(Phone|Pad)\w*", .*?\[("[^]]+")\], +[\d.]+, +\([^)]*\), +"[^"]+", +"([^"]+)", '
    r'.*, "(\w+)", (?:True|False), (?:True|False)\),$',
    re.MULTILINE,
)
CATEGORIES = {"Phone": "phone", "Pad": "tablet"}
CHIP = re.compile(r"([am]\d+)([A-Z]?)(?:Bionic|Fusion)?(Pro)?")


@table_reader("devicekit/apple_devices", "devicekit/DeviceKit", PATH, key="tag")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the devices whose chip has a tag: the chips of the table."""
    chips = {row["chip"] for row in table.rows}
    for kind, identifiers, model, name in clone.matches(PATH, DEVICE, "iPhones and iPads"):
        chip = _chip(name)
        if chip in chips:
            yield {
                "tag": f"apple/{slug(model)}",
                "chip": chip,
                "model": model,
                "category": CATEGORIES[kind],
                "identifiers": re.findall(r'"([^"]+)"', identifiers),
            }
        else:
            yield f"{model}: {chip} has no tag"


def _chip(name: str) -> str:
    """Return the tag of the chip that DeviceKit calls `a17Pro` or `a12XBionic`."""
    match = CHIP.fullmatch(name)
    return f"apple/{match[1]}{match[2].lower()}{'-pro' if match[3] else ''}" if match else name
