"""docs/operating.md works as written; the files beside it refer only to existing things."""

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
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.core.management import get_commands

from registry.database import release_check
from registry.management.commands.serve import MAX_CONNECTIONS, RESERVED_FILES, WORKERS
from registry.server.lane_choice import LIMITS
from registry.services.operations import health
from tests.compilers.tools import tool
from tests.docs import machine as machines, markdown
from tests.docs.machine import HOME, Machine
from tests.docs.markdown import ROOT, Block, Section
from tests.docs.test_readme import settings_read
from tests.management.test_other_release import ADVICE
from tests.nginx import write_configuration
from tests.patience import PATIENCE
from tests.postgres import chown_to_nobody
from tests.serving import free_port

NAME = "docs/operating.md"
FOLDER = ROOT / "docs/operating"
UNITS = sorted(path.name for path in FOLDER.iterdir() if path.suffix == ".service")
SECTIONS = markdown.sections(markdown.read_document(NAME))
PATH = re.compile(r"/(?:opt|etc|var)/[\w./-]+")
BACKUPS = "var/lib/target-tag-registry-backups"
MIRROR = "var/cache/target-tag-registry-mirror"
MAX_EXPOSURE = 13  # tenths, as systemd-analyze rates it: 100 is a service without confinement


def unit(name: str) -> dict[str, list[str]]:
    """Return the settings of a unit file; a repeated key has several values."""
    settings: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text().splitlines():
        key, _, value = line.partition("=")
        if value and not line.startswith("#"):
            settings.setdefault(key, []).append(value)
    return settings


def container() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile with their arguments."""
    lines = (FOLDER / "Containerfile").read_text().splitlines()
    rest = [line for line in lines if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in rest]


def instructions(word: str) -> list[str]:
    return [arguments for name, arguments in container() if name == word]


def blocks(language: str) -> list[Block]:
    return [
        block
        for block in markdown.blocks(markdown.read_document(NAME))
        if block.language == language
    ]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Yield a machine on which all commands of the document have run, in order."""
    (settings,) = blocks("ini")
    with machines.running_machine(tmp_path_factory.mktemp("machine"), settings.text) as machine:
        for section in SECTIONS:
            run_section(section, machine)
        yield machine


def run_section(section: Section, machine: Machine) -> None:
    """Run a section's commands and compare their output."""
    next_block = [*section.blocks[1:], Block("", "")]
    for block, output in zip(section.blocks, next_block, strict=False):
        if block.language == "sh":
            actual = machine.run(block.text)
            expected = output.text if output.language == "text" else "…"
            assert machines.output_matches(expected, actual), (
                f"{section.title}:\n{expected}\n---\n{actual}"
            )


@pytest.mark.system
def test_every_procedure_works(machine: Machine) -> None:
    """The fixture has run all commands; check the files that they leave."""
    assert (machine.tree / BACKUPS / "before.gz").exists()
    assert (machine.tree / HOME / "moving.gz").exists()
    assert len(blocks("sh")) >= 9


@pytest.mark.parametrize(
    ("expected", "actual", "is_match"),
    [
        ("a … c\n", "a b c\n", True),
        ("…\nend\n", "end\n", True),
        ("…\nend\n", "one\ntwo\nend\n", True),
        ("end\n", "one\nend\n", False),
        ("a … c\n", "a b d\n", False),
        ("(a)\n", "a\n", False),
    ],
)
def test_outputs_are_compared(expected: str, actual: str, is_match: bool) -> None:
    assert machines.output_matches(expected, actual) is is_match


def test_settings_exist() -> None:
    (block,) = blocks("ini")
    names = {line.partition("=")[0] for line in block.text.splitlines()}
    assert names <= settings_read()
    assert set(re.findall(r"(\w+)=", " ".join(instructions("ENV")))) <= {
        *settings_read(),
        "PYTHONUNBUFFERED",
    }


def test_mentioned_commands_exist() -> None:
    named = set(re.findall(r"(?:python |`)manage\.py (\w+)", markdown.read_document(NAME)))
    assert {name for name in named if name not in get_commands()} == set()
    assert {"backup", "restore", "verify", "reindex", "lint", "redact", "revoke_token"} <= named


def test_every_file_is_linked() -> None:
    text = markdown.read_document(NAME)
    for path in FOLDER.iterdir():
        assert f"(operating/{path.name})" in text


def test_setup_commands_refer_to_existing_files() -> None:
    texts = [(FOLDER / name).read_text() for name in UNITS]
    texts += [block.text for language in ("sh", "ini") for block in blocks(language)]
    paths = {Path(path) for text in texts for path in PATH.findall(text)}
    paths |= {parent for path in paths for parent in path.parents}
    words = [word for block in blocks("bash") for word in block.text.split()]
    for word in words:
        if word in machines.CODE or word.startswith("docs/"):
            assert list(ROOT.glob(word)), word
        if word.startswith("target-tag-registry") and "." in word:
            assert word in UNITS
        if PATH.fullmatch(word) and word != "/etc/systemd/system":
            assert Path(word) in paths, word
    assert len(words) > 50


