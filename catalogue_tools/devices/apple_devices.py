"""iPhones, iPads and Macs, which inherit from their chip; its GPU serves them all."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.machine_facts import other_cores
from catalogue_tools.facts import Row, read_table, rows_by
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

CHIPS = "arm-socs-table/apple_chips"
TABLES = {"devicekit/apple_devices": "apple/devices", "asahi-docs/macs": "apple/macs"}  # files

IOS = "arm64-apple-ios"
OF_CHIP = "Leaves out the month in which the chip was announced, which is not that of the device."
COUNTS = ("cores", "performance_cores", "efficiency_cores")


def tags() -> Iterator[GeneratedTag]:
    for name, file in TABLES.items():
        table = read_table(name)
        for row in table.rows:
            yield _product(row, file, table.pages(row))


def _product(row: Row, file: str, pages: tuple[str, ...]) -> GeneratedTag:
    chip = rows_by(CHIPS, "name")[row["chip"].removeprefix("apple/")]
    facts = {"vendor": "Apple", "model": row["model"], "category": row["category"]}
    facts["gpu"] = gpu_name(chip["chip"])
    body: dict[str, Json] = {"tag": f"{row['chip']}@1", "model": row["tag"].partition("/")[2]}
    if row["category"] == "tablet" and chip["system"] == "macos":
        body["mtriple"] = IOS  # the chip's own tag is for Macs
    if other_cores(row["tag"]):
        body["num-cores"] = None
        facts |= dict.fromkeys(COUNTS)
    if "announced" in chip and "released" not in row:
        facts["launched"] = None  # that of the chip
    return described_tag(
        row["tag"],
        file,
        body,
        f"{row['model']}, which has an Apple {chip['chip']}",
        Statement(facts | measured(row, "released"), pages),
        correction=OF_CHIP if "launched" in facts else "",
    )


def gpu_name(chip: str) -> str:
    """Return the name of the GPU of a chip such as "M1 Max", which has no other."""
    return f"Apple {chip} GPU"
