"""The files of a SQLite database, which only their owner can read."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from registry.database.sqlite.base import COMPANIONS, make_private
from tests.databases import FILE, ROOT, copy_sqlite
from tests.serving import environment_of, run_server, send_request

UMASKS = [0o000, 0o022, 0o077, 0o277]


@pytest.fixture(params=UMASKS, ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    previous = os.umask(request.param)
    yield request.param
    os.umask(previous)


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions of the database files in a folder, by name."""
    paths = folder.glob(f"{FILE}*")
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_a_new_database_is_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / FILE
    make_private(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE t (a)")
        assert modes(tmp_path) == {FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}


@pytest.mark.parametrize("mode", [0o644, 0o666, 0o755, 0o660])
def test_files_of_an_earlier_release_become_private(tmp_path: Path, mode: int) -> None:
    names = [FILE, *(f"{FILE}{ending}" for ending in COMPANIONS)]
    for name in names:
        (tmp_path / name).write_bytes(b"")
        (tmp_path / name).chmod(mode)
    make_private(tmp_path / FILE)
    assert modes(tmp_path) == dict.fromkeys(names, 0o600)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_private_files_stay_as_they_are(tmp_path: Path, mode: int) -> None:
    (tmp_path / FILE).write_bytes(b"x")
    (tmp_path / FILE).chmod(mode)
    make_private(tmp_path / FILE)
    assert modes(tmp_path) == {FILE: mode}
    assert (tmp_path / FILE).read_bytes() == b"x"


def test_a_database_that_cannot_be_created_is_left_to_sqlite(tmp_path: Path) -> None:
    make_private(tmp_path / "missing" / FILE)
    assert list(tmp_path.iterdir()) == []


def test_the_first_command_creates_private_files_in_an_open_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    run(tmp_path, "migrate", "--plan")
    assert set(modes(tmp_path).values()) == {0o600}


@pytest.mark.system
def test_files_of_a_running_server_and_of_a_restored_backup_are_private(tmp_path: Path) -> None:
    served, restored = tmp_path / "served", tmp_path / "restored"
    copy_sqlite(served / FILE)
    (served / FILE).chmod(0o644)
    with run_server(served) as server:
        assert send_request(server.port, "GET", "/readyz").status == 200
        assert modes(served) == {FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}
    backup = tmp_path / "backup.gz"
    run(served, "backup", str(backup))
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    copy_sqlite(restored / FILE)
    (restored / FILE).chmod(0o644)
    run(restored, "restore", str(backup))
    assert set(modes(restored).values()) == {0o600}


def run(folder: Path, *command: str) -> None:
    """Run a command of manage.py with the widest umask."""
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment_of(folder),
        umask=0,
        check=True,
        capture_output=True,
    )
