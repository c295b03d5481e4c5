"""Instructions that no emulator here has, executed by this machine's processor if that has them."""

from pathlib import Path

import pytest

from tests.rules.compatibility.executed.pairs import target
from tests.rules.compatibility.executed.programs import build, is_right_here, processor_flags
from tests.rules.compatibility.executed.witnesses import NATIVE, Witness
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer

HERE = {flag: witness for flag, witness in NATIVE.items() if flag in processor_flags()}
PROCESSORS = ("skylake-avx512", "icelake-server", "sapphirerapids", "znver4", "znver3", "haswell")


@pytest.mark.parametrize("witness", HERE.values(), ids=HERE)
def test_an_instruction_is_right_here_and_where_the_verdict_is_yes(
    witness: Witness, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    build("x86_64", witness.text, program)
    assert is_right_here(program)
    code = target("x86_64", "x86-64", f"+{witness.feature}")
    table = shipped_tables().instruction_sets["x86_64"]
    for mcpu in PROCESSORS:
        has = witness.feature in table.closure(mcpu)
        expected = Answer.YES if has else Answer.NO
        assert verdict(code, target("x86_64", mcpu)).answer is expected, mcpu
