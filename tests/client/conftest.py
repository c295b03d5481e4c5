"""A served registry, and the command `ttag` to run against it."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from tests.client.publisher import Publisher
from tests.client.scripted_server import ScriptedServer, scripted_server
from tests.serving import create_token, environment_of, run_server
from ttag.cli.console import Console
from ttag.cli.main import main


@dataclass(frozen=True)
class Run:
    """The exit code and the output of a run."""

    code: int
    out: str
    err: str

    @property
    def remarks(self) -> str:
        """The standard error, but for notes that a log was checked."""
        lines = self.err.splitlines(keepends=True)
        return "".join(line for line in lines if "was checked to event" not in line)


class Ttag(Protocol):
    """Runs the command in this process."""

    def __call__(self, *arguments: str, directory: Path | None = None, **environment: str) -> Run:
        """Run it in a folder, by default an empty one, with more environment variables."""


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a served registry with the basic catalogue. Tests only read it."""
    # With the limits of an address, the checks of all tests would have to wait for each other.
    unlimited = {"REGISTRY_RATE_ANONYMOUS": "none", "REGISTRY_RATE_PREVIEW": "none"}
    with run_server(tmp_path_factory.mktemp("registry"), unlimited, loaded=True) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="session")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publisher]:
    """Yield what publishes in the namespace acme of another served registry."""
    folder = tmp_path_factory.mktemp("publisher")
    with run_server(folder, loaded=True) as server:
        token = create_token(environment_of(folder), "publish", "yank", "admin")
        yield Publisher(f"http://127.0.0.1:{server.port}", token)


@pytest.fixture
def ttag(registry: str, tmp_path: Path) -> Ttag:
    """Return a function that runs the command against the served registry."""
    return ttag_in(tmp_path, registry)


def ttag_in(tmp_path: Path, registry: str) -> Ttag:
    """Return a function that runs the command, with a home and a cache of its own."""
    home = tmp_path / "home"
    home.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    defaults = {
        "HOME": str(home),
        "TTAG_CACHE": str(tmp_path / "cache"),
        "TTAG_REGISTRY": registry,
    }

    def run(*arguments: str, directory: Path | None = None, **environment: str) -> Run:
        variables = {**defaults, **environment}
        console = Console(io.StringIO(), io.StringIO(), variables)
        code = main(arguments, directory=directory or work, console=console, environment=variables)
        assert isinstance(console.out, io.StringIO)
        assert isinstance(console.err, io.StringIO)
        return Run(code, console.out.getvalue(), console.err.getvalue())

    return run


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Yield a server that sends what a test tells it to."""
    with scripted_server() as running:
        yield running
