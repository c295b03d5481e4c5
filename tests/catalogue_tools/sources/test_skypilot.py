"""SkyPilot's catalogue gives the GPUs of Google Cloud's machine types."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.skypilot import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "skypilot/gcp_accelerators"
PROGRAM = """
import nothing_that_is_run
_ACC_INSTANCE_TYPE_DICTS = {
    'L4': {1: ['g2-standard-4', 'g2-standard-12'], 2: ['g2-standard-24']},
    'TPU': {4: ['ct5p-hightpu-4t']},
}
"""


def test_machine_types_give_their_rows_in_natural_order(tmp_path: Path) -> None:
    reading = read(TABLE, clone_of(tmp_path, {PATH: PROGRAM}))
    names = ("g2-standard-4", "g2-standard-12", "g2-standard-24")
    assert list(reading.rows) == shipped_rows(TABLE, *names)
    assert reading.not_taken == ("ct5p-hightpu-4t: cyclenerd/gcp_types lacks it",)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("GPUS = {}", "has no _ACC_INSTANCE_TYPE_DICTS"),
        ("_ACC_INSTANCE_TYPE_DICTS = load()", "cannot be read"),
        ("_ACC_INSTANCE_TYPE_DICTS = {", "cannot be read"),
    ],
)
def test_program_of_another_form_is_refused(tmp_path: Path, program: str, expected: str) -> None:
    with pytest.raises(SourceError, match=expected):
        read(TABLE, clone_of(tmp_path, {PATH: program}))
