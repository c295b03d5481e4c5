"""Machine types of Google Cloud and the CPU platforms of their series, by Nils Knieling's lists.

A series is taken where another table says how many threads its cores have.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Set
from pathlib import PurePosixPath

from catalogue_tools.clouds.guests import measured
from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError, require
from catalogue_tools.sources.reader import number, table_reader

CALCULATOR = "Cyclenerd/google-cloud-pricing-cost-calculator"
LISTS = "Cyclenerd/google-cloud-compute-machine-types"
TYPES = "tools/machinetypes.csv"
SERIES = "instances/series/*.sql"
PLATFORM = re.compile(r"\bcpuPlatform\s*=\s*'([^']*)'")
COLUMNS = 5  # at least: name, vCPUs, whether they are shared, memory in GB, state
LOCAL_DISKS = re.compile("-(?:no|high|standard)?lssd")
UNKNOWN = "spare-cores/guests lacks its processor"


@table_reader("cyclenerd/gcp_types", CALCULATOR, TYPES, key="type", sort=True)
def read_types(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the types of known series, without deprecated ones and twins with local disks."""
    lines = list(_lines(clone))
    names = {name for name, _, _, _, state, *_ in lines if not state}
    for name, vcpus, _shared, memory, state, *_ in lines:
        series = name.partition("-")[0]
        if state or _is_twin(name, names):
            continue
        if series in _known():
            count = number(vcpus, f"the number of vCPUs of {name}")
            yield {"type": name, "vcpus": count, "memory_mib": _mib(memory, name)}
        else:
            yield f"{series}: {UNKNOWN}"


@table_reader("cyclenerd/gcp_series", LISTS, SERIES, key="series", sort=True)
def read_series(clone: Clone, _table: Table) -> Iterator[Row | str]:
    """Yield the CPU platforms of known series; brackets mark the rarer ones."""
    texts = {
        PurePosixPath(path).stem: ", ".join(PLATFORM.findall(clone.text(path)))
        for path in clone.files(SERIES)
    }
    platforms = {series: text for series, text in texts.items() if text}
    require(platforms.keys() & _known(), SERIES, "cpuPlatform of a known series")
    for series, text in platforms.items():
        if series in _known():
            names = re.sub(r"[\[\]]", "", text).split(", ")
            yield {"series": series, "platforms": [*dict.fromkeys(names)]}
        else:
            yield f"{series}: {UNKNOWN}"


def _is_twin(name: str, names: Set[str]) -> bool:
    """Return whether a type differs from another by its local disks only, or by its place."""
    return "edgegpu" in name or LOCAL_DISKS.sub("", name) in names - {name}


def _known() -> Set[str]:
    return measured("gcp").keys()


def _lines(clone: Clone) -> Iterator[list[str]]:
    lines = list(csv.reader(clone.text(TYPES).splitlines(), delimiter=";"))[1:]
    require(lines, TYPES, "lines")
    for line in lines:
        if len(line) < COLUMNS:
            raise SourceError(f"{TYPES} has a line of {len(line)} columns instead of {COLUMNS}.")
        yield line


def _mib(gigabytes: str, name: str) -> int:
    try:
        return int(float(gigabytes) * 1024)  # cuts fractions: n1-highcpu-16 has 14.4
    except ValueError as error:
        raise SourceError(f"The memory of {name} is {gigabytes!r}, not a number.") from error
