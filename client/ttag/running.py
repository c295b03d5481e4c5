"""Whether code that was built for one target runs on the machine of another.

Targets come from references, which locks and mirrors answer without a network, from files, or from
the machine at hand. Verdicts are computed here, by the rules of the registry.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ttag.compatibility.options import DEFAULT_OPTIONS, Options
from ttag.compatibility.relation import verdict
from ttag.compatibility.verdicts import Finding, Verdict
from ttag.errors import FileError, NotUsable
from ttag.files import read_file
from ttag.probe import describe
from ttag.probe.collecting import collect
from ttag.project import Project

THIS = "this"  # no reference: it has no slash
FILE_STARTS = (".", "/", "~")  # no reference begins so
MAX_BODY = 64 * 1024  # bytes, as the registry limits them
PARENT = "tag"


@dataclass(frozen=True, slots=True)
class Side:
    """A target, and the exact reference of the version that it is of; None for a body."""

    target: Mapping[str, Any]
    exact: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict about two targets."""

    built_for: Side
    machine: Side
    verdict: Verdict

    def as_json(self) -> dict[str, Any]:
        """Return the members that the registry's API has."""
        return {
            "built_for": self.built_for.exact,
            "machine": self.machine.exact,
            "verdict": str(self.verdict.answer),
            "reason": self.verdict.reason,
            "dimensions": list(map(_finding_json, self.verdict.findings)),
            "conditions": [asdict(each) for each in self.verdict.conditions],
        }


def judge(built_for: Side, machine: Side, options: Options = DEFAULT_OPTIONS) -> Judgement:
    """Return the verdict about two targets."""
    return Judgement(built_for, machine, verdict(built_for.target, machine.target, options))


def read_side(
    text: str,
    project: Project,
    directory: Path | str = ".",
    progress: Callable[[str], None] = lambda _: None,
) -> Side:
    """Return the target of a reference, of a file in a folder, or of this machine.

    A file is named as `./machine.json`, the machine at hand is `this`. Raises `TtagError`.
    """
    if text == THIS:
        return _this_machine(progress)
    if text.startswith(FILE_STARTS):
        return Side(_read_body(Path(directory) / Path(text).expanduser()))
    resolution = project.resolve(text)
    return Side(resolution.target, resolution.exact)


def _this_machine(progress: Callable[[str], None]) -> Side:
    body = describe(collect(progress, os.environ)).body
    if not body:
        raise NotUsable("No tool tells what this machine is. `ttag probe` says more.")
    return Side(body)


def _read_body(path: Path) -> dict[str, Any]:
    """Return the body in a file, which must have no parents: those only a registry resolves."""
    data = read_file(path)
    if len(data) > MAX_BODY:
        raise FileError(f"{path} has more than {MAX_BODY} bytes, which is the most of a body.")
    try:
        body = json.loads(data)
    except ValueError as error:
        raise FileError(f"{path} is no JSON: {error}.") from error
    if not isinstance(body, dict):
        raise FileError(f"{path} is no body: expected a JSON object.")
    if PARENT in body or any(PARENT in each for each in _inner(body)):
        message = (
            f"{path} names a parent, which only a registry resolves. Publish or check it first."
        )
        raise NotUsable(message)
    return body


def _inner(value: Any) -> list[dict[str, Any]]:
    """Return the targets inside a body."""
    inner: list[dict[str, Any]] = []
    for name in ("host", "devices"):
        member = value.get(name) if isinstance(value, dict) else None
        members = member.values() if isinstance(member, dict) and name == "devices" else [member]
        for each in member if isinstance(member, list) else members:
            if isinstance(each, dict):
                inner += [each, *_inner(each)]
            elif isinstance(each, str):
                inner.append({PARENT: each})
    return inner


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "dimension": str(finding.dimension),
        "verdict": str(finding.answer),
        "reason": finding.reason,
        "pointers": {"built_for": finding.built_for, "machine": finding.machine},
        "conditions": [asdict(each) for each in finding.conditions],
    }
