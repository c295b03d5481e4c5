"""docs/mirrors.md shows the files that mirrors have."""

import json
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from registry.domain import mirror_layout
from registry.services.operations import mirroring
from tests.docs import markdown
from tests.nginx import write_configuration
from tests.real.tools import tool
from tests.serving import free_port

NAME = "docs/mirrors.md"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def mirror(tmp_path: Path, db: None) -> Path:
    forms = mirroring.writable_formats()
    mirroring.write_mirror(
        tmp_path,
        address="https://registry.example.org",
        forms=[forms["clang"], forms["tvm"]],
    )
    return tmp_path


def example(title: str) -> Any:
    (block,) = [b for b in markdown.section(NAME, title).blocks if b.language == "json"]
    return json.loads(timeless(block.text))


def timeless(text: str) -> str:
    return TIME.sub("", text)


@pytest.mark.parametrize(
    ("title", "name"),
    [("Index of a tag", "arm/soc:aot"), ("Index of an alias", "arm/soc-name:aot")],
)
def test_example_of_an_index_is_that_of_the_catalogue(mirror: Path, title: str, name: str) -> None:
    text = (mirror / mirror_layout.index_path(name)).read_text()
    assert json.loads(timeless(text)) == example(title)


def test_example_of_the_overview_has_its_members(mirror: Path) -> None:
    overview = json.loads((mirror / mirror_layout.OVERVIEW).read_text())
    shown = example("mirror.json")
    assert overview.keys() == shown.keys()
    for name in ("formats", "registry", "version"):
        assert overview[name] == shown[name]
    assert set(shown["namespaces"]) <= set(overview["namespaces"])


def test_every_kind_of_file_is_listed(mirror: Path) -> None:
    rows = [row[0].strip("`") for row in markdown.section(NAME, "Layout").rows]
    patterns = [re.sub(r"<\w+>", "[^/]+", row.replace(".", r"\.")) for row in rows]
    for path in mirror.rglob("*"):
        name = path.relative_to(mirror).as_posix()
        matching = [pattern for pattern in patterns if re.fullmatch(pattern, name)]
        assert len(matching) == 1 or path.is_dir(), name


def test_example_of_an_escaped_name_is_right() -> None:
    text = markdown.read_document(NAME)
    name, escaped = re.findall(r"So\n?`([^`]+)` is `([^`]+)`", text)[0]
    assert mirror_layout.escape(name) == escaped
    assert f"more than {mirror_layout.NAME_LENGTH} characters" in text.replace("\n", " ")


def test_nginx_serves_a_mirror_as_configured() -> None:
    program = tool("nginx", folders="/usr/sbin")
    (block,) = [b for b in markdown.section(NAME, "Serve one").blocks if b.language == "nginx"]
    with TemporaryDirectory() as folder:
        server = f"server {{ listen 127.0.0.1:{free_port()}; {block.text} }}"
        config = write_configuration(Path(folder), server)
        command = [program, "-t", "-q", "-e", f"{folder}/log", "-c", str(config)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
