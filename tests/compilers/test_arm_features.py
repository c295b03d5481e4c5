"""The recorded features of Arm's cores are those that clang 22 switches on."""

import re
from pathlib import Path

import pytest

from catalogue_tools.arm_features import features
from catalogue_tools.facts import Row, read_table
from tests.compilers import tools

ROWS = read_table("llvm/arm_features").rows
TRIPLES = {"aarch64": "aarch64-linux-gnu", "arm": "armv7-linux-gnueabihf"}
BITS = {"aarch64": 64, "arm": 32}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a function, to which clang attaches the features of its target."""
    if tools.clang_version() != 22:
        pytest.skip("the table is that of clang 22")
    path = tmp_path_factory.mktemp("clang") / "function.c"
    path.write_text("void function(void) {}\n")
    return path


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['mcpu']}-{row['architecture']}" for row in ROWS])
def test_name_implies_what_clang_switches_on(source: Path, row: Row) -> None:
    triple = f"--target={TRIPLES[row['architecture']]}"
    command = [tools.clang(), triple, f"-mcpu={row['mcpu']}", "-S", "-emit-llvm", "-o", "-"]
    attributes = re.search(r'"target-features"="([^"]*)"', tools.run(*command, str(source)))
    assert attributes
    bits = BITS[row["architecture"]]
    reported = {name for name, feature in features().items() if feature.flags[bits]}
    assert {*row["implies"]} == reported & {*re.findall(r"\+([^,]+)", attributes[1])}
