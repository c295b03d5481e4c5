"""TVM's tags of machines that no other generator describes: what each is, without other options."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.tags import GeneratedTag, described_tag


def tags() -> Iterator[GeneratedTag]:
    """Yield the version of each tag that follows the hand-written ones."""
    return map(_tag, read_table("tvm/other_tags").rows)


def _tag(row: Row) -> GeneratedTag:
    facts, urls = row["hardware"], row["urls"]
    identity = {name: value for name, value in facts.items() if name != "cores"}
    vendor, model = facts["vendor"], facts["model"]
    return described_tag(
        row["tag"],
        f"{row['tag'].partition('/')[0]}/tvm",
        row["target"],
        f"What it is: {model if model.startswith(vendor) else f'{vendor} {model}'}",
        Statement(identity, urls),
        Statement(measured(facts, "cores"), urls[:1]),
        sources=tuple(urls),
    )
