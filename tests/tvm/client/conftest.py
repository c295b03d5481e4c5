"""Fixtures: a registry with the targets of the tests, and a process with TVM and `ttag.tvm`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import create_token, environment_of, run_server
from tests.tvm.client.targets import publish_all
from tests.tvm.compiler import Compiler, compiler
from tests.tvm.environment import VARIABLE

FOLDER = Path(__file__).parent
WORKER = FOLDER / "building.py"

collect_ignore = [path.name for path in FOLDER.glob("test_*.py") if VARIABLE not in os.environ]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a registry with the basic catalogue and the targets of the tests."""
    var = tmp_path_factory.mktemp("var")
    with run_server(var, loaded=True) as server:
        publish_all(server, create_token(environment_of(var)))
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="session")
def builder(
    python: str, address: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Compiler]:
    """Yield a process that builds with `ttag.tvm`."""
    folder = tmp_path_factory.mktemp("builder")
    with compiler(python, folder / "log", WORKER) as started:
        started.call("open_project", address=address, cache=str(folder / "cache"))
        yield started
