"""docs/mirrors.md shows the files that mirrors have."""

import json
import os
import re
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import ttag
from registry.services.operations import mirroring
from tests.compilers.tools import tool
from tests.docs import markdown
from tests.nginx import write_configuration
from tests.patience import PATIENCE
from tests.postgres import chown_to_nobody
from tests.serving import free_port
from ttag import Mirror
from ttag.cli.main import build_parser
from ttag.cli.mirror import COMMAND
from ttag.mirror import compatibility, layout
from ttag.mirror.following import Freshness

NAME = "docs/mirrors.md"
ADDRESS = "https://registry.example.org"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def mirror(tmp_path: Path, db: None) -> Path:
    forms = mirroring.writable_formats()
    mirroring.write_mirror(
        tmp_path,
        address=ADDRESS,
        forms=[forms["clang"], forms["tvm"]],
    )
    return tmp_path


def example(title: str) -> Any:
    (block,) = [b for b in markdown.section(NAME, title).blocks if b.language == "json"]
    return json.loads(timeless(block.text))


def timeless(text: str) -> str:
    return re.sub('"event": [0-9]+', '"event": 0', TIME.sub("", text))


@pytest.mark.parametrize(
    ("title", "name"),
    [("Index of a tag", "arm/soc:aot"), ("Index of an alias", "arm/soc-name:aot")],
)
def test_example_of_an_index_is_that_of_the_catalogue(mirror: Path, title: str, name: str) -> None:
    text = (mirror / layout.index_path(name)).read_text()
    assert json.loads(timeless(text)) == example(title)


def test_example_of_the_overview_has_its_members(mirror: Path) -> None:
    overview = json.loads((mirror / layout.OVERVIEW).read_text())
    shown = example("mirror.json")
    assert overview.keys() == shown.keys()
    for name in ("formats", "registry", "version"):
        assert overview[name] == shown[name]
    assert set(shown["namespaces"]) <= set(overview["namespaces"])


def test_example_of_compatibility_has_the_tables_of_gpus() -> None:
    tables = json.loads(compatibility.content())["devices"]
    shown = example("compatibility.json")["devices"]
    assert shown["cuda"]["tegra"] == tables["cuda"]["tegra"]
    assert shown["rocm"]["settings"] == tables["rocm"]["settings"]


def test_every_kind_of_file_is_listed(mirror: Path) -> None:
    rows = [row[0].strip("`") for row in markdown.section(NAME, "Layout").rows]
    escaped = [row.replace(".", r"\.").replace("<index>", r"(x\d{3}/)*\d{3}") for row in rows]
    patterns = [re.sub(r"<\w+>", "[^/]+", row) for row in escaped]
    for path in mirror.rglob("*"):
        name = path.relative_to(mirror).as_posix()
        matching = [pattern for pattern in patterns if re.fullmatch(pattern, name)]
        assert len(matching) == 1 or path.is_dir(), name


def test_copy_is_checked_as_shown(tmp_path: Path, db: None) -> None:
    block = next(b for b in markdown.section(NAME, "Serve one").blocks if b.language == "sh")
    mirroring.write_mirror(tmp_path / "mirror", address=ADDRESS)

    def check() -> int:
        command = ["sh", "-e", "-c", block.text]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode

    assert check() == 0
    damaged = next((tmp_path / "mirror" / "index").iterdir())
    damaged.write_text("{}")
    assert check() != 0


@pytest.mark.parametrize("title", ["Follow a registry", "A registry for another site"])
def test_commands_that_stay_are_those_of_ttag(title: str) -> None:
    (block,) = [b for b in markdown.section(NAME, title).blocks if b.language == "sh"]
    arguments = build_parser([COMMAND]).parse_args(shlex.split(block.text)[1:])
    assert arguments.follow


def test_metrics_of_a_site_are_listed() -> None:
    names = re.findall(r"^# TYPE (\w+)", Freshness().as_metrics().decode(), re.MULTILINE)
    listed = re.findall(r"`(registry_mirror_\w+)`", markdown.read_document(NAME))
    assert sorted(names) == sorted(listed)


def test_example_of_an_escaped_name_is_right() -> None:
    text = markdown.read_document(NAME)
    name, escaped = re.findall(r"So\n?`([^`]+)` is `([^`]+)`", text)[0]
    assert layout.escape(name) == escaped
    assert f"more than {layout.MAX_NAME} characters" in text.replace("\n", " ")


@pytest.mark.django_db
def test_nginx_serves_a_mirror_as_configured() -> None:
    (block,) = [b for b in markdown.section(NAME, "Serve one").blocks if b.language == "nginx"]
    with TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        mirroring.write_mirror(folder / "mirror", address=ADDRESS)
        location = block.text.replace("/srv/mirror/", f"{folder}/mirror/")
        config = write_configuration(folder, f"server {{ listen 127.0.0.1:{port}; {location} }}")
        with running_nginx(folder, config, port):
            mirror = Mirror.open(f"mirror+http://127.0.0.1:{port}/mirror")
            assert mirror.resolve("nvidia/geforce-gt-730-ddr3,128bit").target["kind"] == "cuda"
            assert mirror.resolve("arm/soc:aot@1.0.0").tag == "arm/soc:aot"
            with pytest.raises(ttag.Refused, match="There is no tag arm/sco"):
                mirror.resolve("arm/sco")


@contextmanager
def running_nginx(folder: Path, config: Path, port: int) -> Iterator[None]:
    """Run nginx in a folder, as an ordinary user, until the end of the block."""
    user = chown_to_nobody(folder) if os.geteuid() == 0 else {}
    program = tool("nginx", folders="/usr/sbin")
    command = [program, "-e", f"{folder}/log", "-c", str(config), "-g", "daemon off;"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **user)
    try:
        wait_until_open(port)
        yield
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def wait_until_open(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nginx does not listen on port {port} within {PATIENCE} s")
