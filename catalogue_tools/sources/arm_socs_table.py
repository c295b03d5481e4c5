"""Features that Linux does not report on systems on chip, from a table of Arm SoCs.

Numbers of cores come from listings that a person matched to the chips, as the other tables of
this source do; they are kept by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, require
from catalogue_tools.sources.reader import renewed, table_reader

PATH = "data/socs.yml"
NAME = re.compile(r"^  name: (.+)$", re.MULTILINE)
FEATURES = re.compile(r"^  features:\n((?:  - .+\n)+)", re.MULTILINE)
FLAGS = ("aes", "sha2", "asimddp", "lrcpc", "sve2", "i8mm", "bf16")  # those that code may need


@table_reader("arm-socs-table/socs", "hrw/arm-socs-table", PATH, key="tag")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the chips of the table with the flags that they lack."""
    chips: dict[str, Row] = {}
    for entry in re.split(r"^- ", clone.text(PATH), flags=re.MULTILINE):
        name, features = NAME.search(entry), FEATURES.search(entry)
        if name and features:
            flags = re.findall(r"- (\S+)", features[1])
            chips[name[1].strip("'\"")] = {"absent": [flag for flag in FLAGS if flag not in flags]}
    require(chips, PATH, "chips with name and features")
    return renewed(table, "soc", chips, "no tag of the chip is known")
