"""The rules of all lints, and their application to targets and versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice

from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.kinds.kinds import Kinds
from registry.domain.lints import (
    architecture,
    components,
    cpu,
    flow,
    gpu,
    hardware,
    hosts,
    libraries,
    triples,
)
from registry.domain.lints.facts import LintFacts
from registry.domain.lints.unsafe import unsafe_text
from registry.domain.resolution.composition import is_mixin
from ttag_rules.nodes import Node, nodes

MAX_LINTS = 100  # of one target; looking for near names takes milliseconds for each

Rule = Callable[[Node, Kinds, LintFacts], Iterator[Fault]]

RULES: tuple[Rule, ...] = (
    hosts.host_dependent,
    hosts.host_without_cpu,
    hosts.host_of_host,
    hosts.flow_of_host,
    triples.missing_triple,
    triples.unknown_components,
    triples.misplaced_parts,
    triples.other_spelling,
    cpu.unknown_processor,
    cpu.missing_cpu,
    cpu.unknown_features,
    architecture.foreign_abi,
    architecture.foreign_keys,
    gpu.impossible_warp_size,
    libraries.unknown_libraries,
    libraries.unknown_codegens,
    components.disagreeing_components,
    components.contradicting_parts,
    components.removed_components,
    flow.unknown_settings,
    hardware.unsourced_facts,
)


def lint_target(
    target: Json, kinds: Kinds, facts: LintFacts, *, is_family: bool = False
) -> tuple[Fault, ...]:
    """Return the warnings for a target, node by node; none for a mixin.

    `is_family` is true for a tag that describes what several machines share, so that it has no
    number of cores.
    """
    if is_mixin(target):
        return ()
    lints = (lint for node in nodes(target) for lint in _lints(node, kinds, facts, is_family))
    return tuple(islice(lints, MAX_LINTS))


def lint_version(
    target: Json,
    kinds: Kinds,
    facts: LintFacts,
    *,
    is_family: bool,
    provenance: Mapping[str, str | None],
    uses: Iterable[Mapping[str, str]],
    parents: Mapping[str, Json],
    is_checked: bool = False,
) -> tuple[Fault, ...]:
    """Return the warnings for a version: for its text, its target, and what it inherited.

    `provenance`, `uses` and `parents` are as in `hardware.inherited_facts`. A mixin has only the
    warnings of unsafe text, which are ahead of all others: a client refuses a version by them. None
    of the text is unsafe if it `is_checked`, by `check_target`, and it need not be read again.
    """
    lints: Iterable[Fault] = () if is_checked else unsafe_text(target, kinds, provenance)
    if not is_mixin(target):
        inherited = hardware.inherited_facts(target, provenance, uses, parents)
        lints = chain(lints, inherited, lint_target(target, kinds, facts, is_family=is_family))
    return tuple(islice(lints, MAX_LINTS))


def _lints(node: Node, kinds: Kinds, facts: LintFacts, is_family: bool) -> Iterator[Fault]:
    for rule in RULES:
        yield from rule(node, kinds, facts)
    if not is_family:
        yield from cpu.missing_core_count(node)
