"""Chips of phones, from the devices of Qualcomm AI Hub's models.

The phones were chosen and named by hand; the name of their chip is renewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import renewed, table_reader

PATH = "qai_hub_models/devices_and_chipsets.yaml"
DEVICE = re.compile(
    r"^  (\S.*):\n    chipset: (\S+)\n(?:    .*\n)*?    form_factor: (\w+)", re.MULTILINE
)
CHIPSET = re.compile(
    r"^  (\S+):\n    aliases:\n(?:    - .*\n)+    marketing_name: (.+)", re.MULTILINE
)


@table_reader("ai-hub/phones", "quic/ai-hub-models", PATH, key="tag")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the phones of the table with the names of their chips."""
    text = clone.text(PATH)
    names = {key: re.sub("[®™]", "", name).strip() for key, name in CHIPSET.findall(text)}
    phones: dict[str, Row] = {
        device: {"chipset": names.get(chipset, chipset)}
        for device, chipset, kind in DEVICE.findall(text)
        if kind == "Phone"
    }
    require(names and phones, PATH, "devices with chipsets that have a marketing name")
    return renewed(table, "model", phones, "not among the chosen phones")
