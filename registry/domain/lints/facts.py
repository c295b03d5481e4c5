"""The facts that lints compare targets with: names that LLVM 22 and TVM know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from ttag_rules.nodes import Node
from ttag_rules.triples import Triple

Names = Mapping[str, frozenset[str]]

# The architecture whose processors a kind has, besides llvm, whose triple states it.
ARCHITECTURE_OF_KIND = {
    "cuda": "nvptx64",
    "hexagon": "hexagon",
    "nvptx": "nvptx64",
    "rocm": "amdgcn",
}
PROCESSOR_OF_KIND = {"cuda": "arch"}  # the option that names the processor, if it is not mcpu


@dataclass(frozen=True, slots=True)
class LintFacts:
    """The names that compilers know.

    `cpus` and `features` are LLVM's by architecture, `libraries` TVM's by kind. `codegens` maps
    TVM's external code generators to the kinds that they work with. `keys` maps dispatch keys to
    the kinds, or the architectures of CPUs, that have schedules for them.
    """

    cpus: Names
    features: Names
    libraries: Names
    codegens: Names
    keys: Names

    def architecture(self, node: Node) -> str:
        """Return the architecture of a leaf by LLVM's name; empty if nothing tells."""
        if node.kind in ARCHITECTURE_OF_KIND:
            return ARCHITECTURE_OF_KIND[node.kind]
        if triple := node.value.get("mtriple"):
            return Triple.parse(triple).arch
        owners = self.owners(self.cpus, node.value.get("mcpu", ""))
        return owners[0] if len(owners) == 1 else ""

    def owners(self, names: Names, name: str) -> list[str]:
        """Return the architectures that have a CPU or feature, without spellings of the same."""
        seen: list[Set[str]] = []
        architectures = []
        for architecture, known in names.items():
            if name in known and not any(known is other for other in seen):
                seen.append(known)
                architectures.append(architecture)
        return architectures


def processor_option(node: Node) -> str:
    """Return the name of the option that names a leaf's processor."""
    return PROCESSOR_OF_KIND.get(node.kind, "mcpu")


def stated_features(node: Node) -> Iterator[tuple[int, str]]:
    """Yield the names in `mattr`, without signs, with their positions."""
    for index, feature in enumerate(node.value.get("mattr", ())):
        yield index, re.sub(r"^[+-]", "", feature)
