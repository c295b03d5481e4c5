"""compatibility.json of a mirror: the tables and rules of verdicts, and cases with their verdicts.

A reader of another release knows by the cases whether it reads the tables as they are meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ttag.version import __version__
from ttag_rules.compatibility.devices import amd, architectures, cuda_versions
from ttag_rules.compatibility.options import Compiler, FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import FILE, Tables, UnknownVersion
from ttag_rules.compatibility.verdicts import Verdict, worst

VERSION = 1  # of the form of the file
MAX_SIZE = 1024 * 1024  # bytes; the tables of all architectures of LLVM 22 take a quarter
CASES = Path(__file__).with_name("cases.json")
RELEASE = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")

# Errors that tables of another form can raise where they are read or used.
UNFIT = (AttributeError, IndexError, KeyError, TypeError, ValueError)

Release = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its answer: the worst verdict of the whole, and of each dimension."""

    built_for: Mapping[str, Any]
    machine: Mapping[str, Any]
    options: Options
    answers: Mapping[str, str]

    @classmethod
    def from_json(cls, bodies: Mapping[str, Any], case: Mapping[str, Any]) -> Case:
        """Read a case of the file, whose bodies have names."""
        answers = {"verdict": str(case["verdict"]), **case["dimensions"]}
        options = read_options(case.get("options", {}))
        return cls(bodies[case["built_for"]], bodies[case["machine"]], options, answers)

    def is_reproduced(self, tables: Tables) -> bool:
        """Return whether the rules of this release give the answer with some tables."""
        try:
            given = verdict(self.built_for, self.machine, self.options, tables=tables)
        except UNFIT:
            return False
        return answers_of(given) == self.answers


def read_options(document: Mapping[str, Any]) -> Options:
    """Return the options that a case states."""
    ships = frozenset(map(FileForm, document.get("ships", ())))
    compiler = Compiler(document["compiler"]) if document.get("compiler") else None
    return Options(**{**document, "ships": ships, "compiler": compiler})


def answers_of(given: Verdict) -> dict[str, str]:
    """Return the verdict of the whole, and the worst one of each dimension that was compared."""
    by_dimension: dict[str, list[Any]] = {}
    for finding in given.findings:
        by_dimension.setdefault(finding.dimension, []).append(finding.answer)
    worst_ones = {str(name): str(worst(answers)) for name, answers in by_dimension.items()}
    return {"verdict": str(given.answer), **worst_ones}


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The file of a mirror that was written by some release."""

    release: Release
    tables: Tables
    cases: tuple[Case, ...]

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Compatibility:
        """Read the content of the file. Raises `UnknownVersion`, or one of `UNFIT`."""
        if document["version"] != VERSION:
            raise UnknownVersion(document["version"])
        bodies = document["bodies"]
        cases = tuple(Case.from_json(bodies, case) for case in document["cases"])
        if not cases:
            raise ValueError("there are no cases")
        tables = Tables.from_json(document["tables"])
        for name, instruction_set in tables.instruction_sets.items():
            if not instruction_set.knows(instruction_set.baseline):
                raise ValueError(f"the baseline of {name} is no processor")
        return cls(release_of(document["release"]), tables, cases)

    @property
    def is_newer(self) -> bool:
        """True if a later release than this one wrote the file."""
        return self.release > release_of(__version__)

    @property
    def is_reproduced(self) -> bool:
        """True if the rules of this release answer every case with these tables."""
        return all(case.is_reproduced(self.tables) for case in self.cases)


def release_of(text: str) -> Release:
    """Return the numbers of a release. Raises `ValueError`."""
    match = RELEASE.match(text)
    if not match:
        raise ValueError(f"{text!r} is not a release")
    return tuple(map(int, match.groups()))


# Decision 151: every mirror says by which rules and tables its writer answers.
@cache
def content() -> bytes:
    """Return the content of the file that this release writes."""
    document = {
        "version": VERSION,
        "release": __version__,
        "tables": json.loads(FILE.read_text(encoding="utf-8")),
        "devices": _device_rules(),
        **json.loads(CASES.read_text(encoding="utf-8")),
    }
    return "".join(["{\n", ",\n".join(_members(document)), "\n}\n"]).encode()


def _device_rules() -> dict[str, Any]:
    """Return the tables of the rules for GPUs, which docs/compatibility.md states in words."""
    return {
        "cuda": {
            "renamed": architectures.RENAMED,
            "tegra": sorted(architectures.TEGRA),
            "toolkits": cuda_versions.TOOLKITS,
            "suffix_toolkits": cuda_versions.SUFFIX_TOOLKITS,
            "least_capabilities": cuda_versions.LEAST_CAPABILITIES,
            "drivers": cuda_versions.DRIVERS,
            "major_drivers": cuda_versions.MAJOR_DRIVERS,
            "last_branches": cuda_versions.LAST_BRANCHES,
        },
        "rocm": {"generic": amd.GENERIC, "settings": amd.SETTINGS},
    }


def _members(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the members of the file as JSON, each on a line."""
    for name in sorted(document):
        text = json.dumps(document[name], ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        yield f"{json.dumps(name)}:{text}"
