"""The recorded features of x86 processors are those that clang 22 switches on."""

import re
from pathlib import Path

import pytest

from catalogue_tools.facts import Row, read_table
from tests.compilers import tools

ROWS = read_table("zig/x86_features").rows
RECORDED = {feature for row in ROWS for feature in row["features"]}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a function, to which clang attaches the features of its target."""
    if tools.clang_version() != 22:
        pytest.skip("the table is that of clang 22")
    path = tmp_path_factory.mktemp("clang") / "function.c"
    path.write_text("void function(void) {}\n")
    return path


def switched_on(source: Path, *options: str) -> set[str]:
    """Return the recorded features that clang switches on."""
    command = [tools.clang(), "--target=x86_64-linux-gnu", *options, "-S", "-emit-llvm", "-o", "-"]
    attributes = re.search(r'"target-features"="([^"]*)"', tools.run(*command, str(source)))
    assert attributes
    return RECORDED & {*re.findall(r"\+([^,]+)", attributes[1])}


@pytest.mark.parametrize("row", ROWS, ids=[row["mcpu"] for row in ROWS])
def test_name_implies_what_clang_switches_on(source: Path, row: Row) -> None:
    assert {*row["features"]} == switched_on(source, f"-march={row['mcpu']}")


@pytest.mark.parametrize(
    ("mcpu", "hidden"),
    [
        ("broadwell", ["adx", "rdseed"]),
        ("cascadelake", ["adx", "rdseed"]),
        ("znver2", ["adx", "rdseed"]),
        ("znver3", ["vaes", "vpclmulqdq"]),
        ("znver5", ["rdseed"]),
    ],
)
def test_feature_that_is_written_off_takes_no_other_away(
    source: Path, mcpu: str, hidden: list[str]
) -> None:
    options = [f"-mno-{feature}" for feature in hidden]
    (row,) = (row for row in ROWS if row["mcpu"] == mcpu)
    assert switched_on(source, f"-march={mcpu}", *options) == {*row["features"]} - {*hidden}
