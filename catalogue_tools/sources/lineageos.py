"""Phones and their chips, from the device pages of the LineageOS wiki.

Phones and chips were chosen and named by hand; what their pages state is renewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import number, renewed, table_reader

REPO = "LineageOS/lineage_wiki"
PAGES = "_data/devices"
FIELD = re.compile(r"^(\w+): *(.*?) *$", re.MULTILINE)
CLUSTER = re.compile(r"(\d+) ?x ?(\d+(?:\.\d+)?)")  # 2 x 2.8 GHz
MAKERS = re.compile(r"^(ARM|Qualcomm) ")


@table_reader("lineageos/phones", REPO, PAGES, key="tag")
def read_phones(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the phones of the table with the month of their release."""
    pages: dict[str, Row] = {PurePosixPath(path).name: {} for path in clone.files(f"{PAGES}/*.yml")}
    for row in table.rows:
        if row["file"] in pages:
            pages[row["file"]] = {"released": _released(_page(clone, row), row)}
    return renewed(table, "file", pages, "not among the chosen phones")


@table_reader("lineageos/socs", REPO, PAGES, key="tag")
def read_chips(clone: Clone, table: Table) -> Iterator[Row]:
    """Yield the chips of the table; where pages disagree about clusters, a person decides."""
    return ({**row, **_chip(_page(clone, row), row)} for row in table.rows)


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
    fields = {name: value.strip("'\"") for name, value in FIELD.findall(clone.text(path))}
    missing = {"release", "cpu", "cpu_cores", "cpu_freq", "gpu"} - fields.keys()
    if missing:
        raise SourceError(f"{path} states no {' and no '.join(sorted(missing))}.")
    return fields


def _released(page: dict[str, str], row: Row) -> str:
    match = re.match(r"\d{4}-\d{2}", page["release"])
    return match[0] if match else row["released"]  # several dates: a person chose one
