"""A short run of MetaSchedule, kept by tuning key and found again."""

import json
import re
from pathlib import Path

import pytest

from tests.client.records import RECORDED, copy_recorded
from tests.databases import ROOT
from tests.tvm.compiler import Compiler, TvmError
from ttag import Project
from ttag.records import Database, check, database_for
from ttag.records.database import RECORDS

TRIALS = 2


@pytest.fixture(scope="module")
def project(address: str, tmp_path_factory: pytest.TempPathFactory) -> Project:
    cache = str(tmp_path_factory.mktemp("cache"))
    return Project.open(cache, environment={"TTAG_REGISTRY": address, "TTAG_CACHE": cache})


@pytest.fixture(scope="module")
def root(builder: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all records, after tuning for acme/plain."""
    folder = tmp_path_factory.mktemp("records")
    assert builder.call("tune", ref="acme/plain", root=str(folder)) == TRIALS
    return folder


def key_of(reference: str, project: Project, pointer: str = "") -> str:
    return project.resolve(reference).tuning_keys[pointer]


def test_records_are_in_the_folder_of_their_key(root: Path, project: Project) -> None:
    assert list(root.iterdir()) == [database_for(key_of("acme/plain", project), root)]


def test_records_of_the_run_apply_to_the_tag_only(root: Path, project: Project) -> None:
    database = Database.read(database_for(key_of("acme/plain", project), root))
    assert check(database, ["acme/plain"], project).is_complete
    (match,) = check(database, ["acme/newer"], project).matches
    assert [each.option for each in match.differences] == ["mcpu"]
    assert (match.failures, len(match.records)) == (0, TRIALS)


def test_tag_with_the_same_key_finds_the_best_schedule(
    builder: Compiler, root: Path, project: Project
) -> None:
    assert key_of("acme/vm", project) == key_of("acme/plain", project)
    tuned = builder.call("tuned", ref="acme/vm", root=str(root))
    folder = database_for(key_of("acme/plain", project), root)
    recorded = [json.loads(line)[1][1] for line in (folder / RECORDS).read_text().splitlines()]
    assert tuned == {"records": TRIALS, "seconds": min(recorded)}


def test_leaf_of_a_composite_finds_them_too(builder: Compiler, root: Path) -> None:
    tuned = builder.call("tuned", ref="acme/two#/devices/base", root=str(root))
    assert tuned["records"] == TRIALS


def test_pass_settings_have_records_of_their_own(builder: Compiler, root: Path) -> None:
    tuned = builder.call("tuned", ref="acme/scalar", root=str(root))
    assert tuned == {"records": 0, "seconds": []}


def test_records_with_pass_settings_are_opened_again(
    builder: Compiler, project: Project, tmp_path: Path
) -> None:
    builder.call("tune", ref="acme/scalar", root=str(tmp_path))
    folder = database_for(key_of("acme/scalar", project), tmp_path)
    assert check(Database.read(folder), ["acme/scalar"], project).is_complete
    assert builder.call("tuned", ref="acme/scalar", root=str(tmp_path))["records"] == TRIALS


def test_recorded_database_is_opened(builder: Compiler, project: Project, tmp_path: Path) -> None:
    folder = copy_recorded(database_for(key_of("aws/c4.4xlarge@1.1.0", project), tmp_path))
    lines = (RECORDED / RECORDS).read_text().splitlines(keepends=True)
    (folder / RECORDS).write_text("".join(lines[:2]))
    tuned = builder.call("tuned", ref="aws/c4.4xlarge@1.1.0", root=str(tmp_path))
    assert tuned["records"] == 2
    assert tuned["seconds"] == [3.8298e-06]


def test_folder_with_records_of_another_key_is_refused(
    builder: Compiler, project: Project, tmp_path: Path
) -> None:
    folder = copy_recorded(database_for(key_of("aws/c4.4xlarge@1.1.0", project), tmp_path))
    with pytest.raises(TvmError) as raised:
        builder.call("tuned", ref="aws/c4.4xlarge@1.1.0", root=str(tmp_path))
    assert str(raised.value) == (
        f"FileError: {folder / RECORDS}:3 is for another target than the folder: it differs in "
        "num-cores."
    )


def test_example_of_the_readme_opens_a_new_database(builder: Compiler, tmp_path: Path) -> None:
    page = (ROOT / "client" / "README.md").read_text()
    (reference,) = re.findall(r'open_database\("([^"]+)", root="records"\)', page)
    tuned = builder.call("tuned", ref=reference, root=str(tmp_path))
    assert tuned == {"records": 0, "seconds": []}


def test_node_without_a_key_is_refused(builder: Compiler, tmp_path: Path) -> None:
    with pytest.raises(TvmError, match="acme/two is not a leaf with a tuning key; those of"):
        builder.call("tuned", ref="acme/two", root=str(tmp_path))
    assert list(tmp_path.iterdir()) == []
