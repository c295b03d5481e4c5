"""Clocks of microcontroller boards, from the manifests of PlatformIO's platforms.

Names, makers, microcontrollers and parts of the boards were chosen by hand; clocks are renewed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import form_of, table_reader

TABLE = "platformio/boards"
MANIFESTS = "boards/*.json"
REPOS = (
    "Community-PIO-CH32V/platform-ch32v",
    "maxgerhardt/platform-raspberrypi",
    "pioarduino/platform-espressif32",
    "platformio/platform-atmelsam",
    "platformio/platform-espressif32",
    "platformio/platform-freescalekinetis",
    "platformio/platform-nordicnrf51",
    "platformio/platform-nordicnrf52",
    "platformio/platform-nxpimxrt",
    "platformio/platform-renesas-ra",
    "platformio/platform-ststm32",
    "platformio/platform-teensy",
)
CLOCK = re.compile(r"(\d+)L?")


def read(repo: str, clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the table with the clocks that a platform states, without boards that it lost.

    A row without a clock keeps none: the manifest states that of another core or revision.
    """
    source = [origin["repo"] for origin in table.header["sources"]].index(repo)
    paths = {PurePosixPath(path).stem: path for path in clone.files(MANIFESTS)}
    for row in table.rows:
        if row["source"] != source:
            yield row
        elif path := paths.pop(row["id"], None):
            yield {**row, "hz": _clock(path, clone.text(path))} if "hz" in row else row
    yield from (f"{board}: not among the chosen boards" for board in paths)


for _repo in REPOS:
    table_reader(TABLE, _repo, "boards", key="tag")(partial(read, _repo))


def _clock(path: str, text: str) -> int:
    with form_of(path, "states no build.f_cpu"):
        stated = str(json.loads(text)["build"]["f_cpu"])
    match = CLOCK.fullmatch(stated)
    if not match:
        raise SourceError(f"{path} states {stated!r} as build.f_cpu, not a number of Hz.")
    return int(match[1])
