"""MacBooks, which inherit from their Apple chip, with its GPU as a variant."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, hardware
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

TABLE = "linux-device-trees/macbooks"


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for the CPU of each MacBook, and one for its GPU."""
    table = read_table(TABLE)
    for row in table.rows:
        url = table.url(path=f"dts/upstream/src/{row['path']}")
        facts = {
            "vendor": "Apple",
            "model": row["model"],
            "category": "laptop",
            "launched": row["released"],
        }
        own = hardware(Statement(facts, [url]))
        model = row["tag"].partition("/")[2]
        cpu: dict[str, Json] = {"tag": f"{row['chip']}@1", "model": model, "hardware": own}
        gpu: dict[str, Json] = {
            "tag": row["gpu"],
            "host": f"{row['tag']}@1",
            "hardware": own,
        }
        yield _tag(row, "", cpu, "CPU", url)
        yield _tag(row, ":metal", gpu, "GPU through Metal", url)


def _tag(row: Row, variant: str, body: dict[str, Json], part: str, url: str) -> GeneratedTag:
    message = f"The {part} of a {row['model']}"
    return GeneratedTag(f"{row['tag']}{variant}", "apple/macbooks", body, message, (url,))
