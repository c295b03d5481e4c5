"""Commands that fail because of a damaged row say which row, and what to do."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from registry.domain.errors import Code, Refused
from registry.models import KindRevision, Version
from registry.services.core.damaged_rows import naming_damaged_rows
from registry.services.operations import mirroring
from tests.services.operations.tampering import tamper

pytestmark = pytest.mark.django_db

TAG = "arm/soc"
REMEDY = "`manage.py verify` lists all damaged rows; restore the last backup"

DAMAGES = {
    "source = '{\"kind\": '": r"source is not JSON \(",
    "target = ''": r"target is not JSON \(",
    "target = '[]'": "target is JSON, but not an object",
    "tuning_keys = 'x'": r"tuning_keys is not JSON \(",
    "lineage = '{}'": "lineage is JSON, but not a list",
}


def damage(assignment: str) -> None:
    """Change the row of the tag's version."""
    of_tag = f"(SELECT id FROM registry_tag WHERE text = '{TAG}')"  # noqa: S608 - a constant
    tamper(f"UPDATE registry_version SET {assignment} WHERE tag_id = {of_tag}")  # noqa: S608


def version() -> Version:
    return Version.objects.select_related("tag").get(tag__text=TAG)


def fail() -> None:
    """Fail as reading a damaged row does."""
    raise ValueError("Expecting value: line 1 column 1 (char 0)")


@pytest.mark.parametrize("assignment", DAMAGES)
def test_damaged_version_is_named(assignment: str) -> None:
    damage(assignment)
    row = rf"registry_version {version().pk} \({TAG}@1\.0\.0\): {DAMAGES[assignment]}.*{REMEDY}"
    with pytest.raises(Refused, match=row) as refused, naming_damaged_rows():
        fail()
    assert refused.value.code == Code.INTERNAL
    assert isinstance(refused.value.__cause__, ValueError)


def test_damaged_kind_is_named() -> None:
    revision = KindRevision.objects.get(kind__name="webgpu")
    tamper("UPDATE registry_kindrevision SET source = '' WHERE id = %s", revision.pk)
    with (
        pytest.raises(Refused, match=rf"registry_kindrevision {revision.pk} \(.*\): source is"),
        naming_damaged_rows(),
    ):
        fail()


@pytest.mark.parametrize("error", [ValueError("a"), KeyError("b"), TypeError("c")])
def test_error_that_no_row_explains_is_raised_as_it_is(error: Exception) -> None:
    with pytest.raises(type(error)) as raised, naming_damaged_rows():
        raise error
    assert raised.value is error


def test_refusals_are_not_explained_by_a_damaged_row() -> None:
    damage("target = ''")
    with pytest.raises(Refused, match="Later") as refused, naming_damaged_rows():
        raise Refused(Code.BUSY, "Later.")
    assert refused.value.code == Code.BUSY


def test_nothing_is_read_without_an_error() -> None:
    damage("target = ''")
    with naming_damaged_rows():
        pass


@pytest.mark.parametrize(
    ("assignment", "command"),
    [
        ("tuning_keys = 'x'", "write_mirror"),
        ("lineage = ''", "write_mirror"),
        ("source = ''", "load_catalogue"),
    ],
)
def test_commands_end_with_a_sentence(assignment: str, command: str, tmp_path: Path) -> None:
    damage(assignment)
    arguments = [str(tmp_path / "m"), "--address", "https://registry.example"]
    with pytest.raises(CommandError, match=rf"registry_version {version().pk} .*verify"):
        call_command(command, *(arguments if command == "write_mirror" else ()))


def test_formats_of_a_damaged_target_end_with_a_sentence(tmp_path: Path) -> None:
    damage("target = '{'")
    forms = mirroring.writable_formats()
    with pytest.raises(Refused, match=f"{TAG}@1.0.0.*target is not JSON"):
        mirroring.write_mirror(
            tmp_path / "m", address="https://registry.example", forms=[forms["tvm"]]
        )


if connection.vendor == "sqlite":  # whose columns take any type

    def test_number_that_is_a_text_is_named(tmp_path: Path) -> None:
        damage("patch = 'x'")
        with pytest.raises(Refused, match="patch is no number"):
            mirroring.write_mirror(tmp_path / "m", address="https://registry.example")
