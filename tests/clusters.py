"""PostgreSQL servers of their own for tests that stop them, with a database that is made once."""

# Decision 122: what takes long and is the same in each process is made once.

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.built_once import built_once
from tests.databases import STEPS, fill, key
from tests.postgres import NOT_DURABLE, Cluster, cluster


@contextmanager
def loaded_cluster() -> Iterator[Cluster]:
    """Run a server whose database is migrated and has the shipped catalogue."""
    with cluster(NOT_DURABLE, data=built_once("cluster", key(), _create_data)) as server:
        yield server


def _create_data(folder: Path) -> None:
    variables = {"REGISTRY_VAR": str(folder.parent), "SECRET_KEY": "for these tests only"}
    with cluster(NOT_DURABLE) as server:
        for step in (STEPS[False], STEPS[True]):
            fill(step, os.environ | variables | {"DATABASE_URL": server.url})
        server.stop("fast")
        subprocess.run(["cp", "--archive", server.tree / "data", folder], check=True)
