"""Phones, tablets and their chips, from the device pages of the LineageOS wiki.

Devices and chips were chosen and named by hand; what their pages state is renewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import GIB, MIB
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import number, renewed, table_reader

REPO = "LineageOS/lineage_wiki"
PAGES = "_data/devices"
FIELD = re.compile(r"^(\w+): *(.*?) *$", re.MULTILINE)
CLUSTER = re.compile(r"(\d+) ?x ?(\d+(?:\.\d+)?)")  # 2 x 2.8 GHz
MAKERS = re.compile(r"^(ARM|Qualcomm) ")
# "8 GB", "4/6 GB LPDDR4X", "8/12 GB LPDDR4X/LPDDR5"; a page with more words is not read.
MEMORY = re.compile(
    r"([\d.]+(?: ?(?:/|or) ?[\d.]+)*) ?(GB|MB)(?: LPDDR\d[xX]?(?:/LPDDR\d[xX]?| \(\w+\))?)?"
)
UNITS = {"GB": GIB, "MB": MIB}

PHONES, DEVICES = "lineageos/phones", "lineageos/devices"


@table_reader(PHONES, REPO, PAGES, key="tag")
def read_phones(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the phones of the table with the month of their release."""
    return _read_devices(clone, table, DEVICES)


@table_reader(DEVICES, REPO, PAGES, key="tag")
def read_devices(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the phones and tablets of the table with the month of their release."""
    return _read_devices(clone, table, PHONES)


@table_reader("lineageos/memory", REPO, PAGES, key="tag")
def read_memory(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the devices of the table with all sizes of memory that their pages state."""
    for row in table.rows:
        stated = [sizes(_field(clone, file, "ram")) for file in row["files"]]
        if all(stated):
            yield {**row, "sizes_bytes": sorted({size for page in stated for size in page})}
        else:
            yield f"{row['tag']}: a page states its memory in another form"


@table_reader("lineageos/socs", REPO, PAGES, key="tag")
def read_chips(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the chips of the table; where pages disagree about clusters, a person decides."""
    return ({**row, **_chip(_page(clone, row), row)} for row in table.rows)


@table_reader("lineageos/names", REPO, PAGES, key="tag")
def read_names(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the devices of the table with the names that tools and makers use, in lower case."""
    for row in table.rows:
        code_names, models = (
            sorted({name for file in row["files"] for name in _names(clone, file, field)})
            for field in ("codename", "models")
        )
        yield {"tag": row["tag"], "files": row["files"], "technical": code_names} | (
            {"names": models} if models else {}
        )


def sizes(text: str) -> tuple[int, ...]:
    """Return the sizes in bytes that a text such as "6/8 GB LPDDR5" lists; none of other forms."""
    match = MEMORY.fullmatch(text)
    if not match:
        return ()
    return tuple(round(float(size) * UNITS[match[2]]) for size in re.findall(r"[\d.]+", match[1]))


def _read_devices(clone: Clone, table: Table, other: str) -> Iterator[Row | str]:
    taken = read_table(other).by("file")
    names = (PurePosixPath(path).name for path in clone.files(f"{PAGES}/*.yml"))
    pages: dict[str, Row] = {name: {} for name in names if name not in taken}
    for row in table.rows:
        if row["file"] in pages:
            pages[row["file"]] = {"released": _released(_page(clone, row), row)}
    return renewed(table, "file", pages, "not among the chosen devices")


def _chip(page: dict[str, str], row: Row) -> Row:
    facts: Row = {
        "cpu": page["cpu"],
        "cores": number(page["cpu_cores"], f"cpu_cores of {row['file']}"),
        "gpu": MAKERS.sub("", page["gpu"]),
    }
    if "clusters" in row and "disputed" not in row:
        stated = [(float(clock), int(cores)) for cores, clock in CLUSTER.findall(page["cpu_freq"])]
        facts["clusters"] = [cores for _, cores in sorted(stated, key=lambda item: -item[0])]
    return {field: value for field, value in facts.items() if field in row}


def _page(clone: Clone, row: Row) -> dict[str, str]:
    path = f"{PAGES}/{row['file']}"
    fields = _fields(clone, row["file"])
    missing = {"release", "cpu", "cpu_cores", "cpu_freq", "gpu"} - fields.keys()
    if missing:
        raise SourceError(f"{path} states no {' and no '.join(sorted(missing))}.")
    return fields


def _field(clone: Clone, file: str, name: str) -> str:
    return _fields(clone, file).get(name, "")


def _names(clone: Clone, file: str, field: str) -> list[str]:
    text = _field(clone, file, field).strip("[]")
    return [name.strip(" '\"").lower() for name in text.split(",") if name.strip()]


def _fields(clone: Clone, file: str) -> dict[str, str]:
    text = clone.text(f"{PAGES}/{file}")
    return {name: value.strip("'\"") for name, value in FIELD.findall(text)}


def _released(page: dict[str, str], row: Row) -> str:
    match = re.match(r"\d{4}-\d{2}", page["release"])
    return match[0] if match else row["released"]  # several dates: a person chose one
