"""Rows of a backup that release 0.1 wrote, under the names that fields have now."""

from registry.services.operations.archive import Archive
from registry.services.operations.older_backups import rows_with_new_names
from tests.databases import ROOT

BACKUP = ROOT / "tests/releases/0.1/backup.gz"


def test_fields_have_their_new_names_and_the_same_values() -> None:
    old = list(Archive(BACKUP).rows())
    new = list(rows_with_new_names(Archive(BACKUP)))
    assert [row["model"] for row in new] == [row["model"] for row in old]
    turns = [row["fields"] for row in new if row["model"] == "registry.turn"]
    assert turns
    before = [row["fields"] for row in old if row["model"] == "registry.turn"]
    assert [turn["action"] for turn in turns] == [turn["act"] for turn in before]
    assert all("act" not in turn for turn in turns)


def test_other_models_are_as_they_were() -> None:
    renamed = {"registry.turn", "registry.saveddraft"}
    old = [row for row in Archive(BACKUP).rows() if row["model"] not in renamed]
    new = [row for row in rows_with_new_names(Archive(BACKUP)) if row["model"] not in renamed]
    assert new == old
