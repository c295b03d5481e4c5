"""Moving a registry to another database and back, by running the commands as processes."""

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

from tests.databases import FILE, copy_sqlite, new_registry
from tests.services.operations.populate import PASSWORD

Environment = Mapping[str, str]


def run(environment: Environment, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def manage(environment: Environment, *words: str) -> str:
    done = run(environment, "manage.py", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def rows(path: Path) -> list[str]:
    """Return an archive's lines without its time and hash."""
    first, *lines, end = gzip.decompress(path.read_bytes()).decode().splitlines()
    header = json.loads(first)
    del header["created"]
    return [json.dumps(header), *lines, str(json.loads(end)["rows"])]


def sqlite(folder: Path) -> dict[str, str]:
    """Yield the environment of an empty, migrated registry on SQLite."""
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    environment.pop("DATABASE_URL", None)
    copy_sqlite(folder / FILE)
    return environment


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A registry on SQLite with something in every table; `TOKEN` publishes in acme."""
    environment = sqlite(tmp_path_factory.mktemp("source"))
    done = run(environment, "-m", "tests.services.operations.populate")
    assert done.returncode == 0, done.stderr
    return {**environment, "TOKEN": done.stdout}


@pytest.fixture(scope="module")
def backup(source: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("backup") / "backup.gz"
    assert "Backed up" in manage(source, "backup", str(path))
    return path


@pytest.fixture(scope="module")
def target(backup: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """The same registry on the database that the tests run on; its own backup is at `BACKUP`."""
    with new_registry(tmp_path_factory.mktemp("target")) as environment:
        assert "Restored" in manage(environment, "restore", str(backup))
        there = tmp_path_factory.mktemp("there") / "backup.gz"
        manage(environment, "backup", str(there))
        yield {**environment, "BACKUP": str(there)}


def test_backup_has_rows_of_every_model(backup: Path) -> None:
    header = json.loads(gzip.decompress(backup.read_bytes()).splitlines()[0])
    assert all(header["counts"].values()), header["counts"]


def test_backup_of_a_restored_registry_is_equal(
    backup: Path, target: Environment, tmp_path: Path
) -> None:
    there, back = Path(target["BACKUP"]), tmp_path / "back.gz"
    assert rows(there) == rows(backup)
    if connection.vendor == "postgresql":  # and back again
        home = sqlite(tmp_path / "home")
        manage(home, "restore", str(there))
        manage(home, "backup", str(back))
        assert rows(back) == rows(backup)


def test_backup_can_go_to_standard_output(
    source: Environment, backup: Path, tmp_path: Path
) -> None:
    path = tmp_path / "piped.gz"
    with path.open("wb") as out:
        command = [sys.executable, "manage.py", "backup", "-"]
        subprocess.run(command, env=source, stdout=out, check=True, timeout=60)
    assert rows(path) == rows(backup)


LOOK = f"""
from django.contrib.auth import authenticate
from registry.models import *
from registry.services.accounts import tokens
from registry.services.search import name_index
import os, json
alice = authenticate(username="alice", password={PASSWORD!r})
print(json.dumps({{
    "signs in": alice.username,
    "token": tokens.authenticate(os.environ["TOKEN"]).user.username,
    "groups": sorted(alice.groups.values_list("name", flat=True)),
    "may": alice.has_perm("registry.view_event"),
    "near": name_index.similar_tags("acme/bord"),
    "values": Attribute.objects.filter(name="num-cores").count(),
}}))
"""


def test_accounts_tokens_and_search_work_after_moving(
    source: Environment, target: Environment
) -> None:
    environment = {**target, "TOKEN": source["TOKEN"]}
    found = json.loads(run(environment, "manage.py", "shell", "--no-imports", "-c", LOOK).stdout)
    assert found == {
        "signs in": "alice",
        "token": "alice",
        "groups": ["reviewers"],
        "may": True,
        "near": ["acme/board"],
        "values": 6,
    }


CHANGE = """
from django.db import connection
connection.cursor().execute("UPDATE registry_version SET message = 'other'")
"""


def test_moved_registry_accepts_new_rows_but_no_changes(target: Environment) -> None:
    """Check new primary keys, the event log and the triggers."""
    refused = run(target, "manage.py", "shell", "--no-imports", "-c", CHANGE)
    assert "what is published is never changed" in refused.stderr
    manage(target, "bootstrap", "carol", "hooli")
    manage(target, "load_catalogue")
    assert "no findings" in manage(target, "verify")
    again = run(target, "manage.py", "restore", "nowhere.gz")
    assert again.returncode == 1
    assert "nowhere.gz cannot be read" in again.stderr


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Environment]:
    with new_registry(tmp_path / "empty") as environment:
        yield environment


def damaged(path: Path, folder: Path) -> Path:
    """Return a backup with a target that does not match its digest, and a valid hash."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    body = [
        line.replace(b'\\"mcpu\\":\\"haswell\\"', b'\\"mcpu\\":\\"hasvell\\"') for line in lines
    ]
    assert body != lines
    end = {"rows": len(lines) - 2, "sha256": hashlib.sha256(b"".join(body[:-1])).hexdigest()}
    changed = folder / "damaged.gz"
    changed.write_bytes(gzip.compress(b"".join([*body[:-1], json.dumps(end).encode() + b"\n"])))
    return changed


def test_backup_with_findings_is_restored_only_on_request(
    backup: Path, empty: Environment, tmp_path: Path
) -> None:
    path = damaged(backup, tmp_path)
    refused = run(empty, "manage.py", "restore", str(path))
    assert refused.returncode == 1
    assert "does not verify" in refused.stderr
    assert "digest is sha256:" in refused.stderr
    count = "from registry.models import *; print(User.objects.count(), Version.objects.count())"
    assert manage(empty, "shell", "--no-imports", "-c", count).split() == ["0", "0"]
    kept = run(empty, "manage.py", "restore", "--despite-findings", str(path))
    assert kept.returncode == 1
    assert "digest is sha256:" in kept.stdout
    assert manage(empty, "shell", "--no-imports", "-c", count).split()[0] == "1"


def test_backup_is_consistent_during_writes(target: Environment, tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    said = run(target, "-m", "tests.services.operations.concurrent_writer", str(path))
    assert said.stdout.split("\n")[0].startswith("Account bob"), said.stderr
    text = gzip.decompress(path.read_bytes()).decode()
    assert "alice" in text
    assert "bob" not in text
    assert "initech" not in text
