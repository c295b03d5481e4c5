"""Phones and tablets that inherit from their chip, whose variants serve them too."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.chips import chip
from catalogue_tools.devices.machine_facts import machine_facts
from catalogue_tools.devices.names import shared_name
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag

TABLE = "lineageos/devices"


def tags() -> Iterator[GeneratedTag]:
    return map(_device, read_table(TABLE).rows)


def _device(row: Row) -> GeneratedTag:
    namespace, _, name = row["tag"].partition("/")
    soc = chip(row["soc"])
    facts = {"vendor": row["vendor"], "model": row["model"], "category": row["category"]}
    page = url_of(TABLE, path=f"_data/devices/{row['file']}")
    return described_tag(
        row["tag"],
        f"phones/{namespace}",
        {"tag": f"{soc.tag}@1", "model": name},
        f"{row['model']} with its {soc.model.partition(' (')[0]}",
        Statement(facts | measured(row, "released"), [page]),
        *machine_facts(row["tag"], soc),
        aliases=tuple(row.get("aliases", ())),
        correction=shared_name(row["tag"]),
    )
