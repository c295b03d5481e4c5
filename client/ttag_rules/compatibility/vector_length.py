"""Whether the vectors of a processor are as long as code was compiled for.

RISC-V and SVE let processors choose the length of their vectors. Code that assumes another one
raises no fault: it computes something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ttag_rules.compatibility.processors import Pair, Processor, texts
from ttag_rules.compatibility.tables import Features
from ttag_rules.compatibility.verdicts import Answer, Dimension, Finding

LLVM_OPTIONS, WIDTH = "cl-opt", "vector-width"
LEAST = re.compile(r"zvl([0-9]+)b")  # a feature of RISC-V
LIMIT = re.compile(
    r"--?(?:riscv-v|aarch64-sve)-vector-bits-(?P<end>min|max)(?::u?int)?=(?P<bits>[0-9]{1,9})"
)
SCALABLE = frozenset({"zve32x", "sve", "sme"})
WRONG = "with another length it computes something else, without a fault"


@dataclass(frozen=True, slots=True)
class VectorBits:
    """The lengths of vectors, in bits, that code is right for, or that a machine may have.

    Zero where nothing is stated.
    """

    least: int = 0
    most: int = 0

    def __str__(self) -> str:
        """Return the lengths in words."""
        if self.most:
            return f"of {self.least} to {self.most} bits"
        return f"of {self.least} bits or more" if self.least else "of no stated length"

    @classmethod
    def of(cls, processor: Processor, features: Features) -> VectorBits:
        """Return what the features and the options of a leaf say."""
        if not features & SCALABLE:
            return cls()
        names = map(LEAST.fullmatch, features)
        limits = [
            match for text in texts(processor.options, LLVM_OPTIONS) if (match := LIMIT.match(text))
        ]
        ends = {match["end"]: int(match["bits"]) for match in limits}
        width = processor.options.get(WIDTH, 0)
        least = [int(match[1]) for match in names if match]
        least += [ends.get("min", 0), width if isinstance(width, int) else 0]
        return cls(max(least), ends.get("max", 0))


def length_findings(
    pair: Pair, built_for: Features, present: Features, *, is_exact: bool
) -> Iterator[Finding]:
    """Yield why the vectors of a machine may have another length than those of the code.

    `is_exact` if the machine names its processor, whose shortest vectors LLVM's table then has.
    """
    code, machine = VectorBits.of(pair.code, built_for), VectorBits.of(pair.machine, present)
    if not present & SCALABLE or code == VectorBits() or code == machine:
        return
    is_named = is_exact and any(map(LEAST.fullmatch, present))
    if code.least > machine.least:
        needs = f"vectors of {code.least} bits or more"
        is_certain = is_named or 0 < machine.most < code.least
    elif code.most and not 0 < machine.most <= code.most:
        needs = f"vectors of {code.most} bits or less"
        is_certain = machine.least > code.most
    else:
        return
    text = f"The code is for {needs}, and the machine has vectors {machine}; {WRONG}."
    answer = Answer.NO if is_certain else Answer.UNKNOWN
    option = LLVM_OPTIONS if LLVM_OPTIONS in pair.code.options else "mcpu"
    yield pair.finding(Dimension.VECTOR_LENGTH, answer, text, option)
