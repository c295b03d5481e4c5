"""docs/operating.md is followed to the letter; the files beside it name only what is there."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.core.management import get_commands

from tests.docs import machine as machines, markdown
from tests.docs.machine import HOME, Machine
from tests.docs.markdown import ROOT, Block, Section
from tests.docs.test_readme import settings_read
from tests.postgres import given_to_nobody
from tests.real.tools import tool
from tests.serving import free_port

NAME = "docs/operating.md"
FOLDER = ROOT / "docs/operating"
UNITS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".service", ".timer"))
SECTIONS = markdown.sections(markdown.read(NAME))
PATH = re.compile(r"/(?:opt|etc|var)/[\w./-]+")
BACKUPS = "var/lib/target-tag-registry-backups"
START = 30  # seconds; servers take two
# nginx as packages build it writes to folders of root's: each has to be named.
NGINX = """\
pid {folder}/pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        {server}
    }}
}}
"""


def unit(name: str) -> dict[str, list[str]]:
    """The settings of a unit's file, each as often as it stands."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text().splitlines():
        key, _, value = line.partition("=")
        if value and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def container() -> list[tuple[str, str]]:
    """The instructions of the Containerfile."""
    lines = (FOLDER / "Containerfile").read_text().splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in kept]


def instructions(word: str) -> list[str]:
    return [rest for found, rest in container() if found == word]


def blocks(language: str) -> list[Block]:
    return [block for block in markdown.blocks(markdown.read(NAME)) if block.language == language]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine on which everything has been done that the document says, in its order."""
    (settings,) = blocks("ini")
    with machines.machine(tmp_path_factory.mktemp("machine"), settings.text) as made:
        for section in SECTIONS:
            follow(section, made)
        yield made


def follow(section: Section, made: Machine) -> None:
    """Type in a section's commands, and compare."""
    following = [*section.blocks[1:], Block("", "")]
    for block, shown in zip(section.blocks, following, strict=False):
        if block.language == "sh":
            found = made.run(block.text)
            expected = shown.text if shown.language == "text" else "…"
            assert machines.alike(expected, found), f"{section.title}:\n{expected}\n---\n{found}"


def test_every_procedure(machine: Machine) -> None:
    """The fixture has followed them; what they leave is there."""
    assert (machine.tree / BACKUPS / "before.gz").exists()
    assert (machine.tree / HOME / "moving.gz").exists()
    assert len(blocks("sh")) >= 9


@pytest.mark.parametrize(
    ("shown", "found", "is_alike"),
    [
        ("a … c\n", "a b c\n", True),
        ("…\nend\n", "end\n", True),
        ("…\nend\n", "one\ntwo\nend\n", True),
        ("end\n", "one\nend\n", False),
        ("a … c\n", "a b d\n", False),
        ("(a)\n", "a\n", False),
    ],
)
def test_outputs_are_compared(shown: str, found: str, is_alike: bool) -> None:
    assert machines.alike(shown, found) is is_alike


def test_settings_that_are_shown_are_settings() -> None:
    (shown,) = blocks("ini")
    names = {line.partition("=")[0] for line in shown.text.splitlines()}
    assert names <= settings_read()
    assert set(re.findall(r"(\w+)=", " ".join(instructions("ENV")))) <= {
        *settings_read(),
        "PYTHONUNBUFFERED",
    }


def test_commands_that_are_named_are_commands() -> None:
    named = set(re.findall(r"(?:python |`)manage\.py (\w+)", markdown.read(NAME)))
    assert {name for name in named if name not in get_commands()} == set()
    assert {"backup", "restore", "verify", "reindex", "redact", "revoke_token"} <= named


def test_every_file_is_named_in_the_document() -> None:
    text = markdown.read(NAME)
    for path in FOLDER.iterdir():
        assert f"(operating/{path.name})" in text


def test_what_changes_the_machine_names_what_is_there() -> None:
    texts = [(FOLDER / name).read_text() for name in UNITS]
    texts += [block.text for language in ("sh", "ini") for block in blocks(language)]
    known = {Path(path) for text in texts for path in PATH.findall(text)}
    known |= {parent for path in known for parent in path.parents}
    words = [word for block in blocks("bash") for word in block.text.split()]
    for word in words:
        if word in machines.CODE or word.startswith("docs/"):
            assert list(ROOT.glob(word)), word
        if word.startswith("target-tag-registry") and "." in word:
            assert word in UNITS
        if PATH.fullmatch(word) and word != "/etc/systemd/system":
            assert Path(word) in known, word
    assert len(words) > 50


