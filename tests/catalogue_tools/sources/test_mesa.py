"""Mesa's device table gives the facts of Adreno GPUs."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.mesa import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "mesa/adreno"
PROGRAM = """
def add_gpus(ids, info):
    pass

add_gpus([
        GPUId(200),
    ], GPUInfo(CHIP.A2XX, cs_shared_mem_size = 0))

add_gpus([
        GPUId(610),
        GPUId(chip_id=0xffff06020300, name="Adreno612"),
    ], A6xxGPUInfo(
        CHIP.A6XX,
        cs_shared_mem_size = 16 * 1024,
    ))

add_gpus([
        GPUId(chip_id=0x007506030500, name="Adreno 7c+ Gen 3"), # of several grades
        GPUId(chip_id=0x00ac06030500, name="FD643"),
        GPUId(chip_id=0x00ac06030501, name="FD699"),
    ], A6xxGPUInfo(CHIP.A6XX, cs_shared_mem_size = 32 * 1024))

add_gpus([
        GPUId(chip_id=0xffff43050c01, name="Adreno X1-85"),
        GPUId(chip_id=0x43050a00, name="FDA32"),
    ], A6xxGPUInfo(CHIP.A7XX, cs_shared_mem_size = 32 * 1024))
"""


def test_products_of_the_table_have_generation_and_shared_memory(tmp_path: Path) -> None:
    reading = read(TABLE, clone_of(tmp_path, {PATH: PROGRAM}))
    names = ("610", "612", "635", "642L", "643", "X1-85")
    rows = shipped_rows(TABLE, *(f"Adreno {name}" for name in names))
    assert list(reading.rows) == rows
    assert reading.not_taken == ("Adreno 699: not among the chosen products",)


def test_program_without_gpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no add_gpus with CHIP"):
        read(TABLE, clone_of(tmp_path, {PATH: "gpus = []"}))
