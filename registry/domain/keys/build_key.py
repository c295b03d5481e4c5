"""Build keys: digests of everything in a target that a compiler reads.

With one compiler release, targets with equal build keys compile to the same code for every node.
Where a device has no host, its host code is the building machine's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.document import Json, canonical
from registry.domain.keys.tuning import is_host_dependent, leaves
from registry.domain.kinds.kinds import COMPONENTS, FLOW, Kind, Kinds
from registry.domain.resolution.composition import is_mixin
from ttag_rules.closed_nodes import ClosedNode
from ttag_rules.nodes import HOST, STRUCTURE

SCHEME = "bk1"  # must change if the definition of what is digested changes


@dataclass(frozen=True, slots=True)
class Build:
    """The build of a target: the digest of what a compiler reads, empty for a mixin.

    A host-dependent target has a leaf that the compiler completes from the building machine.
    """

    digest: str
    is_host_dependent: bool = False

    @property
    def key(self) -> str | None:
        """The build key: `bk1:` and 64 hexadecimal digits; None if equal digests prove nothing."""
        return None if self.is_host_dependent else self.digest or None


# Decision 051: a target without a build key has a digest too, for bumps to compare.
def compute_build(target: Json, kinds: Kinds, codegens: Sequence[str] = ()) -> Build:
    """Return the build of a whole target or closed node.

    `codegens` are those of the byoc nodes that enclose a node in its document, nearest first.
    """
    if is_mixin(target):
        return Build("")
    consumed = consumed_values(target, kinds)
    document: dict[str, Any] = (
        {"codegens": list(codegens), "target": consumed} if codegens else consumed
    )
    return Build(
        f"{SCHEME}:{hashlib.sha256(canonical(document)).hexdigest()}",
        any(is_host_dependent(leaf, kinds) for leaf in leaves(target)),
    )


def compute_node_build(node: ClosedNode, kinds: Kinds) -> Build:
    """Return the build of one node, closed."""
    return compute_build(node.target, kinds, node.codegens)


def consumed_values(target: Json, kinds: Kinds) -> dict[str, Any]:
    """Return a target without hardware and without annotations that do not affect tuning."""
    assert isinstance(target, dict)  # noqa: S101 - targets are objects
    own: dict[str, Any] = {name: value for name, value in target.items() if name not in STRUCTURE}
    consumed = _consumed_options(own, kinds.targets[own["kind"]])
    if HOST in target:
        consumed[HOST] = consumed_values(target[HOST], kinds)
    if "devices" in target:
        consumed["devices"] = _consumed_devices(target["devices"], kinds)
    if FLOW in target:
        flow: Any = target[FLOW]
        consumed[FLOW] = _consumed_options(flow, kinds[FLOW])
    for role in COMPONENTS & target.keys():
        component: Any = target[role]
        consumed[role] = _consumed_options(component, kinds.components(role)[component["kind"]])
    return consumed


def _consumed_devices(devices: Any, kinds: Kinds) -> Any:
    if isinstance(devices, dict):
        return {label: consumed_values(device, kinds) for label, device in devices.items()}
    return [consumed_values(device, kinds) for device in devices]


def _consumed_options(values: dict[str, Any], kind: Kind) -> dict[str, Any]:
    options = {name: kind.option(name) for name in values}
    return {
        name: value
        for name, value in values.items()
        if (option := options[name]) is None or option.affects_tuning or not option.is_annotation
    }
