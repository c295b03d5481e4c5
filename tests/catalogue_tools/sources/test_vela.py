"""Vela and ExecuTorch give the configurations of Ethos-U."""

from pathlib import Path

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.vela import EXECUTORCH, TABLE, VELA
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

ROWS = read_table(TABLE).rows
REPOS = {VELA: "nxp-imx/ethos-u-vela", EXECUTORCH: "pytorch/executorch"}


def test_vela_states_macs_of_a_core_and_cores(tmp_path: Path) -> None:
    program = """
        Accelerator.Ethos_U65_512: ArchitectureConfig(
            256, 2, Block(2, 2, 8)
        ),
        Accelerator.Ethos_U55_32: ArchitectureConfig(32, 1, Block(1, 1, 4)),
    """
    reading = read(TABLE, clone_of(tmp_path, {VELA: program}), REPOS[VELA])
    others = [row for row in ROWS if row["source"] == 1]
    named = shipped_rows(TABLE, "Ethos-U55-32", "Ethos-U65-512")
    assert list(reading.rows) == [*named, *others]


def test_executorch_states_macs_in_names(tmp_path: Path) -> None:
    names = [row["name"].lower() for row in ROWS if row["source"] == 1]
    program = "\n".join(f'    "{name}",' for name in ["ethos-u55-128", *names, *names])
    reading = read(TABLE, clone_of(tmp_path, {EXECUTORCH: program}), REPOS[EXECUTORCH])
    assert reading.rows == ROWS


@pytest.mark.parametrize("path", [VELA, EXECUTORCH])
def test_program_without_configurations_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(SourceError, match=r"\.py has no "):
        read(TABLE, clone_of(tmp_path, {path: "targets = []"}), REPOS[path])
