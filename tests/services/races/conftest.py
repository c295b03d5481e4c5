"""A database of its own for writers: what they commit cannot be rolled back, nor deleted."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection

from tests.services.races.crew import SIZE, Crew, crew


@contextmanager
def empty_database(name: str, folder: Path) -> Iterator[dict[str, str]]:
    """The environment of processes that use a new database, migrated."""
    environment = {**os.environ, "REGISTRY_VAR": str(folder)}
    if connection.vendor == "sqlite":
        environment.pop("DATABASE_URL", None)
        migrate(environment)
        yield environment
        return
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as administrator:
        administrator.execute(f'CREATE DATABASE "{name}"')
        try:
            environment["DATABASE_URL"] = urlsplit(server)._replace(path=f"/{name}").geturl()
            migrate(environment)
            yield environment
        finally:
            administrator.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def migrate(environment: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, env=environment, check=True, timeout=60)


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """One database for all races but those over the whole of it."""
    with empty_database("registry-races", tmp_path_factory.mktemp("races")) as environment:
        yield environment


@pytest.fixture(scope="package")
def writers(database: Mapping[str, str]) -> Iterator[Crew]:
    """Four processes that write to it."""
    with crew(SIZE, database) as found:
        found.together({"job": "prepare"})
        yield found
