"""The GPUs of clouds are read from the output of nvidia-smi."""

from pathlib import Path

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.sources.clone import SourceError
from tests.catalogue_tools.sources.clones import clone_of, read

TABLE = "spare-cores/nvidia_gpus"
ROWS = read_table(TABLE).rows


def printed(name: str, memory: int) -> str:
    """Return the part of nvidia-smi's XML that is read."""
    return f"""<gpu>
        <product_name>NVIDIA {name}</product_name>
        <fb_memory_usage>
            <total>{memory} MiB</total>
        </fb_memory_usage>
        <bar1_memory_usage>
            <total>65536 MiB</total>
        </bar1_memory_usage></gpu>"""


MACHINES = {
    f"data/{row['seen_on']}/nvidia_smi/stdout": printed(row["name"], row["memory_mib"])
    for row in ROWS
}


def test_machines_of_the_table_give_its_rows(tmp_path: Path) -> None:
    reading = read(TABLE, clone_of(tmp_path, MACHINES))
    assert reading.rows == ROWS
    assert reading.not_taken == ()


def test_new_product_is_not_taken_but_slices_left_out(tmp_path: Path) -> None:
    others = {
        "data/aws/z9.large/nvidia_smi/stdout": printed("Z9", 1),
        "data/aws/z9.small/nvidia_smi/stdout": printed("GRID T4-4Q", 1),
    }
    reading = read(TABLE, clone_of(tmp_path, MACHINES | others))
    assert reading.not_taken == ("Z9: seen on aws/z9.large",)


def test_missing_machine_and_missing_fact_are_refused(tmp_path: Path) -> None:
    path = f"data/{ROWS[0]['seen_on']}/nvidia_smi/stdout"
    with pytest.raises(SourceError, match=f"has no file {path}"):
        read(TABLE, clone_of(tmp_path, {}))
    with pytest.raises(SourceError, match="stdout has no memory of a GPU"):
        read(TABLE, clone_of(tmp_path, {path: "<gpu></gpu>"}))
