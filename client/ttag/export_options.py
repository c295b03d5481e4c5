"""The options of an export, and the formats whose texts need no proof."""

from __future__ import annotations

from dataclasses import dataclass


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
        """Return the parameters of the query."""
        switches = {"strict": self.strict, "record": self.record}
        parameters = {name: "1" for name, chosen in switches.items() if chosen}
        return parameters | ({"node": self.node} if self.node else {})


PLAIN = ExportOptions()
VERIFIED = frozenset({"json", "target"})  # formats whose text can be checked against the digest
