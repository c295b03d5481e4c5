"""Fixtures: TVM in one process and a served registry in another."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import run_server
from tests.tvm.compiler import Compiler, compiler
from tests.tvm.environment import VARIABLE
from tests.tvm.registry import Registry

FOLDER = Path(__file__).parent
WITHOUT_TVM = {"test_environment.py"}

collect_ignore = [
    path.name
    for path in FOLDER.glob("test_*.py")
    if VARIABLE not in os.environ and path.name not in WITHOUT_TVM
]


@pytest.fixture(scope="session")
def python() -> str:
    """The path of TVM's interpreter."""
    if VARIABLE not in os.environ:
        pytest.fail(f"{VARIABLE} is not set to an interpreter with TVM; run `make verify-tvm`")
    return os.environ[VARIABLE]


@pytest.fixture(scope="session")
def tvm(python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compiler]:
    """TVM, started once per session."""
    with compiler(python, tmp_path_factory.mktemp("tvm") / "log") as started:
        yield started


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """A registry with the shipped catalogue, as `make serve` starts it."""
    with run_server(tmp_path_factory.mktemp("var"), loaded=True) as server:
        yield Registry(server.port)
