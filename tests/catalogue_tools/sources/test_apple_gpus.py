"""The tables of metal-benchmarks and asitop give facts of Apple's GPUs."""

from pathlib import Path

import pytest

from catalogue_tools.sources import asitop, metal_benchmarks
from catalogue_tools.sources.clone import SourceError
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

GPUS, BANDWIDTH = "metal-benchmarks/apple_gpus", "asitop/apple_bandwidth"
README = """
| GPU | Gen | GHz | Cores | GOPS32 | GOPS16 | GIPS | L2 $ | L3 $ |
| --------- | ---------- | ----------: | ----: | ---------: | ---------: | -----------: | -------: |
| A9X      | 3 |  0.650 | 12 |   499 |   998 |   499 |     - |   0 |
| A14      | 7 |  1.278 |  4 |   654 |  1309 |   654 |     - | 16M |
| M1U      | 7 |  1.296 | 64 | 21233 | 21233 | 10617 |    1M | 96M |
| A16      | 8 | ~1.398 |  5 | ~1789 | ~1789 |  ~895 |     - | 24M |
"""
UTILS = """
    # bandwidth
    if soc_info["name"] == "Apple M1 Max":
        soc_info["cpu_max_bw"] = 250
        soc_info["gpu_max_bw"] = 400
    elif soc_info["name"] == "Apple M1":
        soc_info["cpu_max_bw"] = 70
        soc_info["gpu_max_bw"] = 70
    else:
        soc_info["cpu_max_bw"] = 70
        soc_info["gpu_max_bw"] = 70
"""


def test_table_gives_clocks_and_cores_where_a_chip_has_one_number(tmp_path: Path) -> None:
    reading = read(GPUS, clone_of(tmp_path, {metal_benchmarks.PATH: README}))
    assert list(reading.rows) == shipped_rows(GPUS, "a14", "a16", "m1-ultra")
    assert reading.not_taken == ("a9x: no tag of the chip is known",)


def test_program_gives_the_bandwidth_of_the_gpu(tmp_path: Path) -> None:
    reading = read(BANDWIDTH, clone_of(tmp_path, {asitop.PATH: UTILS}))
    assert list(reading.rows) == shipped_rows(BANDWIDTH, "m1-max")
    assert reading.not_taken == ("m1: sources disagree, or no tag of the chip is known",)


@pytest.mark.parametrize(
    ("table", "path"), [(GPUS, metal_benchmarks.PATH), (BANDWIDTH, asitop.PATH)]
)
def test_file_of_another_form_is_refused(table: str, path: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has the file another form"):
        read(table, clone_of(tmp_path, {path: "A14 has 4 cores"}))
