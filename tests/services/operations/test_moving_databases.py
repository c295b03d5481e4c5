"""Moving a registry to another database and back, with commands in separate processes."""

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.db import connection

from tests.commands import Commands, commands_in
from tests.databases import FILE, copy_sqlite, new_registry
from tests.patience import PATIENCE
from tests.services.operations.populate import PASSWORD

Environment = Mapping[str, str]


def rows(path: Path) -> list[str]:
    """Return an archive's lines without its time and hash."""
    first, *lines, end = gzip.decompress(path.read_bytes()).decode().splitlines()
    header = json.loads(first)
    del header["created"]
    return [json.dumps(header), *lines, str(json.loads(end)["rows"])]


def sqlite(folder: Path) -> dict[str, str]:
    """Return the environment of an empty, migrated registry on SQLite."""
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    environment.pop("DATABASE_URL", None)
    copy_sqlite(folder / FILE)
    return environment


POPULATE = "from tests.services.operations import populate; populate.main()"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    """Run commands in a registry on SQLite."""
    with commands_in(sqlite(tmp_path_factory.mktemp("source"))) as commands:
        yield commands


@pytest.fixture(scope="module")
def token(source: Commands) -> str:
    """Fill every table of the source; return a token that publishes in acme."""
    return evaluate(source, POPULATE)