@pytest.mark.parametrize("name", UNITS)
def test_unit_names_what_is_there(name: str) -> None:
    found = unit(name)
    if name.endswith(".timer"):
        assert name.replace(".timer", ".service") in UNITS
        assert found["WantedBy"] == ["timers.target"]
        return
    assert found["WorkingDirectory"] == [f"/{HOME}"]
    assert found["EnvironmentFile"] == [f"/{machines.SETTINGS}"]
    assert "target-tag-registry" in found["StateDirectory"][0].split()
    assert (found["User"], found["Group"]) == (["registry"], ["registry"])
    for program in re.findall(r"\.venv/bin/(\w+)", found["ExecStart"][0]):
        assert Path(sys.executable).with_name(program).exists()
    for command in re.findall(r"manage\.py (\w+)", found["ExecStart"][0]):
        assert get_commands()[command] == "registry"


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    program = tool("systemd-analyze")
    here = Machine(tmp_path, "")
    machines.install(tmp_path)
    (tmp_path / machines.SETTINGS).parent.mkdir(parents=True)
    (tmp_path / machines.SETTINGS).touch()
    for name in UNITS:
        (tmp_path / name).write_text(here.here((FOLDER / name).read_text()))
    command = [program, "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_nginx_understands_its_part() -> None:
    """As an ordinary user, who may write to none of nginx's own folders, nor listen on port 80."""
    program = tool("nginx", folders="/usr/sbin")
    (shown,) = blocks("nginx")
    with TemporaryDirectory() as folder:
        user = given_to_nobody(Path(folder)) if os.geteuid() == 0 else {}
        config = NGINX.format(folder=folder, port=free_port(), server=shown.text)
        (Path(folder) / "nginx.conf").write_text(config)
        command = [program, "-t", "-q", "-e", f"{folder}/log", "-c", f"{folder}/nginx.conf"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, **user
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_nightly_jobs_do_what_they_should(machine: Machine) -> None:
    settings = f"set -a; . /{machines.SETTINGS}; cd /{HOME}; "
    for job in ("backup", "verify"):
        found = unit(f"target-tag-registry-{job}.service")
        for command in (*found["ExecStart"], *found.get("ExecStartPost", [])):
            machine.run(settings + command.replace("%%", "%"))
    backups = [path.name for path in (machine.tree / BACKUPS).glob("20*")]
    assert len(backups) == 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d\.gz", backups[0])


def test_container_has_what_the_server_needs_and_serves(machine: Machine, tmp_path: Path) -> None:
    """Its instructions, carried out on copies: from these files alone the server gets ready."""
    image = tmp_path / "image"
    image.mkdir()
    for words in instructions("COPY"):
        *sources, target = words.split()
        for source in sources:
            assert (ROOT / source).exists(), source
            place = image / source if target == "./" else image / target
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, place)
    collect = next(words for words in instructions("RUN") if "collectstatic" in words)
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "REGISTRY_VAR": str(tmp_path / "var"),
    }
    shell = ["sh", "-c", collect]
    subprocess.run(shell, cwd=image, env=environment, check=True, timeout=60)
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["static"], "no key is left"
    lines = (machine.tree / machines.SETTINGS).read_text().splitlines()
    environment |= dict(line.split("=", 1) for line in lines if "REGISTRY_VAR" not in line)
    (command,) = map(json.loads, instructions("CMD"))
    with served(command, image, environment) as port:
        assert_healthy(port, environment)


def assert_healthy(port: int, environment: dict[str, str]) -> None:
    """Run the container's own check."""
    (check,) = instructions("HEALTHCHECK")
    command = json.loads(check.partition("CMD ")[2])
    assert "/readyz" in command[-1]
    command = [word.replace(":8000", f":{port}") for word in command]
    subprocess.run(command, env=environment, check=True, timeout=30)


@contextmanager
def served(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[int]:
    """The port of loopback on which a command, as the files have it, serves from a folder."""
    port = free_port()
    words = [str(port) if word == "8000" else word for word in command]
    words = ["127.0.0.1" if word == "0.0.0.0" else word for word in words]  # noqa: S104 - replaced
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=START)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=5) as answer:  # noqa: S310 - of loopback
                assert json.load(answer)["ready"]
                return
        except URLError:
            time.sleep(0.1)
    raise TimeoutError(f"{url} is not ready within {START} s")


def test_all_ways_to_serve_are_one() -> None:
    """The unit, the container and `make serve` start the same server."""
    (served_by_unit,) = unit("target-tag-registry.service")["ExecStart"]
    (command,) = map(json.loads, instructions("CMD"))
    program, *words = shlex.split(served_by_unit)
    assert program == f"/{HOME}/.venv/bin/{command[0]}"
    assert [word.replace("127.0.0.1", "0.0.0.0") for word in words] == command[1:]  # noqa: S104
    makefile = markdown.read("Makefile")
    assert set(re.findall(r"--[\w-]+", served_by_unit)) == set(
        re.findall(r"--[\w-]+", makefile[makefile.index("granian") : makefile.index("wsgi:app")])
    )
    for name, option in (("WORKERS", "--workers"), ("THREADS", "--blocking-threads")):
        (count,) = re.findall(rf"^{name} := (\d+)", makefile, re.MULTILINE)
        assert command[command.index(option) + 1] == count


def test_container_does_not_run_as_root() -> None:
    assert instructions("USER") == ["10001"]
    assert "--uid 10001" in instructions("RUN")[0]
    assert [word for word, _ in container()].index("USER") > max(
        at for at, (word, _) in enumerate(container()) if word == "RUN"
    )


def test_container_installs_what_is_locked() -> None:
    (install,) = [words for words in instructions("RUN") if "pip install" in words]
    assert "--require-hashes --requirement requirements.txt" in install
    (base,) = instructions("FROM")
    assert re.fullmatch(r"python:3\.(1[1-9])-slim", base)


def test_each_reason_not_to_be_ready_has_its_remedy() -> None:
    shown = {row[0].strip("`") for row in markdown.section(NAME, "When `/readyz` fails").rows}
    tree = ast.parse(markdown.read("registry/services/operation/health.py"))
    (problems,) = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "problems"
    ]
    sentences = set()
    for node in ast.walk(problems):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.List | ast.ListComp):
            for part in node.value.elts if isinstance(node.value, ast.List) else [node.value.elt]:
                sentences.add(
                    re.sub(r"\{.*?\}", "…", ast.unparse(part).removeprefix("f").strip("'\""))
                )
    assert sentences == shown
