"""The commands of docs/postgresql.md, in their order, on two servers, beside a registry."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.docs import markdown
from tests.patience import PATIENCE
from tests.postgres import Cluster, cluster
from tests.serving import (
    ROOT,
    Server,
    create_token,
    environment_of,
    publish,
    run_server,
    send_request,
)

NAME = "docs/postgresql.md"
MACHINE = re.compile(r"# on (db[12])\n")
VARIABLES = {
    "SECRET_KEY": "for these tests only",
    "REGISTRY_LOG_KEY": "A" * 43 + "=",
    "REGISTRY_CATALOGUE": "basic",
}


@dataclass
class Machines:
    """Two machines that share a disk: the data and the socket of each are below its name."""

    primary: Cluster
    log: str = ""

    def folder(self, name: str) -> Path:
        return self.primary.tree / name

    def run(self, title: str, *, replace: tuple[str, str] = ("", "")) -> None:
        """Run the commands of a section; each block names its machine."""
        for block in markdown.section(NAME, title).blocks:
            if block.language == "bash":
                machine = MACHINE.match(block.text)
                assert machine, block.text
                for command in block.text.splitlines()[1:]:
                    self._run(machine[1], command.replace(*replace) if replace[0] else command)

    def _run(self, machine: str, command: str) -> None:
        if command.startswith("pg_ctl start"):
            self._give_socket(machine, command)
        for name in ("db1", "db2"):
            command = command.replace(f"{name}.example.org", str(self.folder(name)))
        command = command.replace("/var/lib/postgresql", str(self.folder(machine)))
        command = command.replace("/var/backups", str(self.folder("backups")))
        variables = {"PGHOST": str(self.folder(machine)), "PGUSER": "postgres"}
        path = f"{self.primary.programs}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", f"set -e; {command}"],
            cwd=self.primary.tree,
            env=variables | {"PATH": path, "PGDATABASE": "postgres"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if command.startswith("psql") else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if command.startswith("psql") else None,
            timeout=PATIENCE,
            check=False,
            **self.primary.user,
        )
        log = self.folder(machine) / "log"
        assert done.returncode == 0, (
            command,
            done.stdout,
            log.exists() and log.read_text()[-2000:],
        )
        self.log += f"{command}\n{(done.stdout or b'').decode()}"

    def _give_socket(self, machine: str, command: str) -> None:
        """Let a copy of another server's data listen in the folder of this machine."""
        data = re.search(r"--pgdata=/var/lib/postgresql/(\w+)", command)
        assert data
        with (self.folder(machine) / data[1] / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"unix_socket_directories = '{self.folder(machine)}'\n")

    def url(self, *names: str, options: str = "") -> str:
        hosts = ",".join(str(self.folder(name)) for name in names)
        return f"postgres://postgres@/postgres?host={hosts}{options}"

    def stop_all(self) -> None:
        for name, data in (("db1", "main"), ("db2", "main"), ("db1", "recovered")):
            with suppress(AssertionError):
                self._run(name, f"pg_ctl stop --mode=immediate --pgdata=/var/lib/postgresql/{data}")


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    """Start the server of db1."""
    with cluster({"wal_log_hints": "on"}) as server:
        server.stop("fast")
        machines = Machines(server)
        for folder in ("db1", "db2", "backups", "backups/wal"):
            machines.folder(folder).mkdir(mode=0o700)
            if server.user:
                os.chown(machines.folder(folder), server.user["user"], server.user["group"])
        (server.tree / "data").rename(machines.folder("db1") / "main")
        machines._run("db1", "pg_ctl start --silent --wait --pgdata=/var/lib/postgresql/main")
        try:
            yield machines
        finally:
            machines.stop_all()


def eventually(condition: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, what
        time.sleep(0.1)
    return value


def value(url: str, statement: str) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(statement.encode()).fetchone()
    return row and row[0]


@contextmanager
def registry(folder: Path, url: str) -> Iterator[Server]:
    folder.mkdir(exist_ok=True)
    with run_server(folder, VARIABLES | {"DATABASE_URL": url}) as server:
        yield server


def manage(folder: Path, url: str, *arguments: str) -> str:
    environment = environment_of(folder) | VARIABLES | {"DATABASE_URL": url}
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def answers(server: Server, path: str) -> bool:
    return status(server, path) == 200


def status(server: Server, path: str) -> int:
    return send_request(server.port, "GET", path).status


def test_two_servers_and_a_way_back(machines: Machines, tmp_path: Path) -> None:
    one = machines.url("db1")
    two = machines.url("db2")
    both = machines.url("db1", "db2", options="&target_session_attrs=read-write")
    assert not manage(tmp_path, one, "migrate", "--verbosity", "0")
    manage(tmp_path, one, "load_catalogue")
    environment = environment_of(tmp_path) | VARIABLES | {"DATABASE_URL": one}
    token = create_token(environment, "publish", "admin")

    machines.run("Archive the write-ahead log")
    machines.run("A standby")
    assert machines.log.split("SELECT pg_is_in_recovery()")[1].split()[1] == "t"

    with (
        registry(tmp_path / "primary", both) as server,
        registry(tmp_path / "standby", two) as reader,
    ):
        assert publish(server, token, "acme/before")[0] == 201
        eventually(lambda: status(reader, "/api/v1/resolve/acme/before") == 200, "it is replicated")
        assert publish(reader, token, "acme/nowhere") == (503, "READ_ONLY")
        assert status(reader, "/healthz") == 200

        moment = datetime.now(UTC)
        time.sleep(1)
        assert publish(server, token, "acme/later")[0] == 201
        segment = value(one, "SELECT pg_walfile_name(pg_switch_wal())")
        last = "SELECT last_archived_wal FROM pg_stat_archiver"
        eventually(lambda: value(one, last) >= segment, "it is archived")

        machines.run("Fail over")
        eventually(lambda: publish(server, token, "acme/after")[0] in (201, 412), "it is promoted")
        for tag in ("before", "later", "after"):
            path = f"/api/v1/resolve/acme/{tag}"
            eventually(partial(answers, server, path), tag)
        eventually(lambda: status(server, "/readyz") == 200, "the log lacks no event")
    assert value(one, "SELECT pg_is_in_recovery()")
    follows = "SELECT count(*) FROM registry_tag WHERE text = 'acme/after'"
    eventually(lambda: value(one, follows) == 1, "the old primary follows the new one")
    streams = "SELECT slot_name FROM pg_replication_slots WHERE active"
    eventually(lambda: value(two, streams) == "db1", "by its slot")
    assert not manage(tmp_path, both, "verify", "--quiet")

    machines.run("Go back in time", replace=("2026-11-27 12:00:00+00", f"{moment:%F %T.%f+00}"))
    eventually(lambda: value(one, "SELECT NOT pg_is_in_recovery()"), "it has reached the moment")
    names = "SELECT string_agg(text, ' ' ORDER BY text) FROM registry_tag WHERE text LIKE 'acme/%'"
    assert value(one, names) == "acme/before"
    assert not manage(tmp_path, one, "verify", "--quiet")
    with registry(tmp_path / "primary", one) as restored:
        refusal = send_request(restored.port, "GET", "/readyz")
    assert refusal.status == 503
    assert b"are missing, for which a checkpoint was signed" in refusal.body
