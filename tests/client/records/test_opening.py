"""Opening databases by key, as far as it goes without TVM; tests/tvm has the rest."""

import sys
from pathlib import Path

import pytest

import ttag.tvm
from tests.client.records import HASWELL, record, write_database
from tests.client.records.test_check import JETSON
from ttag import FileError, Project, ReferenceInvalid
from ttag.records import database_for, open_database


@pytest.fixture
def project(registry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project without TVM."""
    monkeypatch.setitem(sys.modules, "tvm", None)
    environment = {"TTAG_REGISTRY": registry, "TTAG_CACHE": str(tmp_path / "cache")}
    return Project.open(tmp_path, environment=environment)


def folder_of(reference: str, project: Project) -> Path:
    key = project.resolve(reference).tuning_keys[""]
    return database_for(key, project.settings.cache.parent / "records")


def test_folder_is_not_made_without_tvm(project: Project) -> None:
    folder = folder_of("aws/c4.4xlarge", project)
    with pytest.raises(ttag.tvm.TvmUnusable):
        open_database("aws/c4.4xlarge", root=folder.parent, project=project)
    assert not folder.parent.exists()


def test_record_of_another_key_is_named(project: Project) -> None:
    folder = folder_of("aws/c4.4xlarge", project)
    write_database(folder, record(HASWELL), record(HASWELL | {"mcpu": "skylake", "num-cores": 4}))
    with pytest.raises(FileError, match=r"record.json:2 .* it differs in mcpu, num-cores\."):
        open_database("aws/c4.4xlarge", root=folder.parent, project=project)


def test_record_of_another_kind_is_named(project: Project) -> None:
    folder = folder_of("aws/c4.4xlarge", project)
    write_database(folder, record(JETSON))
    with pytest.raises(FileError, match=r"record.json:1 .* it differs in kind\."):
        open_database("aws/c4.4xlarge", root=folder.parent, project=project)


def test_record_without_a_target_is_named(project: Project) -> None:
    folder = folder_of("aws/c4.4xlarge", project)
    write_database(folder, record(None))
    with pytest.raises(FileError, match=r"record.json:1 .*: they state no target\."):
        open_database("aws/c4.4xlarge", root=folder.parent, project=project)


def test_leaves_with_a_key_are_listed(project: Project) -> None:
    with pytest.raises(ReferenceInvalid) as raised:
        open_database("nvidia/jetson-nano@1.1.0#/hots", project=project)
    assert str(raised.value) == (
        "nvidia/jetson-nano@1.1.0#/hots is not a leaf with a tuning key; those of "
        "nvidia/jetson-nano@1.1.0: nvidia/jetson-nano@1.1.0, nvidia/jetson-nano@1.1.0#/host."
    )
