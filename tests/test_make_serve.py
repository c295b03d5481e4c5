"""`make serve` makes a registry of nothing, and rejects an unusable port before that."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from errno import EACCES
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from registry.management.ports import explain, refuse_unusable
from tests.patience import PATIENCE
from tests.serving import Server, free_port, send_request, wait_for
from tests.working import is_running, wait_until

ROOT = Path(__file__).parent.parent


@pytest.fixture
def used_port() -> Iterator[int]:
    """Yield a port on which another program listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port: int = listener.getsockname()[1]
        yield port


def command(port: str) -> list[str]:
    """Return the command `make serve` in the environment of the tests."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("not installed: make")
    installed = f"{sys.prefix}/runtime-installed"
    # Treat the virtual environment as up to date.
    return [make, f"--old-file={installed}", "serve", f"VENV={sys.prefix}", f"PORT={port}"]


def environment(var: Path) -> dict[str, str]:
    from_make = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DATABASE_URL"}
    kept = {name: text for name, text in os.environ.items() if name not in from_make}
    return kept | {"REGISTRY_VAR": str(var)}


def make_serve(port: str, var: Path) -> subprocess.CompletedProcess[str]:
    """Run `make serve` until it exits."""
    return subprocess.run(
        command(port),
        cwd=ROOT,
        env=environment(var),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_empty_folder_becomes_a_registry_with_the_catalogue(tmp_path: Path) -> None:
    port = free_port()
    with (tmp_path / "output").open("w") as output:
        process = subprocess.Popen(
            command(str(port)),
            cwd=ROOT,
            env=environment(tmp_path),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            wait_for(port)
            assert send_request(port, "GET", "/api/v1/resolve/arm/soc:aot").status == 200
            assert b"registry/css/" in send_request(port, "GET", "/").body
            (worker,) = wait_until(lambda: workers_below(process.pid), "the worker starts")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=PATIENCE)
    wait_until(lambda: not is_running(worker), "the worker ends")
    assert (
        f"Try: curl http://127.0.0.1:{port}/api/v1/resolve/arm/soc:aot\n"
        in (tmp_path / "output").read_text()
    )


def workers_below(pid: int) -> list[int]:
    """Return the workers among the children of a process, and among theirs."""
    children = [int(pid) for pid in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [
        *(
            child
            for child in children
            if b"\0work\0" in Path(f"/proc/{child}/cmdline").read_bytes()
        ),
        *(worker for child in children for worker in workers_below(child)),
    ]


def assert_rejected(result: subprocess.CompletedProcess[str], sentence: str, var: Path) -> None:
    assert result.returncode != 0
    assert [line for line in result.stderr.splitlines() if "make: ***" not in line] == [
        f"CommandError: {sentence}"
    ]
    assert not (var / "registry.sqlite3").exists()


def test_port_of_another_program_is_rejected(used_port: int, tmp_path: Path) -> None:
    assert_rejected(make_serve(str(used_port), tmp_path), port_is_taken(used_port), tmp_path)


def test_port_of_another_registry_is_rejected(plain_server: Server, tmp_path: Path) -> None:
    """Granian sets SO_REUSEPORT, so a second one would share the port."""
    port = plain_server.port
    assert_rejected(make_serve(str(port), tmp_path), port_is_taken(port), tmp_path)


def port_is_taken(port: int) -> str:
    """Return the error for a taken port."""
    return (
        f"Port {port} of 127.0.0.1 is taken: stop the server that listens there, "
        "or choose another one with `make serve PORT=…`."
    )


def test_non_numeric_port_is_rejected_by_make(tmp_path: Path) -> None:
    sentence = "PORT must be a whole number from 1 to 65535, not “80 80”."
    assert_rejected(make_serve("80 80", tmp_path), sentence, tmp_path)


@pytest.mark.parametrize(
    "port", ["", "0", "-1", "+80", "65536", "8000.0", "8_000", "\u0664", "http"]
)
def test_invalid_port_is_rejected(port: str) -> None:
    with pytest.raises(CommandError, match=r"^PORT must be a whole number from 1 to 65535, not “"):
        call_command("check_port", "--", port)


def test_free_port_is_accepted() -> None:
    call_command("check_port", str(free_port()))


def test_port_without_permission_is_explained() -> None:
    error = PermissionError(EACCES, "Permission denied")
    assert explain(error, "127.0.0.1", 80, "choose another one.") == (
        "The registry cannot listen on port 80 of 127.0.0.1 (Permission denied): "
        "choose another one."
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])  # noqa: S104 - never bound
def test_serve_rejects_the_port_of_another_program(host: str, used_port: int) -> None:
    with pytest.raises(CommandError) as error:
        call_command("serve", host=host, port=used_port)
    assert str(error.value) == (
        f"Port {used_port} of {host} is taken: stop the server that listens there, "
        "or choose another one with --port."
    )


def test_unknown_host_is_explained() -> None:
    with pytest.raises(CommandError, match=r" port 80 of no\.example \(\w+ .*\): choose another"):
        refuse_unusable("no.example", 80, remedy="choose another one.")