@pytest.fixture(scope="module")
def backup(source: Commands, token: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("backup") / "backup.gz"
    assert "Backed up" in source.output("backup", str(path))
    return path


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """Yield the environment of an empty registry on the database of the tests."""
    with new_registry(tmp_path_factory.mktemp("target")) as environment:
        yield environment


@pytest.fixture(scope="module")
def target(moved: Environment, backup: Path) -> Iterator[Commands]:
    """Restore the backup to the database of the tests; run commands there."""
    with commands_in(moved) as commands:
        assert "Restored" in commands.output("restore", str(backup))
        yield commands


@pytest.fixture(scope="module")
def second_backup(target: Commands, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("second") / "backup.gz"
    target.output("backup", str(path))
    return path


def evaluate(commands: Commands, program: str) -> str:
    """Return what a program prints."""
    return commands.output("shell", "--no-imports", "-c", program)


def test_backup_has_rows_of_every_model(backup: Path) -> None:
    header = json.loads(gzip.decompress(backup.read_bytes()).splitlines()[0])
    assert all(header["counts"].values()), header["counts"]


COUNT_NEWS = """
from registry.models import Notice, NoticeMail, WebhookDelivery
from registry.services.notices import reader
from registry.services.webhooks import events
unread = [reader.has_unread_events(), events.has_unread_events()]
print(unread, Notice.objects.count(), NoticeMail.objects.count(), WebhookDelivery.objects.count())
"""


def test_restored_registry_tells_no_old_news(source: Commands, target: Commands) -> None:
    """What was news when the backup was made was told then, or is too old."""
    assert evaluate(target, COUNT_NEWS) == "[False, False] 1 0 0\n"
    assert evaluate(source, COUNT_NEWS).startswith("[True, True]"), "there was some to tell"


def test_backup_of_a_restored_registry_is_equal(
    backup: Path, second_backup: Path, tmp_path: Path
) -> None:
    assert rows(second_backup) == rows(backup)
    if connection.vendor == "postgresql":  # and back to SQLite
        third_backup = tmp_path / "third.gz"
        with commands_in(sqlite(tmp_path / "sqlite")) as commands:
            commands.output("restore", str(second_backup))
            commands.output("backup", str(third_backup))
        assert rows(third_backup) == rows(backup)


@pytest.mark.any_database
def test_backup_can_go_to_standard_output(source: Commands, backup: Path, tmp_path: Path) -> None:
    path = tmp_path / "piped.gz"
    path.write_bytes(source.run("backup", "-").written)
    assert rows(path) == rows(backup)


INSPECT = f"""
from django.contrib.auth import authenticate
from registry.models import *
from registry.services.accounts import tokens
from registry.services.search import near_names
import json
alice = authenticate(username="alice", password={PASSWORD!r})
print(json.dumps({{
    "user": alice.username,
    "token": tokens.authenticate(TOKEN).user.username,
    "groups": sorted(alice.groups.values_list("name", flat=True)),
    "has_perm": alice.has_perm("registry.view_event"),
    "similar": near_names.similar_tags("acme/linne")[0],
    "values": Attribute.objects.filter(name="num-cores").count(),
}}))
"""


def test_accounts_tokens_and_search_work_after_moving(target: Commands, token: str) -> None:
    state = json.loads(evaluate(target, f"TOKEN = {token!r}\n{INSPECT}"))
    assert state == {
        "user": "alice",
        "token": "alice",
        "groups": ["reviewers"],
        "has_perm": True,
        "similar": "acme/line",
        "values": 6,
    }


def test_log_goes_on_after_moving(source: Commands, target: Commands) -> None:
    """The tree is the same on both databases, and so is the signature with the same key."""
    assert target.output("log", "show") == source.output("log", "show")


CHANGE = """
from django.db import connection
connection.cursor().execute("UPDATE registry_version SET message = 'other'")
"""


@pytest.mark.system
def test_moved_registry_accepts_new_rows_but_no_changes(target: Commands) -> None:
    """New primary keys, the event log and the triggers work."""
    refused = target.run("shell", "--no-imports", "-c", CHANGE)
    assert "published rows cannot be changed" in refused.stderr
    target.output("bootstrap", "carol", "hooli")
    target.output("load_catalogue")
    assert "no findings" in target.output("verify")
    failed = target.run("restore", "nowhere.gz")
    assert failed.returncode == 1
    assert "nowhere.gz cannot be read" in failed.stderr


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Commands]:
    with new_registry(tmp_path / "empty") as environment, commands_in(environment) as commands:
        yield commands


def altered(path: Path, folder: Path, old: bytes, new: bytes) -> Path:
    """Return a backup with another text in some rows, and a valid hash."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    body = [line.replace(old, new) for line in lines]
    assert body != lines
    end = {"rows": len(lines) - 2, "sha256": hashlib.sha256(b"".join(body[:-1])).hexdigest()}
    changed = folder / "altered.gz"
    changed.write_bytes(gzip.compress(b"".join([*body[:-1], json.dumps(end).encode() + b"\n"])))
    return changed


def test_backup_with_findings_is_restored_only_on_request(
    backup: Path, empty: Commands, tmp_path: Path
) -> None:
    haswell, hasvell = rb"\"mcpu\":\"haswell\"", rb"\"mcpu\":\"hasvell\""
    path = altered(backup, tmp_path, haswell, hasvell)  # does not match its digest
    refused = empty.run("restore", str(path))
    assert refused.returncode == 1
    assert "failed verification" in refused.stderr
    assert "digest is sha256:" in refused.stderr
    count = "from registry.models import *; print(User.objects.count(), Version.objects.count())"
    assert evaluate(empty, count).split() == ["0", "0"]
    restored = empty.run("restore", "--despite-findings", str(path))
    assert restored.returncode == 1
    assert "digest is sha256:" in restored.stdout
    assert evaluate(empty, count).split()[0] == "2"


@pytest.mark.any_database
def test_backup_with_a_broken_line_of_release_0_1_is_restored(
    backup: Path, empty: Commands, tmp_path: Path
) -> None:
    """Two yanks, each undone while the other stood, could leave one."""
    state, undone = b'"yanked": true, "reason": "no such host"', b'"yanked": false, "reason": "x"'
    restored = empty.output("restore", str(altered(backup, tmp_path, state, undone)))
    assert "acme/line@1.2.0: it lacks tuning records: tk1:" in restored
    failed = empty.run("verify", "--quiet")
    assert failed.returncode == 1
    assert "expected those of acme/line@1.1.0; yank one of the two" in failed.stdout


@pytest.mark.system
def test_backup_is_consistent_during_writes(
    moved: Environment, target: Commands, tmp_path: Path
) -> None:
    path = tmp_path / "backup.gz"
    writer = [sys.executable, "-m", "tests.services.operations.concurrent_writer", str(path)]
    result = subprocess.run(
        writer, env=moved, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert result.stdout.split("\n")[0].startswith("Account bob"), result.stderr
    text = gzip.decompress(path.read_bytes()).decode()
    assert "alice" in text
    assert "bob" not in text
    assert "globex" not in text
