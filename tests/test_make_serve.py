"""`make serve` on a port that it cannot have says so, and changes nothing."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from errno import EACCES
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from registry.management.commands.check_port import explain
from tests.serving import Server, free_port

ROOT = Path(__file__).parent.parent


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port: int = listener.getsockname()[1]
        yield port


def make_serve(port: str, var: Path) -> subprocess.CompletedProcess[str]:
    """Run `make serve` in the environment that runs the tests, until it stops by itself."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("not installed: make")
    from_make = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DATABASE_URL"}
    environment = {name: text for name, text in os.environ.items() if name not in from_make}
    installed = f"{sys.prefix}/runtime-installed"
    return subprocess.run(
        # The environment is taken as it is: whether it is up to date is not asked here.
        [make, f"--old-file={installed}", "serve", f"VENV={sys.prefix}", f"PORT={port}"],
        cwd=ROOT,
        env=environment | {"REGISTRY_VAR": str(var)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def assert_refused(done: subprocess.CompletedProcess[str], sentence: str, var: Path) -> None:
    assert done.returncode != 0
    assert [line for line in done.stderr.splitlines() if "make: ***" not in line] == [
        f"CommandError: {sentence}"
    ]
    assert not (var / "registry.sqlite3").exists()


def test_port_of_another_program_is_refused(taken: int, tmp_path: Path) -> None:
    assert_refused(make_serve(str(taken), tmp_path), sentence_about(taken), tmp_path)


def test_port_of_another_registry_is_refused(plain_server: Server, tmp_path: Path) -> None:
    """Granian sets SO_REUSEPORT: a second one would share the port."""
    port = plain_server.port
    assert_refused(make_serve(str(port), tmp_path), sentence_about(port), tmp_path)


def sentence_about(port: int) -> str:
    return (
        f"Port {port} of 127.0.0.1 is taken: stop the server that listens there, "
        "or choose another one with `make serve PORT=…`."
    )


def test_port_that_is_no_number_is_refused_by_make(tmp_path: Path) -> None:
    sentence = "PORT must be a whole number from 1 to 65535, not “80 80”."
    assert_refused(make_serve("80 80", tmp_path), sentence, tmp_path)


@pytest.mark.parametrize(
    "port", ["", "0", "-1", "+80", "65536", "8000.0", "8_000", "\u0664", "http"]
)
def test_port_that_is_no_number_or_out_of_range_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match=r"^PORT must be a whole number from 1 to 65535, not “"):
        call_command("check_port", "--", port)


def test_free_port_is_accepted() -> None:
    call_command("check_port", str(free_port()))


def test_port_that_needs_other_rights_is_explained() -> None:
    assert explain(PermissionError(EACCES, "Permission denied"), 80) == (
        "The registry cannot listen on port 80 of 127.0.0.1 (Permission denied): "
        "choose another one with `make serve PORT=…`."
    )