@pytest.mark.parametrize("name", UNITS)
def test_unit_refers_to_existing_things(name: str) -> None:
    settings = unit(name)
    assert settings["WantedBy"] == ["multi-user.target"]
    assert settings["WorkingDirectory"] == [f"/{HOME}"]
    assert settings["EnvironmentFile"] == [f"/{machines.SETTINGS}"]
    assert "target-tag-registry" in settings["StateDirectory"][0].split()
    assert (settings["User"], settings["Group"]) == (["registry"], ["registry"])
    for program in re.findall(r"\.venv/bin/(\w+)", settings["ExecStart"][0]):
        assert Path(sys.executable).with_name(program).exists()
    for command in re.findall(r"manage\.py (\w+)", settings["ExecStart"][0]):
        assert get_commands()[command] == "registry"


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    program = tool("systemd-analyze")
    machine = Machine(tmp_path, "")
    machines.install_registry(tmp_path)
    (tmp_path / machines.SETTINGS).parent.mkdir(parents=True)
    (tmp_path / machines.SETTINGS).touch()
    for name in UNITS:
        (tmp_path / name).write_text(machine.translate((FOLDER / name).read_text()))
    command = [program, "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_nginx_accepts_the_configuration() -> None:
    """As an ordinary user, who can neither write to nginx's folders nor listen on port 80."""
    program = tool("nginx", folders="/usr/sbin")
    (block,) = blocks("nginx")
    with TemporaryDirectory() as folder:
        user = chown_to_nobody(Path(folder)) if os.geteuid() == 0 else {}
        server = f"server {{ listen 127.0.0.1:{free_port()}; {block.text} }}"
        config = write_configuration(Path(folder), server)
        command = [program, "-t", "-q", "-e", f"{folder}/log", "-c", str(config)]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False, **user
        )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.system
def test_nightly_jobs_succeed(machine: Machine) -> None:
    (command,) = unit("target-tag-registry-worker.service")["ExecStart"]
    # The document has run those that every worker has.
    machine.run(f"set -a; . /{machines.SETTINGS}; cd /{HOME}; {command} --once")
    backups = [path.name for path in (machine.tree / BACKUPS).glob("20*")]
    assert len(backups) == 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d\.gz", backups[0])
    formats = [path.name for path in (machine.tree / MIRROR / "formats").iterdir()]
    assert sorted(formats) == ["clang", "cmake", "iree", "tvm"]


@pytest.mark.system
def test_container_image_is_complete(machine: Machine, tmp_path: Path) -> None:
    """Follow the instructions on copies; the server must become ready with these files alone."""
    image = tmp_path / "image"
    image.mkdir()
    for words in instructions("COPY"):
        *sources, target = words.split()
        for source in sources:
            assert (ROOT / source).exists(), source
            destination = image / source if target == "./" else image / target
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, destination)
    collect = next(words for words in instructions("RUN") if "collectstatic" in words)
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "REGISTRY_VAR": str(tmp_path / "var"),
    }
    shell = ["sh", "-c", collect]
    subprocess.run(shell, cwd=image, env=environment, check=True, timeout=PATIENCE)
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["static"], "no key is generated"
    lines = (machine.tree / machines.SETTINGS).read_text().splitlines()
    environment |= dict(line.split("=", 1) for line in lines if "REGISTRY_VAR" not in line)
    (command,) = map(json.loads, instructions("CMD"))
    with running_server(command, image, environment) as port:
        assert_healthy(port, environment)


def assert_healthy(port: int, environment: dict[str, str]) -> None:
    """Run the health check of the container."""
    (check,) = instructions("HEALTHCHECK")
    command = json.loads(check.partition("CMD ")[2])
    assert "/readyz" in command[-1]
    command = [word.replace(":8000", f":{port}") for word in command]
    subprocess.run(command, env=environment, check=True, timeout=PATIENCE)


@contextmanager
def running_server(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[int]:
    """Run a server command from a folder and yield its port on loopback."""
    port = free_port()
    words = [str(port) if word == "8000" else word for word in command]
    words = ["127.0.0.1" if word == "0.0.0.0" else word for word in words]  # noqa: S104 - replaced
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=5) as response:  # noqa: S310 - loopback
                assert json.load(response)["ready"]
                return
        except URLError:
            time.sleep(0.1)
    raise TimeoutError(f"{url} is not ready within {PATIENCE} s")


def test_all_ways_to_serve_are_equal() -> None:
    """The unit, the container and `make serve` start the same server."""
    (unit_command,) = unit("target-tag-registry.service")["ExecStart"]
    (command,) = map(json.loads, instructions("CMD"))
    program, *words = shlex.split(unit_command)
    assert program == f"/{HOME}/.venv/bin/{command[0]}"
    assert words == [word for word in command[1:] if word not in ("--host", "0.0.0.0")]  # noqa: S104
    assert words[words.index("--workers") + 1] == str(WORKERS), "as `make serve`"
    assert "$(MANAGE) quickstart -- " in markdown.read_document("Makefile"), "it calls `serve`"


