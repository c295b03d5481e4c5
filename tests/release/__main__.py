"""Builds the registry and the client, and runs the quick start from each file that was built.

    python -m tests.release FOLDER

Each wheel and each sdist is installed into an empty environment, outside of the checkout. The exit
status is 1 if the quick start of one of them fails.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from django.http import HttpResponse

from tests.databases import ROOT
from tests.docs import markdown
from tests.docs.exchange import Request, body_differences, parse_curl, split_commands
from tests.patience import PATIENCE
from tests.release.environments import create_environment, install, program, uv
from tests.serving import free_port

REGISTRY, CLIENT = "target_tag_registry", "ttag"
PROJECTS = {REGISTRY: ROOT, CLIENT: ROOT / "client"}
REQUIREMENTS = ROOT / "requirements.txt"
FORMATS = ("*.whl", "*.tar.gz")
PAGES = (
    "/",
    "/docs/quick-start",
    "/docs/changes",
    "/tags/arm/soc:aot",
    "/static/docs/versions.svg",
)


def main() -> int:
    """Build, install and try; print the digests of the files."""
    if len(sys.argv) != 2:
        write_line("usage: python -m tests.release FOLDER")
        return 2
    folder = Path(sys.argv[1]).resolve()
    with TemporaryDirectory() as name:
        scratch = Path(name)
        files = build(folder)
        for index, client in enumerate(files[CLIENT]):
            registry = files[REGISTRY][index]
            with quick_start(registry, scratch / f"registry-{index}") as address:
                try_client(client, scratch / f"client-{index}", address)
    for file in sorted(find_files(folder)):
        write_line(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}")
    return 0


def build(folder: Path) -> dict[str, list[Path]]:
    """Return the wheel and the sdist of each project; the wheel is built from the sdist.

    Those of an earlier release in the folder are removed, and nothing else.
    """
    for file in find_files(folder):
        file.unlink()
    for name, project in PROJECTS.items():
        write_line(f"Building {name} ...")
        uv("build", "--no-build-isolation", "--out-dir", str(folder), str(project))
    return {name: find_files(folder, name) for name in PROJECTS}


def find_files(folder: Path, *names: str) -> list[Path]:
    """Return the wheels and sdists of some projects in a folder, by default of all."""
    patterns = [f"{name}-{pattern}" for name in names or PROJECTS for pattern in FORMATS]
    return [file for pattern in patterns for file in folder.glob(pattern)]


@contextmanager
def quick_start(file: Path, folder: Path) -> Iterator[str]:
    """Install the registry, and yield its address after the quick start has been followed."""
    write_line(f"Trying {file.name} ...")
    python = create_environment(folder / "venv")
    install(python, "--require-hashes", "--requirement", str(REQUIREMENTS))
    install(python, "--no-deps", str(file))
    work = folder / "work"
    work.mkdir()
    command, port = program(python, "target-tag-registry"), free_port()
    environment = outside_of_the_checkout() | {"REGISTRY_CATALOGUE": "basic"}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [command, "quickstart", "--", str(port)],
            cwd=work,
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:
        wait_until_healthy(port, process)
        output = run([command, "bootstrap", "alice", "acme"], work, environment)
        follow_quick_start(port, next(word for word in output.split() if word.startswith("ttr_")))
        address = f"http://127.0.0.1:{port}"
        run([command, "write_mirror", "mirror", "--address", address], work, environment)
        yield address
    except BaseException:
        write_line((folder / "log").read_text())
        raise
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def wait_until_healthy(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers. Raise `TimeoutError` if it has ended or takes too long."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline and server.poll() is None:
        try:
            if send(port, Request("GET", "/healthz", {})).status_code == 200:
                return
        except OSError:
            sleep(0.5)
    raise TimeoutError("the registry did not start")


def follow_quick_start(port: int, token: str) -> None:
    """Send the requests of docs/quick-start.md, and compare the answers with those shown there."""
    blocks = markdown.blocks(markdown.read_document("docs/quick-start.md"))
    for block, answer in zip(blocks, [*blocks[1:], markdown.Block("", "")], strict=True):
        for words in split_commands(block.text) if block.language == "sh" else ():
            if words[0] == "curl":
                request = parse_curl(words[1:])
                differences = body_differences(answer.text, send(port, request, token))
                assert not differences, "\n".join([request.path, *differences])
    for page in PAGES:
        assert send(port, Request("GET", page, {})).status_code == 200, page


def send(port: int, request: Request, token: str = "") -> HttpResponse:
    """Return the response of a server to a request of an example."""
    headers = {name: value.replace("$TOKEN", token) for name, value in request.headers.items()}
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(request.method, request.path, request.body.encode() or None, headers)
    with connection.getresponse() as answer:
        media_type = answer.headers.get("Content-Type", "text/plain")
        return HttpResponse(answer.read(), status=answer.status, content_type=media_type)


def try_client(file: Path, folder: Path, address: str) -> None:
    """Install the client, and lock and resolve a target without and with the registry."""
    write_line(f"Trying {file.name} ...")
    python = create_environment(folder / "venv")
    install(python, str(file))
    work = folder / "work"
    work.mkdir()
    environment = outside_of_the_checkout() | {"TTAG_REGISTRY": address}
    target = ["aws/c4.4xlarge@1", "--format", "clang"]
    ttag = program(python, "ttag")
    run([ttag, "lock", *target], work, environment)
    run([ttag, "resolve", *target], work, environment | {"TTAG_OFFLINE": "1"})
    run([ttag, "check"], work, environment)
    run([ttag, "mirror", "mirror", "--namespace", "arm", "micro"], work, environment)


def run(command: list[str], work: Path, environment: dict[str, str]) -> str:
    """Return what a command prints. Raise `CalledProcessError` if it fails."""
    done = subprocess.run(
        command,
        cwd=work,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
    )
    return done.stdout


def outside_of_the_checkout() -> dict[str, str]:
    """Return an environment in which nothing leads back to the checkout or to other settings."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}


def write_line(text: str) -> None:
    """Write a line of the report at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
