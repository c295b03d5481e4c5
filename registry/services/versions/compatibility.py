"""Whether code built for one version or body runs on the machine of another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from registry.domain.reference import Pair, Reference
from registry.services.versions import comparing, drafting, resolving
from registry.services.versions.comparing import ReferenceWarning
from registry.services.versions.resolving import ResolvedReference
from ttag_rules.compatibility.options import Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Side:
    """A target that is asked about: of a version, or of a body, which has no resolution."""

    target: dict[str, Any]
    resolution: ResolvedReference | None = None

    @classmethod
    def of(cls, resolution: ResolvedReference) -> Side:
        """Return the target of a version."""
        return cls(json.loads(resolution.target), resolution)

    @property
    def exact(self) -> str | None:
        """The exact reference of a version."""
        return self.resolution.exact if self.resolution else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict about two targets."""

    built_for: Side
    machine: Side
    verdict: Verdict

    @property
    def warnings(self) -> list[ReferenceWarning]:
        """Return the warnings about both versions: they were withdrawn, or are superseded."""
        return comparing.warnings_of([self.built_for.resolution, self.machine.resolution])


def judge_pair(pair: Pair, options: Options) -> Judgement:
    """Return the verdict about two versions. Two queries.

    Raises `UnresolvedReferences`; its code is that of the first side if both fail.
    """
    built_for, machine = map(Side.of, comparing.resolve_each([pair.old, pair.new]))
    return judge(built_for, machine, options)


def judge(built_for: Side, machine: Side, options: Options) -> Judgement:
    """Return the verdict about two targets. No query."""
    return Judgement(built_for, machine, verdict(built_for.target, machine.target, options))


def resolve_reference(reference: Reference) -> Side:
    """Return the target of a reference. Raises `Refused`, with similar tags."""
    return Side.of(resolving.resolve(reference))


def resolve_body(source: str) -> Side:
    """Return the target of a body, which is not stored. Raises `Refused`."""
    return Side(drafting.resolve_source(source))
