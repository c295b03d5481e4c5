"""Pairs of code and a machine, with what is executed of the code, or why nothing is."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.rules.compatibility.executed.programs import MACHINES
from tests.rules.compatibility.executed.witnesses import MODELS, TABLES, riscv_model
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer

Target = dict[str, Any]

MAX_SWITCHES = 2  # features that are switched on or off in the code of a pair
# The emulator's names of the features of x86 that have witnesses, where they are others.
X86_FLAGS = {"sse3": "pni", "lzcnt": "abm", "bmi": "bmi1", "pclmul": "pclmulqdq"}
RISCV_FLAGS = ("zba", "zbb", "zbc", "zbs", "v", "zfh")
VECTORS = "zve32x"  # the least of RISC-V's
MIN_VECTOR = 128  # bits of the shortest vectors that the emulator has
MAX_VECTOR = 1024


@dataclass(frozen=True)
class Pair:
    """Code for a target and a machine of a model; `features` are those that it executes.

    `reason` says why it is not executed; empty if it is.
    """

    architecture: str
    code: Target
    model: str
    machine: Target
    answer: Answer
    features: frozenset[str]
    reason: str = ""


def target(architecture: str, mcpu: str, *mattr: str) -> Target:
    """Return the target of a processor under Linux."""
    leaf: Target = {"kind": "llvm", "mtriple": MACHINES[architecture].triple, "mcpu": mcpu}
    if architecture == "riscv64":
        leaf["mabi"] = "lp64d"
    return {**leaf, "mattr": list(mattr)}


def random_pairs(seed: int) -> Iterator[Pair]:
    """Yield pairs of any processor of LLVM's tables with any model, without an end."""
    chosen = random.Random(seed)  # noqa: S311 - examples, not secrets
    choices = {name: (_codes(name), sorted(models(name).items())) for name in TABLES}
    weights = [len(codes) * len(machines) for codes, machines in choices.values()]
    while True:
        (architecture,) = chosen.choices([*choices], weights)
        codes, machines = choices[architecture]
        features = chosen.sample([*TABLES[architecture]], chosen.randint(0, MAX_SWITCHES))
        switches = [chosen.choice("+-") + name for name in features]
        model, mcpu = chosen.choice(machines)
        yield pair(target(architecture, chosen.choice(codes), *switches), model, mcpu, architecture)


def _codes(architecture: str) -> list[str]:
    """Return the processors whose code the assembler writes: Thumb alone is another encoding."""
    table = shipped_tables().instruction_sets[architecture]
    return sorted(name for name, on in table.processors.items() if not on & {"noarm", "e"})


@cache
def models(architecture: str) -> Mapping[str, str]:
    """Return models of the emulator by LLVM's names of them: own ones, and some of its features."""
    own = MODELS[architecture]
    table = shipped_tables().instruction_sets[architecture]
    names = sorted(table.processors.keys() - {*own.values()} - table.levels)
    if architecture == "x86_64":
        return own | {_x86_model(name): name for name in names if "64bit" in table.closure(name)}
    if architecture == "riscv64":
        return own | {model: name for name in names if (model := _riscv_model(name))}
    return own


def _x86_model(mcpu: str) -> str:
    """Return a model without those features that LLVM's processor lacks, of all that there are."""
    present = shipped_tables().instruction_sets["x86_64"].closure(mcpu)
    lacking = sorted(X86_FLAGS.get(name, name) for name in TABLES["x86_64"].keys() - present)
    return ",".join(["max", *(f"{name}=off" for name in lacking), f"model-id={mcpu}"])


def _riscv_model(mcpu: str) -> str:
    """Return a model with the features of LLVM's processor; empty if the emulator has none."""
    present = shipped_tables().instruction_sets["riscv64"].closure(mcpu)
    bits = max((int(name[3:-1]) for name in present if name.startswith("zvl")), default=0)
    if not {"m", "d"} <= present or (bits and not MIN_VECTOR <= bits <= MAX_VECTOR):
        return ""
    flags = {"Zfh" if name == "zfh" else name for name in RISCV_FLAGS if name in present}
    if "v" not in present and VECTORS in present:
        return ""  # a part of the extension, which the emulator has as a whole
    return riscv_model(*flags, bits=bits or MIN_VECTOR)


def pair(code: Target, model: str, mcpu: str, architecture: str) -> Pair:
    """Return a pair with what decides about it."""
    machine = target(architecture, mcpu)
    result = verdict(code, machine)
    built = Processor.from_leaf("", code, shipped_tables())
    uses = (built.features() or frozenset()) - built.optional_features
    witnesses = uses.intersection(TABLES[architecture])
    if VECTORS not in uses:  # the length of vectors is no matter
        witnesses = frozenset(name for name in witnesses if not name.startswith("zvl"))
    conditions = {each.value for each in result.conditions if each.name == "feature"}
    table = shipped_tables().instruction_sets[architecture]
    lacking = uses - table.closure(mcpu) - table.guarded
    reason = ""
    if result.answer is Answer.UNKNOWN:
        reason = "the verdict is unknown"
    elif not witnesses - conditions:
        reason = "the code uses no feature that has an instruction here"
    elif result.answer is Answer.NO and not witnesses & lacking:
        reason = "no instruction here of the feature that the machine lacks"
    return Pair(architecture, code, model, machine, result.answer, witnesses - conditions, reason)
