"""Databases of MetaSchedule are read without TVM, and broken ones are refused with the line."""

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.records import HASWELL, RECORDED, copy_recorded, record, write_database
from ttag.errors import ExitCode, FileError
from ttag.records import database
from ttag.records.database import RECORDS, WORKLOADS, Database


def test_database_of_tvm_is_read() -> None:
    read = Database.read(RECORDED)
    assert len(read.workloads) == 1
    assert [(each.line, each.workload, each.has_failed) for each in read.records] == [
        (1, 0, False),
        (2, 0, False),
        (3, 0, False),
        (4, 0, False),
    ]
    assert json.loads(read.records[0].target) == HASWELL


def test_name_and_host_are_no_part_of_the_leaf(tmp_path: Path) -> None:
    made_for = HASWELL | {"tag": "aws/c4.4xlarge", "host": {"kind": "llvm"}}
    read = Database.read(write_database(tmp_path, record(HASWELL), record(made_for)))
    assert read.records[0].target == read.records[1].target


def test_order_of_members_does_not_distinguish_targets(tmp_path: Path) -> None:
    reversed_ = dict(reversed(HASWELL.items()))
    read = Database.read(write_database(tmp_path, record(HASWELL), record(reversed_)))
    assert read.records[0].target == read.records[1].target


@pytest.mark.parametrize(
    ("seconds", "has_failed"),
    [
        ([0.5], False),
        ([0, 1], False),
        ([1e10], True),
        ([0.5, 1e11], True),
        ([-0.5], True),
        ([math.nan], True),
        ([0.5, math.inf], True),
        ([], True),
        (None, True),
    ],
)
def test_record_without_a_measurement_has_failed(
    tmp_path: Path, seconds: list[float] | None, has_failed: bool
) -> None:
    read = Database.read(write_database(tmp_path, record(HASWELL, seconds=seconds)))
    assert read.records[0].has_failed == has_failed


@pytest.mark.parametrize("second", ["0.5", None, True, [0.5], {}])
def test_time_that_is_no_number_is_refused(tmp_path: Path, second: Any) -> None:
    folder = write_database(tmp_path, record(HASWELL), record(HASWELL, seconds=[0.5, second]))
    with pytest.raises(FileError, match=rf"{RECORDS}:2 has .* among its seconds, which is no num"):
        Database.read(folder)


def test_empty_files_are_a_database_without_records(tmp_path: Path) -> None:
    read = Database.read(write_database(tmp_path, workloads=0))
    assert (read.workloads, read.records) == ((), ())


def refusal(folder: Path) -> str:
    with pytest.raises(FileError) as raised:
        Database.read(folder)
    assert raised.value.exit_code == ExitCode.FILE
    return str(raised.value)


def test_truncated_line_is_named(tmp_path: Path) -> None:
    folder = copy_recorded(tmp_path / "records")
    path = folder / RECORDS
    path.write_bytes(path.read_bytes()[:-100])
    assert refusal(folder) == (
        f"{path}:4 is not JSON. The file ends there, in the middle of a line."
    )


@pytest.mark.parametrize(("workload", "workloads"), [(0, 0), (1, 1), (2, 1), (-1, 1)])
def test_record_of_a_missing_workload_is_named(
    workload: int, workloads: int, tmp_path: Path
) -> None:
    folder = write_database(tmp_path, record({"kind": "c"}, workload), workloads=workloads)
    assert refusal(folder) == (
        f"{folder / RECORDS}:1 is for workload {workload}, but {WORKLOADS} has only {workloads}."
    )


@pytest.mark.parametrize(
    "value",
    [
        {},
        [0],
        [0, []],
        ["0", [[], [1.0], HASWELL, []]],
        [0, [[], [1.0], "llvm", []]],
        [0, [[], 1.0, HASWELL, []]],
        [True, [[], [1.0], HASWELL, []]],
    ],
    ids=json.dumps,
)
def test_value_of_another_form_is_no_record(tmp_path: Path, value: Any) -> None:
    folder = write_database(tmp_path, record(HASWELL), value)
    assert refusal(folder).startswith(f"{folder / RECORDS}:2 is not a tuning record: expected ")


def test_value_of_another_form_is_no_workload(tmp_path: Path) -> None:
    folder = write_database(tmp_path)
    (folder / WORKLOADS).write_text('["1", "module"]\n["2"]\n')
    assert refusal(folder).startswith(f"{folder / WORKLOADS}:2 is not a workload: expected ")


@pytest.mark.parametrize("number", [-1, 1])
def test_workload_is_an_index(tmp_path: Path, number: int) -> None:
    folder = write_database(tmp_path, record(HASWELL, workload=number))
    assert f"is for workload {number}" in refusal(folder)


def test_number_that_is_not_json_is_refused(tmp_path: Path) -> None:
    folder = write_database(tmp_path, record(HASWELL | {"num-cores": float("nan")}))
    assert f"{folder / RECORDS}:1 has a target that is not JSON" in refusal(folder)


def test_huge_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MAX_LINE", 1000)
    folder = copy_recorded(tmp_path / "records")
    assert refusal(folder) == f"{folder / WORKLOADS}:1 has more than 1000 bytes."


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    folder = write_database(tmp_path)
    (folder / RECORDS).write_text("[" * 100_000)
    assert f"{folder / RECORDS}:1 is not JSON" in refusal(folder)


def test_deep_target_is_refused(tmp_path: Path) -> None:
    folder = write_database(tmp_path)
    # Too deep to be written again, but not to be read; since 3.12, Python counts calls of C apart.
    depth = 450 if sys.version_info < (3, 12) else 2000
    target = '{"a":' * depth + "1" + "}" * depth
    (folder / RECORDS).write_text(f"[0, [[], [1.0], {target}, null]]\n")
    assert f"{folder / RECORDS}:1 has a target that is not JSON" in refusal(folder)


def test_folder_without_a_database_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == (
        f"{tmp_path / WORKLOADS} cannot be read: No such file or directory."
    )


def test_file_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "records.json"
    file.write_text("")
    assert refusal(file) == f"{file} is not a folder: expected one with {WORKLOADS}."
