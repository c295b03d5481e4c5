"""A registry on a disk that is really full: writes fail, reads go on, and space ends it."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import Commands, commands_in
from tests.serving import (
    LLVM,
    Server,
    create_token,
    environment_of,
    publish,
    run_server,
    send_request,
    wait_until_ready,
)

SIZE = 96  # MiB
READS = ["/", "/tags/arm/soc", "/kinds/llvm", "/events", "/submit", "/api/v1/resolve/arm/soc"]


class Disk:
    """A small file system of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            size = 1024 * 1024
            while size:
                try:
                    ballast.write(bytes(size))
                except OSError:
                    size //= 2

    def release(self) -> None:
        (self.folder / "ballast").unlink()


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    """Mount a tmpfs, which only root may do."""
    if os.geteuid():
        pytest.skip("only root may mount a file system")
    folder = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "none", str(folder)]
    subprocess.run(mount, check=True)
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def server(disk: Disk) -> Iterator[Server]:
    """Run a server with metrics on the disk."""
    with run_server(disk.folder, {"REGISTRY_METRICS": "1"}, loaded=True) as running:
        yield running


@pytest.fixture(scope="module")
def token(disk: Disk, server: Server) -> str:
    """Return a token to publish in acme."""
    return create_token(environment_of(disk.folder))


@pytest.fixture(scope="module")
def commands(disk: Disk, server: Server) -> Iterator[Commands]:
    """Run commands on the registry of the server."""
    with commands_in(environment_of(disk.folder)) as running:
        yield running


def workers(server: Server) -> set[str]:
    return set(Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split())


def test_full_disk(disk: Disk, server: Server, token: str) -> None:
    processes = workers(server)
    wait_until_ready(server)
    disk.fill()
    try:
        assert publish(server, token, "acme/board") == (503, "STORAGE_FULL")
        for path in READS:
            assert send_request(server.port, "GET", path).status == 200, path
        check = json.dumps({"tag": "acme/board", "target": LLVM}).encode()
        headers = {"Content-Type": "application/json"}
        response = send_request(server.port, "POST", "/api/v1/check", check, **headers)
        assert response.status == 200
        ready = send_request(server.port, "GET", "/readyz")
        assert (ready.status, json.loads(ready.body)["problems"]) == (
            503,
            ["the storage is full: writes fail, reads work"],
        )
        assert send_request(server.port, "GET", "/healthz").status == 200
        assert b'code="STORAGE_FULL"' in send_request(server.port, "GET", "/metrics").body
    finally:
        disk.release()
    wait_until_ready(server)
    assert publish(server, token, "acme/board") == (201, "")
    assert workers(server) == processes, "none was restarted"


def test_new_counters_on_a_full_disk(disk: Disk, server: Server, token: str) -> None:
    """Files that are mapped into memory cannot grow: the process would be killed."""
    processes = workers(server)
    disk.fill()
    try:
        for method in ("GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"):
            for path in (*READS, "/namespaces/", "/proposals/", "/api/v1/kinds", "/problems"):
                send_request(server.port, method, path)
    finally:
        disk.release()
    assert workers(server) == processes
    wait_until_ready(server)


@pytest.mark.parametrize(
    "arguments",
    [
        ("bootstrap", "bob", "initech"),
        ("reindex",),
        ("migrate",),
        ("backup", "{folder}/backup.gz"),
        ("revoke_token", "{prefix}"),
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_commands_say_so_in_a_sentence(
    disk: Disk, commands: Commands, token: str, arguments: tuple[str, ...]
) -> None:
    words = [
        argument.format(folder=disk.folder, prefix=token.split("_")[1]) for argument in arguments
    ]
    disk.fill()
    try:
        done = commands.run(*words)
    finally:
        disk.release()
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "full" in done.stderr or "No space left" in done.stderr
    assert not (disk.folder / "backup.gz").exists()


def test_commands_that_read_work(disk: Disk, commands: Commands) -> None:
    disk.fill()
    try:
        done = commands.run("verify", "--quiet")
        assert done.returncode == 0, done.stderr
    finally:
        disk.release()
