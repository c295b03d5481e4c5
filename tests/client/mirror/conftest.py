"""Mirrors of two registries: one with the basic catalogue, one with yanks and deprecations."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.databases import FILE, ROOT, copy_sqlite
from tests.serving import environment_of, run_server
from ttag import Mirror, Registry
from ttag.mirror.mirroring import write_mirror

FORMATS = ("clang", "cmake", "iree", "tvm", "tvm-string")


@pytest.fixture(scope="session", autouse=True)
def unflushed() -> Iterator[None]:
    """Do not wait for the disk, on which other tests write: no test survives a power failure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ttag.mirror.writer.flush_to_disk", lambda: None)
        yield


@pytest.fixture(scope="session")
def folder(registry: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a mirror of the basic catalogue. Tests only read it."""
    root = tmp_path_factory.mktemp("mirror")
    write_mirror(Registry(registry), root, formats=FORMATS)
    return root


@pytest.fixture(scope="session")
def mirror(folder: Path) -> Mirror:
    return Mirror.open(folder.as_uri())


@pytest.fixture(scope="session")
def eventful_var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database folder with yanks, a deprecation and an alias of a version."""
    var = tmp_path_factory.mktemp("eventful")
    copy_sqlite(var / FILE)
    command = [sys.executable, "-m", "tests.services.operations.populate"]
    subprocess.run(command, cwd=ROOT, env=environment_of(var), check=True, capture_output=True)
    return var


@pytest.fixture(scope="session")
def eventful_registry(eventful_var: Path) -> Iterator[str]:
    """Yield the address of a served registry with that database. Tests only read it."""
    with run_server(eventful_var) as server:
        yield f"http://127.0.0.1:{server.port}"


class Handler(SimpleHTTPRequestHandler):
    """Serves files without a log. Its 404 is a page of HTML, as everywhere."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Write nothing."""


@contextmanager
def web_server(root: Path) -> Iterator[str]:
    """Serve a folder, and yield the address of the mirror in it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"mirror+http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
