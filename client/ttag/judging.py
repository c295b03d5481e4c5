"""Verdicts about two targets: whether code that was built for one runs on the machine of the other.

They are computed here, by the rules and tables of this release, or by the tables of a later one
that a mirror has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ttag.bodies import require_target
from ttag.errors import NotUsable, echo
from ttag.mirror.compatibility import Compatibility
from ttag.resolution import Resolution
from ttag_rules.compatibility.options import DEFAULT_OPTIONS, Compiler, FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import Tables
from ttag_rules.compatibility.verdicts import Answer, Condition, Finding, Verdict
from ttag_rules.compatibility.versions import VERSION

Target = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Side:
    """A target, and the exact reference of the version that it is of; None for a body.

    `newer` has the tables of a mirror that a later release wrote, where it comes from one.
    """

    target: Target
    exact: str | None = None
    newer: Compatibility | None = None

    @classmethod
    def of(cls, resolution: Resolution, newer: Compatibility | None = None) -> Side:
        """Return what a reference resolved to."""
        return cls(resolution.target, resolution.exact, newer)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict about two targets, which is computed. `verdict` has the findings by dimension."""

    built_for: Side
    machine: Side
    verdict: Verdict

    @property
    def answer(self) -> Answer:
        """The verdict of the whole: `yes`, `conditional`, `unknown` or `no`."""
        return self.verdict.answer

    @property
    def reason(self) -> str:
        """The reason, in a sentence."""
        return self.verdict.reason

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions, also those beside a yes."""
        return self.verdict.conditions

    def as_json(self) -> dict[str, Any]:
        """Return the members that the registry's API has."""
        return {
            "built_for": self.built_for.exact,
            "machine": self.machine.exact,
            "verdict": str(self.answer),
            "reason": self.reason,
            "dimensions": list(map(_finding_json, self.verdict.findings)),
            "conditions": [asdict(each) for each in self.conditions],
        }


class Judging(ABC):
    """The method of a registry, a mirror or a project that tells whether code runs."""

    def runs_on(
        self,
        built_for: str | Target,
        machine: str | Target,
        *,
        ships: Iterable[str] = (),
        toolkit: str = "",
        driver: str = "",
        strict: bool = False,
        compiler: str = "",
    ) -> Judgement:
        """Return whether code built for one target runs on the machine of another.

        Each is a reference, or a resolved target. Raises as `resolve` does, and `NotUsable` for
        options that are none.
        """
        options = read_options(
            ships=ships, toolkit=toolkit, driver=driver, strict=strict, compiler=compiler
        )
        return judge_named(self.side, built_for, machine, options)

    @abstractmethod
    def side(self, reference: str) -> Side:
        """Return the target of a reference, with the tables of the mirror that it comes from."""


def judge_named(
    side: Callable[[str], Side], built_for: str | Target, machine: str | Target, options: Options
) -> Judgement:
    """Return the verdict about two targets, of which `side` reads those that are texts."""
    one, other = (
        side(each) if isinstance(each, str) else Side(require_target(each, "The body"))
        for each in (built_for, machine)
    )
    return judge(one, other, options)


def judge(built_for: Side, machine: Side, options: Options = DEFAULT_OPTIONS) -> Judgement:
    """Return the verdict about two targets, by the newest tables that came with them."""
    tables = newest_tables(built_for, machine)
    given = verdict(built_for.target, machine.target, options, tables=tables)
    return Judgement(built_for, machine, given)


def newest_tables(*sides: Side) -> Tables | None:
    """Return the tables of the latest release; None if this one has them."""
    newer = [side.newer for side in sides if side.newer]
    return max(newer, key=lambda each: each.release).tables if newer else None


def read_options(
    *,
    ships: Iterable[str] = (),
    toolkit: str = "",
    driver: str = "",
    strict: bool = False,
    compiler: str = "",
) -> Options:
    """Return what is known of a build and a machine. Raises `NotUsable`."""
    versions = read_version(toolkit), read_version(driver)
    return Options(read_forms(ships), *versions, strict, read_compiler(compiler))


def read_forms(texts: Iterable[str]) -> frozenset[FileForm]:
    """Return forms of device code. Raises `NotUsable`."""
    forms: set[FileForm] = set()
    for text in texts:
        if text not in {*FileForm}:
            raise NotUsable(f"{echo(text)} is not some of {', '.join(FileForm)}")
        forms.add(FileForm(text))
    return frozenset(forms)


def read_compiler(text: str) -> Compiler | None:
    """Return a compiler, or nothing. Raises `NotUsable`."""
    if text and text not in {*Compiler}:
        raise NotUsable(f"{echo(text)} is not one of {', '.join(Compiler)}")
    return Compiler(text) if text else None


def read_version(text: str) -> str:
    """Return a version, or nothing. Raises `NotUsable`."""
    if text and not VERSION.fullmatch(text):
        raise NotUsable(f"{echo(text)} is not a version, such as 12.8")
    return text


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "dimension": str(finding.dimension),
        "verdict": str(finding.answer),
        "reason": finding.reason,
        "pointers": {"built_for": finding.built_for, "machine": finding.machine},
        "conditions": [asdict(each) for each in finding.conditions],
    }
