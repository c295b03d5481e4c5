"""MacBooks, which inherit from their Apple chip, with its GPU as a variant."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.devices.apple_devices import CHIPS, gpu_name
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

TABLE = "linux-device-trees/macbooks"
CLOCK = "Leaves out the clock of the GPU, which is not that of the machine."


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for the CPU of each MacBook, and one for its GPU."""
    for row in read_table(TABLE).rows:
        model = row["tag"].partition("/")[2]
        yield _tag(row, "", {"tag": f"{row['chip']}@1", "model": model}, "CPU")
        gpu: dict[str, Json] = {"tag": row["gpu"], "host": f"{row['tag']}@1"}
        yield _tag(row, ":metal", gpu, "GPU through Metal")


def _tag(row: Row, variant: str, body: dict[str, Json], part: str) -> GeneratedTag:
    facts: dict[str, Json] = {
        "vendor": "Apple",
        "model": row["model"],
        "category": "laptop",
        "launched": row["released"],
        "gpu": gpu_name(rows_by(CHIPS, "name")[row["chip"].removeprefix("apple/")]["chip"]),
    }
    if variant:
        facts["boost_clock_hz"] = None
    stated = Statement(facts, [url_of(TABLE, path=f"dts/upstream/src/{row['path']}")])
    message = f"The {part} of a {row['model']}"
    return described_tag(
        f"{row['tag']}{variant}",
        "apple/macbooks",
        body,
        message,
        stated,
        correction=CLOCK if variant else "",
    )
