"""A simulated machine on which the commands of docs/operating.md run.

Its folders are in a temporary tree, its databases on a temporary PostgreSQL server.
"""

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.databases import FILE, LOG_KEY, copy_sqlite
from tests.docs.markdown import ROOT
from tests.patience import PATIENCE
from tests.postgres import postgres

CODE = (
    *("manage.py", "client", "registry", "static", "templates", "docs", "CHANGELOG.md", "LICENSE"),
    "requirements.txt",
)
FOLDER = re.compile(r"/(?=(opt|etc|var/lib|var/cache)/)")
DATABASE = re.compile(r"postgres://registry:…@db\.example\.org/(\w+)")
HOME = "opt/target-tag-registry"
SETTINGS = "etc/target-tag-registry/environment"


@dataclass(frozen=True)
class Machine:
    """The root of the temporary tree, and the URL of the PostgreSQL server."""

    tree: Path
    server: str

    def translate(self, text: str) -> str:
        """Return the text with the paths and database URLs of the document replaced."""
        text = FOLDER.sub(f"{self.tree}/", text)
        return DATABASE.sub(lambda match: self.database(match[1]), text)

    def database(self, name: str) -> str:
        """Return the URL of a database."""
        return urlsplit(self.server)._replace(path=f"/{name}").geturl()

    def run(self, script: str) -> str:
        """Run a block of commands and return their output. Fail if one of them fails."""
        done = subprocess.run(
            ["sh", "-eu", "-c", self.translate(script)],
            cwd=self.tree,
            env={"PATH": os.environ["PATH"]},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}"
        return done.stdout


@contextmanager
def running_machine(tree: Path, settings: str) -> Iterator[Machine]:
    """Yield a machine with an installed registry and the settings of the document.

    The first database is empty. The others are migrated already: migrating an empty one takes five
    seconds, and the commands of the document do so with the first.
    """
    with postgres() as server:
        with psycopg.connect(server, autocommit=True) as administrator:
            administrator.execute('CREATE DATABASE "registry"')
            administrator.execute('CREATE DATABASE "registry_new"')
            instance = Machine(tree, server)
            migrate(instance.database("registry_new"))
            administrator.execute('CREATE DATABASE "registry_moved" TEMPLATE "registry_new"')
        install_registry(tree)
        copy_sqlite(tree / "var/lib/from-sqlite" / FILE)
        keys = {"SECRET_KEY": secrets.token_hex(32), "REGISTRY_LOG_KEY": LOG_KEY}
        filled = instance.translate(settings)
        for name, key in keys.items():
            filled = filled.replace(f"{name}=…", f"{name}={key}")
        assert "…" not in filled
        path = tree / SETTINGS
        path.parent.mkdir(parents=True)
        path.write_text(f"{filled.rstrip()}\nREGISTRY_CATALOGUE=basic\n")  # as other tests
        yield instance


def migrate(url: str) -> None:
    """Migrate a database as the tests do."""
    environment = os.environ | {"DATABASE_URL": url, "SECRET_KEY": secrets.token_hex(32)}
    command = [sys.executable, "-m", "tests.databases", "migrated"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=PATIENCE)


def install_registry(tree: Path) -> None:
    """Install the code, and an environment with the Python that runs the tests."""
    home, programs = tree / HOME, tree / HOME / ".venv/bin"
    programs.mkdir(parents=True)
    for name in CODE:
        (home / name).symlink_to(ROOT / name)
    python = programs / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    for folder in ("target-tag-registry", "target-tag-registry-backups", "from-sqlite"):
        (tree / "var/lib" / folder).mkdir(parents=True)
    (tree / "var/cache/target-tag-registry-mirror").mkdir(parents=True)


def output_matches(expected: str, actual: str) -> bool:
    """Return whether an output matches. `…` matches any text; on its own line, any lines."""
    lines = []
    for line in expected.splitlines():
        pattern = ".*".join(map(re.escape, line.split("…")))
        lines.append(r"(?:.*\n)*" if line == "…" else f"{pattern}\n")
    return bool(re.fullmatch("".join(lines), actual))
