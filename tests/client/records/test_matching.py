"""Records of versions that were published before a kind was revised."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.client.records import HASWELL, record, write_database
from ttag import Project
from ttag.records import Database, Leaf, database_for
from ttag.records.leaves import leaves_of
from ttag.records.matching import match_records

EARLIER = f"tk1:{'0' * 64}"  # the key that the version was published with
REFERENCE = "aws/c4.4xlarge@1.1.0"


@pytest.fixture
def project(registry: str, tmp_path: Path) -> Project:
    environment = {"TTAG_REGISTRY": registry, "TTAG_CACHE": str(tmp_path / "cache")}
    return Project.open(tmp_path, environment=environment)


@pytest.fixture
def earlier(project: Project) -> Leaf:
    """A leaf whose kind had no default for `opt-level` when it was published."""
    (leaf,) = leaves_of(REFERENCE, project)
    options = {name: value for name, value in leaf.options.items() if name != "opt-level"}
    return replace(leaf, key=EARLIER, options=options)


def test_records_apply_by_the_key_of_today(project: Project, earlier: Leaf, tmp_path: Path) -> None:
    database = Database.read(write_database(tmp_path / "db", record(HASWELL)))
    (match,) = match_records(database, [earlier], REFERENCE, project)
    assert match.leaves == (earlier,)


def test_records_in_the_folder_of_the_earlier_key_apply(
    project: Project, earlier: Leaf, tmp_path: Path
) -> None:
    folder = write_database(database_for(EARLIER, tmp_path), record(HASWELL))
    (match,) = match_records(Database.read(folder), [earlier], REFERENCE, project)
    assert (match.key, match.leaves) == (EARLIER, (earlier,))


def test_other_records_still_do_not_apply(project: Project, earlier: Leaf, tmp_path: Path) -> None:
    database = Database.read(write_database(tmp_path / "db", record(HASWELL | {"num-cores": 4})))
    (match,) = match_records(database, [earlier], REFERENCE, project)
    assert match.leaves == ()
    assert "num-cores" in {difference.option for difference in match.differences}
