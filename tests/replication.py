"""A standby of a temporary PostgreSQL server, which can take its place."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg

from tests.postgres import Cluster

READ_WRITE = "&target_session_attrs=read-write"  # libpq tries the hosts in turn


@contextmanager
def run_standby(primary: Cluster, *, is_synchronous: bool = False) -> Iterator[Cluster]:
    """Run a standby below the folder of a server; if synchronous, commits wait for it."""
    server = replace(primary, tree=primary.tree / "standby")
    server.tree.mkdir(mode=0o700)
    if owner := primary.user:
        os.chown(server.tree, owner["user"], owner["group"])
    command = [
        *(f"{server.programs}/pg_basebackup", f"--host={primary.tree}", "--username=postgres"),
        *(f"--pgdata={server.tree}/data", "--checkpoint=fast", "--write-recovery-conf"),
    ]
    subprocess.run(command, cwd=server.tree, check=True, **server.user)
    with (server.tree / "data" / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"unix_socket_directories = '{server.tree}'\n")
    server.start()
    try:
        if is_synchronous:
            configure(primary, "SET synchronous_standby_names = 'FIRST 1 (walreceiver)'")
        yield server
    finally:
        server.stop()


def promote(standby: Cluster) -> None:
    """Make a primary of a standby, whose commits then wait for no other server."""
    standby.promote()
    configure(standby, "RESET synchronous_standby_names")


def configure(server: Cluster, change: str) -> None:
    """Change a setting of a running server, as `ALTER SYSTEM` does."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM {change}".encode())
        connection.execute("SELECT pg_reload_conf()")


def url_of(*servers: Cluster, options: str = "") -> str:
    """Return the URL that names several servers."""
    hosts = ",".join(str(server.tree) for server in servers)
    return f"postgres://postgres@/postgres?host={hosts}{options}"


def kill(server: Cluster) -> None:
    """Kill all processes of a server at once, stopped ones too."""
    for process in server.processes():
        os.kill(process, signal.SIGKILL)
