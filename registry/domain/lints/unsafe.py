"""Lints for what today's rules refuse in a body, in versions that were published before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from registry.domain.checks.feature_signs import BOTH_SIGNS
from registry.domain.checks.unsafe_text import text_faults
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.provenance_tree import Origin
from ttag_rules.option_patterns import TABLE

OPTION_UNSAFE: str = TABLE["lint"]  # the client refuses to build with a version that has it


def unsafe_text(target: Json, kinds: Kinds, provenance: Mapping[str, Origin]) -> Iterator[Fault]:
    """Warn of text that must not reach a compiler, and of features with both signs.

    All of it is warned of under one code, whatever the fault would be in a body.
    """
    for fault in text_faults(target, kinds, provenance):
        code = fault.code if fault.code == BOTH_SIGNS else OPTION_UNSAFE
        yield replace(fault, code=str(code))