def test_container_does_not_run_as_root() -> None:
    assert instructions("USER") == ["10001"]
    assert any("useradd" in words and "--uid 10001" in words for words in instructions("RUN"))
    assert [word for word, _ in container()].index("USER") > max(
        index for index, (word, _) in enumerate(container()) if word == "RUN"
    )


def test_container_installs_locked_requirements() -> None:
    (install,) = [words for words in instructions("RUN") if "pip install" in words]
    assert "--require-hashes --requirement requirements.txt" in install


def test_container_base_is_named_by_a_digest_that_the_build_needs() -> None:
    assert container()[:2] == [
        ("ARG", "BASE_DIGEST"),
        ("FROM", "docker.io/library/python@${BASE_DIGEST}"),
    ]
    (build,) = [line for line in container_commands() if line.startswith("podman build")]
    assert '--build-arg BASE_DIGEST="$digest"' in build


def test_container_rejects_a_python_that_is_too_old() -> None:
    (check,) = [words for words in instructions("RUN") if "version_info" in words]
    _, _, code = shlex.split(check)
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    old = code.replace("import sys;", "import sys; sys.version_info = (3, 10);")
    done = subprocess.run([sys.executable, "-c", old], capture_output=True, check=False)
    assert done.returncode == 1
    minimum = re.search(r'requires-python = ">=3\.(\d+)"', markdown.read_document("pyproject.toml"))
    assert minimum
    assert f"(3, {minimum[1]})" in code


def container_commands() -> list[str]:
    return markdown.section(NAME, "Run as a container").blocks[0].text.splitlines()


def test_containers_run_confined() -> None:
    runs = [line for line in container_commands() if "--detach" in line]
    for run, name in zip(runs, ("registry", "registry-worker"), strict=True):
        settings = unit(f"target-tag-{name}.service")
        files = settings.get("LimitNOFILE", [])
        for option in (
            f"--name {name} ",
            "--read-only",
            "--cap-drop all",
            "--security-opt no-new-privileges",
            f"--memory {settings['MemoryMax'][0].lower()}",
            f"--pids-limit {settings['TasksMax'][0]}",
            *(f"--ulimit nofile={limit}:{limit}" for limit in files),
        ):
            assert option in run


def test_unit_permits_as_many_files_as_a_worker_needs() -> None:
    settings = unit("target-tag-registry.service")
    assert settings["LimitNOFILE"] == [str(MAX_CONNECTIONS + RESERVED_FILES)]


def test_limits_of_the_unit_are_those_documented_for_its_workers() -> None:
    settings = unit("target-tag-registry.service")
    rows = {row[0].strip("`"): row[1] for row in markdown.section(NAME, "Serve").rows}
    per_worker = {name: float(rows[name].split()[0]) for name in ("MemoryMax", "TasksMax")}
    assert settings["MemoryMax"] == [f"{WORKERS * per_worker['MemoryMax']:g}G"]
    assert settings["TasksMax"] == [f"{WORKERS * per_worker['TasksMax']:g}"]
    assert rows["LimitNOFILE"].replace(",", "") == settings["LimitNOFILE"][0]
    assert settings["OOMPolicy"] == ["continue"], "systemd would stop the whole unit"


def test_lanes_are_those_of_the_server() -> None:
    rows = {row[0].strip("`"): row[2:] for row in markdown.section(NAME, "Serve").rows}
    for name, limits in LIMITS.items():
        *counts, seconds = limits
        limit = "no limit" if seconds == inf else f"{seconds:g}"
        assert rows[name] == [*(f"{count:,}" for count in counts), limit]


@pytest.mark.parametrize("name", UNITS)
def test_units_are_confined(name: str, tmp_path: Path) -> None:
    program = tool("systemd-analyze")
    (tmp_path / name).write_text((FOLDER / name).read_text())
    path, threshold = str(tmp_path / name), str(MAX_EXPOSURE)
    command = [program, "security", "--offline=true", f"--threshold={threshold}", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("name", UNITS)
def test_no_unit_can_take_the_whole_machine(name: str) -> None:
    settings = unit(name)
    (memory,), (tasks,) = settings["MemoryMax"], settings["TasksMax"]
    assert re.fullmatch(r"[1-9]G", memory)
    assert int(tasks) <= 80


def test_every_readiness_problem_is_documented() -> None:
    documented = {row[0].strip("`") for row in markdown.section(NAME, "When /readyz fails").rows}
    tree = ast.parse(markdown.read_document("registry/services/operations/health.py"))
    (problems,) = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "problems"
    ]
    sentences = {release_check.NOT_MIGRATED, f"another release created this database (…): {ADVICE}"}
    sentences |= {*health.FAILURES.values()}
    for node in ast.walk(problems):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.List | ast.ListComp):
            for part in node.value.elts if isinstance(node.value, ast.List) else [node.value.elt]:
                sentences.add(
                    re.sub(r"\{.*?\}", "…", ast.unparse(part).removeprefix("f").strip("'\""))
                )
    assert sentences - {"problem", "FAILURES[write_failure]"} == documented  # of the tables
