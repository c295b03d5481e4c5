"""TVM's tags of machines that no other subject describes: what each is, without other options."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

TABLE = "tvm/other_tags"


def tags() -> Iterator[GeneratedTag]:
    """Yield the version of each tag that follows the hand-written ones."""
    return map(_tag, read_table(TABLE).rows)


def _tag(row: Row) -> GeneratedTag:
    facts, urls = row["hardware"], row["urls"]
    counts = {name: value for name, value in facts.items() if name == "cores"}
    identity = {name: value for name, value in facts.items() if name != "cores"}
    own = root_hardware(Statement(identity, urls), Statement(counts, urls[:1]))
    body: dict[str, Json] = {**row["target"], "hardware": own}
    namespace = row["tag"].partition("/")[0]
    return GeneratedTag(
        row["tag"], f"{namespace}/tvm", body, f"What it is: {_name(row)}", tuple(urls)
    )


def _name(row: Row) -> str:
    """Return vendor and model, without saying the vendor twice."""
    vendor, model = row["hardware"]["vendor"], row["hardware"]["model"]
    return str(model if model.startswith(vendor) else f"{vendor} {model}")
