"""Registries that releases wrote, and their backups, become registries of this release.

`write_release` made the files in a folder, and `expected.json` is what the release said of them.
"""

# Decision 125: only files that the release wrote show that an upgrade reads them.

import gzip
import hashlib
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoDbBlocker

from registry.services.operations.archive import Archive
from registry.services.operations.older_backups import LATER_MIGRATIONS
from tests.databases import FILE, ROOT, connected_to_new_registry, new_registry
from tests.patience import PATIENCE

FOLDER = Path(__file__).parent
BACKUP = FOLDER / "0.1/backup.gz"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "0.1/expected.json").read_text())
LATER_RELEASES = ["0.2"]
SIZE = len(EXPECTED["events"])
REDACTED = b"board-of-a-person"  # before the redaction
Environment = Mapping[str, str]


def run(environment: Environment, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def output(environment: Environment, *arguments: str) -> str:
    result = run(environment, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def state_of(environment: Environment) -> dict[str, Any]:
    """Return what this release says of a registry, in which it has no findings."""
    state: dict[str, Any] = json.loads(output(environment, "-m", "tests.releases.state"))
    return state


def migrated(folder: Path, release: str = "0.1") -> Iterator[Environment]:
    """Yield the database of a release, on SQLite, migrated."""
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    environment.pop("DATABASE_URL", None)
    database = FOLDER / release / "registry.sqlite3.xz"
    (folder / FILE).write_bytes(lzma.decompress(database.read_bytes()))
    output(environment, "manage.py", "migrate", "--verbosity=0")
    yield environment


def restored(folder: Path, release: str = "0.1") -> Iterator[Environment]:
    """Yield the backup of a release, restored on the database of the tests."""
    with new_registry(folder) as environment:
        output(environment, "manage.py", "restore", str(FOLDER / release / "backup.gz"))
        yield environment


# A database that a release wrote is one of SQLite, whatever database other tests use.
WAYS = [restored] if os.environ.get("DATABASE_URL") else [migrated, restored]


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: way.__name__)
def registry(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Environment]:
    way: Callable[[Path], Iterator[Environment]] = request.param
    yield from way(tmp_path_factory.mktemp("registry"))


@pytest.mark.system
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("release", LATER_RELEASES)
def test_registry_of_a_later_release_is_the_same(
    release: str, way: Callable[[Path, str], Iterator[Environment]], tmp_path: Path
) -> None:
    """Its versions, references, kinds, turns, events, leaves and drafts are what it said."""
    expected = json.loads((FOLDER / release / "expected.json").read_text())
    for environment in way(tmp_path, release):
        assert state_of(environment) == expected


@pytest.fixture(scope="module")
def state(registry: Environment) -> dict[str, Any]:
    return state_of(registry)


def test_rows_are_those_of_the_release(state: dict[str, Any]) -> None:
    """Numbers, digests, tuning keys and targets of versions, and what each name resolves to."""
    for part in ("versions", "resolved", "kinds", "turns"):
        assert state[part] == EXPECTED[part], part


def test_events_are_those_of_the_release_and_the_digest_of_what_was_redacted(
    state: dict[str, Any],
) -> None:
    assert state["events"][:SIZE] == EXPECTED["events"]
    ((number, action, subject, actor, detail),) = state["events"][SIZE:]
    assert (number, action, actor) == (SIZE + 1, "version.redacted", "alice")
    assert json.loads(detail) == {"digest": EXPECTED["versions"][subject]["digest"]}


def test_log_has_a_leaf_for_each_event_and_a_signed_checkpoint(state: dict[str, Any]) -> None:
    marked = [[number, True] for number in range(1, SIZE + 1)]
    assert state["leaves"] == [*marked, [SIZE + 1, False]]
    assert state["unstated"] == 0


def test_search_index_is_built(state: dict[str, Any]) -> None:
    assert "acme/board" in state["similar"]


def test_drafts_open_whole(state: dict[str, Any]) -> None:
    drafts = state["drafts"]
    assert drafts.keys() == {"acme/in-fields", "acme/as-json", "acme/waiting"}
    in_fields, as_json, revision = (
        drafts[tag] for tag in ("acme/in-fields", "acme/as-json", "acme/waiting")
    )
    assert all(draft["message"] == "Größe" for draft in drafts.values())
    assert (in_fields["f:/mcpu"], in_fields["role"]) == ("haswell", "kind")
    assert as_json["body"] == '{"kind": "ll'
    board = EXPECTED["versions"]["acme/board@1.0.0"]["target"]
    assert json.loads(revision["body"]) == board
    assert (revision["proposal"], revision["seen"], revision["text"]) == ("2", "1", "Four")


@pytest.mark.parametrize("release", ["0.1", *LATER_RELEASES])
def test_removed_text_is_in_neither_file(release: str) -> None:
    database, backup = FOLDER / release / "registry.sqlite3.xz", FOLDER / release / "backup.gz"
    for content in (lzma.decompress(database.read_bytes()), gzip.decompress(backup.read_bytes())):
        assert b"[redacted]" in content
        assert REDACTED not in content


CHANGE = """
from django.db import connection
connection.cursor().execute("UPDATE registry_turn SET action = 'accept'")
"""


def test_turns_stay_append_only(registry: Environment) -> None:
    refused = run(registry, "manage.py", "shell", "--no-imports", "-c", CHANGE)
    assert "published rows cannot be changed" in refused.stderr


THERE_AND_BACK = """
from django.core.management import call_command
from django.db import connection
call_command("migrate", "registry", "0006", verbosity=0)
for column, table in (("act", "registry_turn"), ("typed", "registry_saveddraft")):
    connection.cursor().execute(f"SELECT {column} FROM {table}")
call_command("migrate", verbosity=0)
"""


@pytest.mark.system
@pytest.mark.parametrize("registry", WAYS[:1], indirect=True)
def test_columns_are_renamed_in_both_directions(
    registry: Environment, state: dict[str, Any]
) -> None:
    output(registry, "manage.py", "shell", "--no-imports", "-c", THERE_AND_BACK)
    assert state_of(registry) == state


def with_header(path: Path, migrations: list[str]) -> Path:
    """Write the backup of 0.1 as if these migrations had been applied, with a valid hash."""
    first, *lines, end = gzip.decompress(BACKUP.read_bytes()).splitlines(keepends=True)
    header = json.loads(first)
    header["migrations"]["registry"] = migrations
    body = b"".join([json.dumps(header).encode() + b"\n", *lines])
    total = json.loads(end) | {"sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(gzip.compress(body + json.dumps(total).encode() + b"\n"))
    return path


@pytest.fixture
def connected(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Connect this process to a registry that commands may write whole."""
    with (
        django_db_blocker.unblock(),
        connected_to_new_registry(tmp_path / "registry", loaded=False),
    ):
        yield


@pytest.mark.usefixtures("connected")
@pytest.mark.parametrize("count", range(1, [*LATER_MIGRATIONS].index("0007_words") + 1))
def test_backups_of_states_since_the_release_are_restored(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until the columns were renamed, backups had the old names."""
    applied = [*Archive(BACKUP).header.migrations["registry"], *[*LATER_MIGRATIONS][:count]]
    call_command("restore", with_header(tmp_path / "backup.gz", applied))
    assert "Restored" in capsys.readouterr().out


@pytest.mark.usefixtures("connected")
def test_backup_of_this_release_with_old_names_is_refused(tmp_path: Path) -> None:
    backup = with_header(tmp_path / "backup.gz", ["0001_initial", *LATER_MIGRATIONS])
    with pytest.raises(CommandError, match=r"turn 1 has the member act, which is unknown"):
        call_command("restore", backup)
