"""Databases for tests, copied from templates that are migrated and loaded once.

They hold the hand-written part of the catalogue, or a few tags of it, for tests that do something
with each.

On SQLite the templates are files below REGISTRY_VAR, reused until code, catalogue or requirements
change; on PostgreSQL they are template databases on the server of DATABASE_URL.
"""

# Decision 048: tests share one loaded database, which is copied.
# Decision 176: or a small one, if they do something with each tag.

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal
from unittest import mock
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg

from tests.built_once import built_once
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
UNRELATED = {"actions", "admin", "api", "http", "management", "web"}
FEW = frozenset({"arm/soc", "arm/soc:aot", "micro/aot"})
Loaded = bool | Literal["few"]  # whether the shipped tags are in a database, or only FEW of them
STEPS: dict[Loaded, str] = {False: "migrated", "few": "few", True: "loaded"}
LOCK_ID = 0x7461726765740002  # arbitrary, other than that of services/core/transactions.py
FILE = "registry.sqlite3"  # as in the settings
LOG_KEY = "dGhlIHByaXZhdGUga2V5IG9mIGFsbCB0aGUgdGVzdHM="  # whose public half the templates have
os.environ["REGISTRY_LOG_KEY"] = LOG_KEY  # for the processes that tests start


@cache
def key() -> str:
    """Return a digest of all files that affect the templates."""
    digest = hashlib.sha256(sys.version.encode())
    registry = ROOT / "registry"
    sources = (
        path
        for path in registry.rglob("*")
        if path.suffix in {".py", ".json"} and _affects_rows(path.relative_to(registry))
    )
    for path in sorted([Path(__file__), ROOT / "requirements.txt", *sources]):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _affects_rows(path: Path) -> bool:
    """Return whether a file of the registry affects the rows of a template."""
    first, *others = path.parts
    return first not in UNRELATED and not (
        first == "catalogue" and others[0] in {"facts", "generated"}
    )


def copy_sqlite(path: Path, *, loaded: Loaded = False) -> None:
    """Copy a migrated SQLite database to `path`, with the shipped catalogue if `loaded`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = built_once("databases", key(), _create_files)
    shutil.copyfile(folder / f"{STEPS[loaded]}.sqlite3", path)


@contextmanager
def postgresql_copy(*, loaded: Loaded = False) -> Iterator[str]:
    """Yield the URL of a migrated database on the server of DATABASE_URL; drop it at the end."""
    server = os.environ["DATABASE_URL"]
    name = f"test-{uuid4().hex}"  # processes that run tests at the same time share the server
    with psycopg.connect(server, autocommit=True) as administrator:
        template = _template_database(administrator, loaded=loaded)
        administrator.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield _url(name)
        finally:
            administrator.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def new_registry(folder: Path, *, loaded: Loaded = False) -> Iterator[dict[str, str]]:
    """Yield the environment for processes with a migrated database of their own.

    On PostgreSQL if DATABASE_URL is set, otherwise a file in `folder`.
    """
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    if environment.get("DATABASE_URL"):
        with postgresql_copy(loaded=loaded) as url:
            yield environment | {"DATABASE_URL": url}
    else:
        copy_sqlite(folder / FILE, loaded=loaded)
        yield environment


@contextmanager
def connected_to_new_registry(folder: Path, *, loaded: Loaded) -> Iterator[None]:
    """Connect this process to a migrated database of its own, in `folder` on SQLite."""
    from django.db import connection  # noqa: PLC0415 - importing this module must not read settings

    original_name = connection.settings_dict["NAME"]
    with new_registry(folder, loaded=loaded) as environment:
        disconnect(connection)
        connection.settings_dict["NAME"] = (
            str(folder / FILE)
            if connection.vendor == "sqlite"
            else urlsplit(environment["DATABASE_URL"]).path.removeprefix("/")
        )
        yield
        disconnect(connection)
        connection.settings_dict["NAME"] = original_name


def disconnect(connection: Any) -> None:
    """Close a connection of Django, and its pool on PostgreSQL."""
    connection.close()
    getattr(connection, "close_pool", lambda: None)()


@contextmanager
def empty_registry(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the environment for processes with a database without tables."""
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    if not environment.get("DATABASE_URL"):
        yield environment
        return
    name = f"test-{uuid4().hex}"
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as administrator:
        administrator.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        try:
            yield environment | {"DATABASE_URL": _url(name)}
        finally:
            administrator.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _create_files(folder: Path) -> None:
    folder.mkdir()
    environment = {name: text for name, text in os.environ.items() if name != "DATABASE_URL"}
    environment["REGISTRY_VAR"] = str(folder)
    for step in STEPS.values():
        if step != STEPS[False]:
            shutil.copyfile(folder / f"{STEPS[False]}.sqlite3", folder / FILE)
        fill(step, environment)
        (folder / FILE).rename(folder / f"{step}.sqlite3")


def _template_database(administrator: psycopg.Connection, *, loaded: Loaded) -> str:
    administrator.execute("SELECT pg_advisory_lock(%s)", [LOCK_ID])
    migrated, wanted = (f"registry-{key()}-{STEPS[step]}" for step in (False, loaded))
    try:
        _create_database(administrator, migrated, "template0")
        if loaded:
            _create_database(administrator, wanted, migrated)
    finally:
        administrator.execute("SELECT pg_advisory_unlock(%s)", [LOCK_ID])
    return wanted


def _create_database(administrator: psycopg.Connection, name: str, template: str) -> None:
    if administrator.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
        return
    unfinished = f"{name}-unfinished"
    administrator.execute(f'DROP DATABASE IF EXISTS "{unfinished}" WITH (FORCE)')
    administrator.execute(f'CREATE DATABASE "{unfinished}" TEMPLATE "{template}"')
    fill(name.rpartition("-")[2], os.environ | {"DATABASE_URL": _url(unfinished)})
    administrator.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{name}"')


def _url(name: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def fill(step: str, environment: Mapping[str, str]) -> None:
    """Migrate or load the database of an environment, in a separate process."""
    command = [sys.executable, "-m", "tests.databases", step]
    basic = {**environment, "REGISTRY_CATALOGUE": "basic"}  # thousands of tags would slow tests
    subprocess.run(command, cwd=ROOT, env=basic, check=True, timeout=PATIENCE)


def main(step: str) -> None:
    """Migrate or load the database of the settings."""
    import django  # noqa: PLC0415 - importing this module must not read the settings

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from registry.services.catalogue import loading  # noqa: PLC0415
    from registry.services.core import shipped_facts  # noqa: PLC0415

    if step == STEPS[False]:
        call_command("migrate", verbosity=0)
    elif step == STEPS["few"]:
        few = [tag for tag in shipped_facts.written_tags() if tag.name in FEW]
        with mock.patch.object(shipped_facts, "tags", return_value=few):
            loading.load_catalogue()
    else:
        loading.load_catalogue()
    connection.close()


if __name__ == "__main__":
    main(sys.argv[1])
