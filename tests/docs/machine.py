"""A machine for docs/operating.md: its folders in a scratch tree, its databases on a PostgreSQL
that lives as long, its commands executed as they are written."""

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

from tests.docs.markdown import ROOT
from tests.postgres import postgres

CODE = ("manage.py", "registry", "static", "templates", "docs", "requirements.txt")
DATABASES = ("registry", "registry_new", "registry_moved")
FOLDER = re.compile(r"/(?=(opt|etc|var/lib)/)")
DATABASE = re.compile(r"postgres://registry:…@db\.example\.org/(\w+)")
HOME = "opt/target-tag-registry"
SETTINGS = "etc/target-tag-registry/environment"


@dataclass(frozen=True)
class Machine:
    """Where the folders of the document are, and how its databases are reached."""

    tree: Path
    server: str

    def here(self, text: str) -> str:
        """What the document writes, with what stands for it here."""
        text = FOLDER.sub(f"{self.tree}/", text)
        return DATABASE.sub(lambda match: self.database(match[1]), text)

    def database(self, name: str) -> str:
        """The URL of a database."""
        return urlsplit(self.server)._replace(path=f"/{name}").geturl()

    def run(self, script: str) -> str:
        """Everything that a block's commands write; a failing one fails."""
        done = subprocess.run(
            ["sh", "-eu", "-c", self.here(script)],
            cwd=self.tree,
            env={"PATH": os.environ["PATH"]},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}"
        return done.stdout


@contextmanager
def machine(tree: Path, settings: str) -> Iterator[Machine]:
    """A machine on which the registry is installed, with the settings that the document shows."""
    with postgres() as server:
        with psycopg.connect(server, autocommit=True) as administrator:
            for name in DATABASES:
                administrator.execute(f'CREATE DATABASE "{name}"')
        made = Machine(tree, server)
        install(tree)
        filled = made.here(settings).replace("SECRET_KEY=…", f"SECRET_KEY={secrets.token_hex(32)}")
        assert "…" not in filled
        path = tree / SETTINGS
        path.parent.mkdir(parents=True)
        path.write_text(filled)
        yield made


def install(tree: Path) -> None:
    """The code, and an environment whose programs are those that run the tests."""
    home, programs = tree / HOME, tree / HOME / ".venv/bin"
    programs.mkdir(parents=True)
    for name in CODE:
        (home / name).symlink_to(ROOT / name)
    for name in ("python", "granian"):
        program = Path(sys.executable).with_name(name)
        (programs / name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
        (programs / name).chmod(0o755)
    for folder in ("target-tag-registry", "target-tag-registry-backups", "from-sqlite"):
        (tree / "var/lib" / folder).mkdir(parents=True)


def alike(shown: str, found: str) -> bool:
    """Whether an output is as shown. `…` stands for any text; alone, for any number of lines."""
    lines = []
    for line in shown.splitlines():
        pattern = ".*".join(map(re.escape, line.split("…")))
        lines.append(r"(?:.*\n)*" if line == "…" else f"{pattern}\n")
    return bool(re.fullmatch("".join(lines), found))
