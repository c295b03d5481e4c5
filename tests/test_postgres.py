import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.postgres import postgres

ROOT = Path(__file__).parent.parent


def folder_of(url: str) -> Path:
    return Path(str(conninfo_to_dict(url)["host"]))


def test_new_server_uses_utf8_and_bytewise_order_and_is_removed() -> None:
    with postgres() as url:
        tree = folder_of(url)
        with psycopg.connect(url) as connection:
            row = connection.execute(
                "SELECT pg_encoding_to_char(encoding), datcollate FROM pg_database"
                " WHERE datname = current_database()"
            ).fetchone()
            assert row == ("UTF8", "C")
            assert connection.info.server_version // 10_000 == 18
    assert not tree.exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)


def test_the_exit_status_of_the_command_is_kept() -> None:
    command = [sys.executable, "-c", "raise SystemExit(7)"]
    result = subprocess.run(
        [sys.executable, "-m", "tests.postgres", "--", *command], cwd=ROOT, check=False
    )
    assert result.returncode == 7


def test_a_terminated_run_stops_its_command_and_its_server() -> None:
    command = "import os, time; print(os.environ['DATABASE_URL'], flush=True); time.sleep(600)"
    with subprocess.Popen(
        [sys.executable, "-m", "tests.postgres", "--", sys.executable, "-c", command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        tree = folder_of(url)
        assert tree.exists()
        process.terminate()
        start = time.monotonic()
        process.wait()
    assert time.monotonic() - start < 60
    assert not tree.exists()
