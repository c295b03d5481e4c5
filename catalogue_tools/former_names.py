"""Names that machines had in another namespace, before their maker had one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue_tools.facts import Row
from catalogue_tools.tags import GeneratedTag, Superseded


# Decision 136: boards/ keeps boards of makers without a namespace.
def with_former_names(
    row: Row, noun: str, machine: Iterable[GeneratedTag | Superseded]
) -> Iterator[GeneratedTag | Superseded]:
    """Yield the tags of a machine, and those of its former name as superseded by them.

    `noun` says what it is, as "board".
    """
    for item in machine:
        yield item
        if "former" in row:
            former = row["former"] + item.name.removeprefix(row["tag"])
            if isinstance(item, Superseded):
                yield replace(item, name=former)
            else:
                yield Superseded(former, item.name, f"The same {noun}, with its maker")
