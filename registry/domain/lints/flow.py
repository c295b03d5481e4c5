"""Lints for pass settings."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import FLOW, Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.names.near_names import nearest_names
from ttag_rules.flow_names import GONE, RELEASE
from ttag_rules.nodes import Node
from ttag_rules.pointer import child


def unknown_settings(node: Node, kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of pass settings that the registry does not know, or that TVM has no more."""
    settings = node.value.get(FLOW)
    for name in sorted(settings) if isinstance(settings, dict) else ():
        option = kinds[FLOW].option(name)
        if name in GONE:
            yield Fault(
                child(child(node.pointer, FLOW), name),
                "REMOVED_IN",
                f"TVM {RELEASE} no longer has the pass setting {name}; it counts as tuning",
                f"no {name}, or an earlier TVM",
                name,
            )
        elif option and option.is_unlisted:
            yield Fault(
                child(child(node.pointer, FLOW), name),
                "FLOW_UNKNOWN",
                f"{echo(name)} is not a pass setting that the registry knows; it counts as tuning",
                "a known setting",
                echo(name),
                nearest_names(name, kinds[FLOW].options),
            )
