"""Verdicts about code and a machine: an answer for each dimension, and one for the whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Answer(StrEnum):
    """An answer; each outweighs those before it.

    Unknown outweighs conditional, because nobody may rely on it; a no is certain, whatever else is
    unknown.
    """

    YES = "yes"
    CONDITIONAL = "conditional"  # if the conditions are met
    UNKNOWN = "unknown"
    NO = "no"


class Dimension(StrEnum):
    """The respects in which both are compared, in the order in which a machine would notice."""

    LOADER = "loader"  # the loader and calling conventions: triple, float ABI, C library
    EMITTED = "emitted-instructions"  # a compiler uses them unasked
    GUARDED = "guarded-instructions"  # only intrinsics, or source under macros, use them
    VECTOR_LENGTH = "vector-length"
    DEVICES = "devices"  # as many devices as the code is for
    DEVICE_CODE = "device-code"
    FLOOR = "floor"  # the least driver, toolkit or system


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that the build or the machine has to meet: `driver` at least `525.60.13`.

    `at_least` is empty where a condition is no version: `feature` named `aes`.
    """

    name: str
    value: str = ""
    at_least: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer in one dimension, with its reason, and pointers into both targets.

    A finding in the dimension of floors is a condition beside the answer of the whole, unless it
    is a no.
    """

    dimension: Dimension
    answer: Answer
    reason: str
    built_for: str = ""
    machine: str = ""
    conditions: tuple[Condition, ...] = ()

    @property
    def weight(self) -> Answer:
        """The answer that the finding contributes to the whole."""
        is_met_elsewhere = self.dimension is Dimension.FLOOR and self.answer is not Answer.NO
        return Answer.YES if is_met_elsewhere else self.answer


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether code for one target runs on a machine, by dimension."""

    findings: tuple[Finding, ...]

    @property
    def answer(self) -> Answer:
        """The worst of the findings."""
        return worst(finding.weight for finding in self.findings)

    @property
    def reason(self) -> str:
        """The reason of the first finding that decides."""
        if self.answer is Answer.YES:
            return "The machine has all that the code needs."
        deciding = (each.reason for each in self.findings if each.weight is self.answer)
        return next(deciding, "")

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions, each once; none can change a no."""
        if self.answer is Answer.NO:
            return ()
        conditions = (each for finding in self.findings for each in finding.conditions)
        return tuple(dict.fromkeys(conditions))


ANSWERS = tuple(Answer)
DIMENSIONS = tuple(Dimension)


def worst(answers: Iterable[Answer]) -> Answer:
    """Return the answer that outweighs the others; yes if there are none."""
    return max(answers, key=severity, default=Answer.YES)


def severity(answer: Answer) -> int:
    """Return a number that is greater for an answer that outweighs another."""
    return ANSWERS.index(answer)
