"""Features that LLVM's name of a core has, and that chips of the name may lack."""

from itertools import product
from typing import Any

import pytest

from ttag_rules.compatibility.options import Options
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer, Condition

YES, CONDITIONAL, NO = Answer.YES, Answer.CONDITIONAL, Answer.NO
TRIPLES = {"aarch64": "aarch64-unknown-linux-gnu", "arm": "armv8l-unknown-linux-gnueabihf"}
CORES = [
    (architecture, mcpu, feature)
    for architecture in TRIPLES
    for mcpu, features in shipped_tables().instruction_sets[architecture].optional.items()
    for feature in sorted(features)
]
STRICT = Options(strict=True)

Target = dict[str, Any]


def cpu(mcpu: str, *mattr: str, arch: str = "aarch64") -> Target:
    return {"kind": "llvm", "mtriple": TRIPLES[arch], "mcpu": mcpu, "mattr": list(mattr)}


def answer(code: Target, machine: Target, options: Options = Options()) -> Answer:  # noqa: B008 - immutable
    return verdict(code, machine, options).answer


@pytest.mark.parametrize(("architecture", "mcpu", "feature"), CORES)
def test_an_option_is_needed_where_the_code_asks_for_it(
    architecture: str, mcpu: str, feature: str
) -> None:
    bare, with_it, without = (
        cpu(mcpu, *mattr, arch=architecture) for mattr in ((), (f"+{feature}",), (f"-{feature}",))
    )
    assert answer(with_it, bare) is CONDITIONAL
    assert answer(with_it, without) is NO
    assert answer(bare, without) in (CONDITIONAL, NO)  # no, where compilers use it unasked
    assert answer(bare, bare, STRICT) is CONDITIONAL
    assert answer(bare, bare) is YES
    assert answer(with_it, with_it) is YES
    assert answer(without, bare) is YES
    assert answer(bare, with_it) is YES


PAIRS = [
    # code, machine, answer
    (cpu("generic", "+aes"), cpu("cortex-a53"), CONDITIONAL),
    (cpu("generic", "+aes"), cpu("neoverse-n1"), CONDITIONAL),
    (cpu("generic", "+sha3"), cpu("neoverse-v1"), CONDITIONAL),
    (cpu("apple-a7"), cpu("cortex-a72"), CONDITIONAL),
    (cpu("cortex-a72"), cpu("cortex-a53", "-aes", "-sha2"), CONDITIONAL),
    (cpu("generic", "+aes"), cpu("a64fx"), CONDITIONAL),
    (cpu("generic", "+aes"), cpu("a64fx", "-aes"), NO),
    (cpu("a64fx", "+aes"), cpu("a64fx"), CONDITIONAL),
    (cpu("neoverse-v1"), cpu("neoverse-n1"), NO),
    (cpu("generic", "+aes"), cpu("cortex-a53", "+aes"), YES),
    (cpu("generic", "+aes"), cpu("apple-m1"), YES),
    (cpu("generic", "+aes"), cpu("thunderx2t99"), YES),
    (cpu("generic", "+sha2"), cpu("a64fx"), YES),  # Linux shows it there
    (cpu("generic", "+sha3"), cpu("neoverse-v1", "+sha3"), YES),
    (cpu("generic", "+crc"), cpu("cortex-a53"), YES),
    (cpu("cortex-a53"), cpu("cortex-a72"), YES),
    (cpu("neoverse-v1"), cpu("neoverse-v1"), YES),
    (cpu("a64fx"), cpu("a64fx"), YES),
    (cpu("a64fx", "+aes"), cpu("a64fx", "+aes"), YES),
    (cpu("a64fx", "-aes"), cpu("a64fx"), YES),
]


@pytest.mark.parametrize(("code", "machine", "expected"), PAIRS)
def test_options_of_cores_are_not_taken_for_granted(
    code: Target, machine: Target, expected: Answer
) -> None:
    assert answer(code, machine) is expected


def test_the_reason_names_the_option() -> None:
    result = verdict(cpu("generic", "+aes"), cpu("cortex-a53"))
    assert result.reason == (
        "It runs if the machine has aes, which chips of the name cortex-a53 may lack,"
        " or the code checks."
    )
    assert result.conditions == (Condition("feature", "aes"),)
    emitted = verdict(cpu("generic", "+sha3"), cpu("neoverse-v1"))
    assert "chips of the name neoverse-v1 may lack." in emitted.reason


def test_all_cores_run_code_for_cores_with_the_same_options() -> None:
    bare = {mcpu: cpu(mcpu) for mcpu in ("cortex-a53", "cortex-a57", "cortex-a72", "cortex-a73")}
    for code, machine in product(bare, bare):
        assert answer(bare[code], bare[machine]) is YES, (code, machine)


def test_a_machine_has_its_options_for_certain_only_where_it_states_them() -> None:
    processor = Processor.from_leaf("", cpu("cortex-a53", "+aes"), shipped_tables())
    assert processor.optional_features == {"sha2"}
    assert "aes" in (processor.features(of_machine=True) or ())
    assert Processor.from_leaf("", cpu("apple-m1"), shipped_tables()).optional_features == set()
