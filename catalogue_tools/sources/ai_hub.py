"""Chips of phones, from the devices of Qualcomm AI Hub's models.

The phones were chosen and named by hand; the name of their chip is renewed.
"""

from __future__ import annotations

import re

from catalogue_tools.facts import Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reader, Reading, require

PATH = "qai_hub_models/devices_and_chipsets.yaml"
DEVICE = re.compile(
    r"^  (\S.*):\n    chipset: (\S+)\n(?:    .*\n)*?    form_factor: (\w+)", re.MULTILINE
)
CHIPSET = re.compile(
    r"^  (\S+):\n    aliases:\n(?:    - .*\n)+    marketing_name: (.+)", re.MULTILINE
)


def read(clone: Clone, table: Table) -> Reading:
    """Return the phones of the table with the names of their chips."""
    text = clone.text(PATH)
    names = {key: re.sub("[®™]", "", name).strip() for key, name in CHIPSET.findall(text)}
    phones = {
        device: names.get(chipset, chipset)
        for device, chipset, kind in DEVICE.findall(text)
        if kind == "Phone"
    }
    require(names and phones, PATH, "devices with chipsets that have a marketing name")
    rows = tuple(
        {**row, "chipset": phones[row["model"]]} for row in table.rows if row["model"] in phones
    )
    others = sorted(phones.keys() - {row["model"] for row in rows})
    return Reading(rows, tuple(f"{phone}: not among the chosen phones" for phone in others))


READERS = (Reader("ai-hub/phones", "quic/ai-hub-models", (PATH,), ("tag",), read),)
