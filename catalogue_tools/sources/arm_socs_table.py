"""Features that Linux does not report on systems on chip, from a table of Arm SoCs.

Numbers of cores come from listings that a person matched to the chips, as the other tables of
this source do; they are kept by hand.
"""

from __future__ import annotations

import re

from catalogue_tools.facts import Table
from catalogue_tools.sources.clone import Clone
from catalogue_tools.sources.reader import Reader, Reading, require

PATH = "data/socs.yml"
NAME = re.compile(r"^  name: (.+)$", re.MULTILINE)
FEATURES = re.compile(r"^  features:\n((?:  - .+\n)+)", re.MULTILINE)
FLAGS = ("aes", "sha2", "asimddp", "lrcpc", "sve2", "i8mm", "bf16")  # those that code may need


def read(clone: Clone, table: Table) -> Reading:
    """Return the chips of the table with the flags that they lack."""
    features = _features(clone.text(PATH))
    require(features, PATH, "chips with name and features")
    rows = tuple(
        {**row, "absent": [flag for flag in FLAGS if flag not in features[row["soc"]]]}
        for row in table.rows
        if row["soc"] in features
    )
    others = sorted(features.keys() - {row["soc"] for row in rows})
    return Reading(rows, tuple(f"{chip}: no tag of the chip is known" for chip in others))


def _features(text: str) -> dict[str, set[str]]:
    """Return Linux's flags by the name of the chip."""
    chips = {}
    for entry in re.split(r"^- ", text, flags=re.MULTILINE):
        name, flags = NAME.search(entry), FEATURES.search(entry)
        if name and flags:
            chips[name[1].strip("'\"")] = set(re.findall(r"- (\S+)", flags[1]))
    return chips


READERS = (Reader("arm-socs-table/socs", "hrw/arm-socs-table", (PATH,), ("tag",), read),)
