"""Count the pairs of the catalogue's processors that get each verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from registry.domain.document import canonical
from ttag_rules.compatibility.processors import KINDS, Processor
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.relevant import relevant_part
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer
from ttag_rules.nodes import nodes

SOURCE = "C source"  # of targets without a triple

Leaf = dict[str, Any]


@dataclass(slots=True)
class Counts:
    """The verdicts about all ordered pairs of distinct processors of one architecture.

    `stated` are those in which the machine names its processor, by a name that is no level, and
    the code states an architecture.
    """

    leaves: int = 0
    all: Counter[Answer] = field(default_factory=Counter)
    stated: Counter[Answer] = field(default_factory=Counter)

    @property
    def unknown_share(self) -> float:
        """The share of unknown verdicts about machines that name their processor."""
        return self.stated[Answer.UNKNOWN] / max(self.stated.total(), 1)


def distinct_leaves(targets: Iterable[Any]) -> Mapping[str, list[Leaf]]:
    """Return the processors of resolved targets by architecture, each once."""
    distinct: dict[bytes, Leaf] = {}
    for target in targets:
        for node in nodes(target):
            if node.kind in KINDS:
                leaf = relevant_part(node.own)
                distinct[canonical(leaf)] = leaf
    groups = defaultdict[str, list[Leaf]](list)
    for _, leaf in sorted(distinct.items()):
        processor = Processor.from_leaf("", leaf, shipped_tables())
        groups[processor.triple.arch or SOURCE].append(leaf)
    return groups


def count_verdicts(leaves: Iterable[Leaf]) -> Counts:
    """Count the verdicts about each of some processors on each."""
    processors = [(leaf, Processor.from_leaf("", leaf, shipped_tables())) for leaf in leaves]
    counts = Counts(len(processors))
    for (code, built), (machine, has) in product(processors, repeat=2):
        answer = verdict(code, machine).answer
        counts.all[answer] += 1
        if built.architecture and not has.is_floor:
            counts.stated[answer] += 1
    return counts


def table_lines(targets: Iterable[Any]) -> Iterator[str]:
    """Yield the counts by architecture as a table in Markdown."""
    yield f"| architecture | processors | {' | '.join(Answer)} | unknown of named machines |"
    yield f"|---|{'---|' * (len(Answer) + 2)}"
    for architecture, leaves in sorted(distinct_leaves(targets).items()):
        counts = count_verdicts(leaves)
        numbers = (f"{counts.all[answer]:,}" for answer in Answer)
        share = f"{counts.unknown_share:.1%}" if counts.stated else "none is named"
        yield f"| {architecture} | {counts.leaves} | {' | '.join(numbers)} | {share} |"
