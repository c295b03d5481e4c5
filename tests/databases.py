"""Databases for tests: copies of one that was migrated, and loaded with the catalogue, once.

On SQLite the originals are files below REGISTRY_VAR that are reused until code, catalogue or
requirements change; on PostgreSQL they are template databases of the server of DATABASE_URL.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg

ROOT = Path(__file__).parent.parent
FACES = {"actions", "admin", "api", "http", "management", "web"}  # they shape no tables and no rows
LOCK = 0x7461726765740002  # any number but that of registry/services/core/transactions.py
FILE = "registry.sqlite3"  # as the settings name it


@cache
def key() -> str:
    """Return a digest of all that shapes the originals."""
    digest = hashlib.sha256(sys.version.encode())
    registry = ROOT / "registry"
    shaping = (
        path
        for path in registry.rglob("*")
        if path.suffix in {".py", ".json"} and path.relative_to(registry).parts[0] not in FACES
    )
    for path in sorted([Path(__file__), ROOT / "requirements.txt", *shaping]):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def copy_sqlite(path: Path, *, loaded: bool = False) -> None:
    """Put a migrated SQLite database at `path`, with the shipped catalogue if `loaded`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_original_file(loaded=loaded), path)


@contextmanager
def copied_postgresql(*, loaded: bool = False) -> Iterator[str]:
    """Yield the URL of a migrated database beside that of DATABASE_URL; drop it in the end."""
    server = os.environ["DATABASE_URL"]
    name = f"test-{uuid4().hex}"  # processes that run tests at the same time share the server
    with psycopg.connect(server, autocommit=True) as administrator:
        original = _original_database(administrator, loaded=loaded)
        administrator.execute(f'CREATE DATABASE "{name}" TEMPLATE "{original}"')
        try:
            yield _url(name)
        finally:
            administrator.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def new_registry(folder: Path, *, loaded: bool = False) -> Iterator[dict[str, str]]:
    """Yield the environment of processes that use a migrated database of their own.

    It is on PostgreSQL where DATABASE_URL is set, else `folder` holds its file.
    """
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    if environment.get("DATABASE_URL"):
        with copied_postgresql(loaded=loaded) as url:
            yield environment | {"DATABASE_URL": url}
    else:
        copy_sqlite(folder / FILE, loaded=loaded)
        yield environment


def _original_file(*, loaded: bool) -> Path:
    folder = Path(os.environ.get("REGISTRY_VAR") or ROOT / "var").absolute() / "test-databases"
    folder.mkdir(parents=True, exist_ok=True)
    found = folder / f"{key()}-{'loaded' if loaded else 'migrated'}.sqlite3"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # held until the file is closed
        if not found.exists():
            for outdated in folder.glob("*.sqlite3"):
                outdated.unlink()
            _make_files(folder)
    return found


def _make_files(folder: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "DATABASE_URL"}
    with tempfile.TemporaryDirectory(dir=folder) as var:
        environment["REGISTRY_VAR"] = var
        for step in ("migrated", "loaded"):
            _run(step, environment)
            copy = Path(var) / step
            shutil.copyfile(Path(var) / FILE, copy)
            copy.rename(folder / f"{key()}-{step}.sqlite3")


def _original_database(administrator: psycopg.Connection, *, loaded: bool) -> str:
    administrator.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    migrated = f"registry-{key()}-migrated"
    try:
        _make_database(administrator, migrated, "template0")
        if loaded:
            _make_database(administrator, f"registry-{key()}-loaded", migrated)
    finally:
        administrator.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    return f"registry-{key()}-loaded" if loaded else migrated


def _make_database(administrator: psycopg.Connection, name: str, template: str) -> None:
    if administrator.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
        return
    unfinished = f"{name}-unfinished"
    administrator.execute(f'DROP DATABASE IF EXISTS "{unfinished}" WITH (FORCE)')
    administrator.execute(f'CREATE DATABASE "{unfinished}" TEMPLATE "{template}"')
    _run(name.rpartition("-")[2], os.environ | {"DATABASE_URL": _url(unfinished)})
    administrator.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{name}"')


def _url(name: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def _run(step: str, environment: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "tests.databases", step]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=300)


def main(step: str) -> None:
    """Take the database of the settings to a step, in a process of its own."""
    import django  # noqa: PLC0415 - the settings are read only where a database is made

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from registry.services.catalogue import loading  # noqa: PLC0415

    if step == "migrated":
        call_command("migrate", verbosity=0)
    else:
        loading.load_catalogue()
    connection.close()


if __name__ == "__main__":
    main(sys.argv[1])
