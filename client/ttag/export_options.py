"""The options of an export, and the formats whose texts need no proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export: `node` is the pointer of the only node to write.

    If `strict`, a format that has to leave something out is refused. If `record`, the text states
    the origin of each node.
    """

    node: str | None = None
    strict: bool = False
    record: bool = False

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the query, but for the node."""
        switches = {"strict": self.strict, "record": self.record}
        return {name: "1" for name, chosen in switches.items() if chosen}

    def applied_to(self, references: Iterable[str]) -> tuple[list[str], ExportOptions]:
        """Return references that name the node, as `REF#/pointer`, and the remaining options."""
        return with_node(references, self.node), replace(self, node=None)


def with_node(references: Iterable[str], node: str | None) -> list[str]:
    """Return references with the pointer of a node; as they are for None or the whole target."""
    return [f"{reference}#{node}" if node else reference for reference in references]


PLAIN = ExportOptions()
VERIFIED = frozenset({"json", "target"})  # formats whose text can be checked against the digest
