"""Completion, as bash asks for it and as somebody at a terminal sees it."""

import os
import pty
import select
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from registry.services.versions.exporting import EXPORT_FORMATS
from tests.client.conftest import Ttag
from tests.client.scripted_server import ScriptedServer
from tests.databases import ROOT
from ttag.cli import names
from ttag.cli.complete import FORMATS
from ttag.cli.main import commands
from ttag.settings import DEFAULT_TIMEOUT

LIMIT = 30  # seconds to wait for the shell


def candidates(ttag: Ttag, line: str) -> list[str]:
    run = ttag("complete", "--", line)
    assert (run.code, run.err) == (0, "")
    return run.out.splitlines()


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a registry on a busy machine."""
    monkeypatch.setattr(names, "PATIENCE", LIMIT)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ttag reso", ["resolve"]),
        ("ttag compl", ["completion"]),
        ("ttag --v", ["--version"]),
        ("ttag diff --exit", ["--exit-code"]),
        ("ttag resolve arm/soc --format cl", ["clang"]),
        ("ttag resolve --format=cl", ["--format=clang"]),
        ("ttag completion ", ["bash"]),
        ("ttag publish --format tvm-", ["tvm-string"]),
        ("ttag records co", ["coverage"]),
        ("ttag resolve ar", ["arm/"]),
        ("ttag resolve arm/so", ["arm/soc", "arm/soc:aot"]),
        ("ttag resolve arm/soc:", ["arm/soc:aot"]),
        ("ttag resolve --format clang arm/soc:", ["arm/soc:aot"]),
        ("ttag resolve --strict arm/soc:", ["arm/soc:aot"]),
        ("ttag diff arm/soc arm/soc:", ["arm/soc:aot"]),
        ("ttag runs-on arm/soc arm/soc:", ["arm/soc:aot"]),
        ("ttag runs-on arm/soc --st", ["--strict"]),
        ("ttag check --on th", ["this"]),
        ("ttag check --on arm/soc:", ["arm/soc:aot"]),
        ("ttag check th", []),
        ("ttag versions arm/soc@1", ["arm/soc@1.0.0"]),
        ("ttag search --namespace ar", ["arm"]),
        ("ttag resolve --output ", []),
        ("ttag resolve nobody/", []),
        ("ttag resolve UPPER/case@", []),
    ],
)
@pytest.mark.usefixtures("patience")
def test_last_word_is_completed(ttag: Ttag, line: str, expected: list[str]) -> None:
    assert candidates(ttag, line) == expected


def test_commands_for_people_are_completed(ttag: Ttag) -> None:
    words = candidates(ttag, "ttag ")
    assert {command.name for command in commands()} - set(words) == {"complete"}


def test_formats_are_those_of_the_registry() -> None:
    assert sorted(EXPORT_FORMATS) == list(FORMATS)


def test_namespace_of_the_settings_is_completed(ttag: Ttag, tmp_path: Path) -> None:
    (tmp_path / "work" / "ttag.toml").write_text('namespaces = {own = "http://127.0.0.1:9"}')
    assert candidates(ttag, "ttag resolve ow") == ["own/"]


def test_missing_registry_means_no_names(ttag: Ttag) -> None:
    assert candidates(partial(ttag, TTAG_REGISTRY=""), "ttag resolve ar") == []
    away = partial(ttag, TTAG_REGISTRY="http://127.0.0.1:9")
    assert candidates(away, "ttag resolve ar") == []


def test_silent_registry_is_given_up_after_a_second(ttag: Ttag, server: ScriptedServer) -> None:
    begin = time.monotonic()
    assert candidates(partial(ttag, TTAG_REGISTRY=server.address), "ttag resolve ar") == []
    assert time.monotonic() - begin < DEFAULT_TIMEOUT - 3


@pytest.mark.usefixtures("patience")
def test_cache_completes_when_ttag_is_offline(ttag: Ttag) -> None:
    online = candidates(ttag, "ttag resolve arm/soc")
    offline = partial(ttag, TTAG_OFFLINE="1")
    assert candidates(offline, "ttag resolve arm/soc") == online != []


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a folder with the command ttag, which waits for a registry on a busy machine."""
    folder = tmp_path / "bin"
    folder.mkdir()
    code = f"import ttag.cli.names as n; n.PATIENCE = {LIMIT}; import ttag.__main__ as m; m.run()"
    (folder / "ttag").write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    (folder / "ttag").chmod(0o755)
    return folder


def type_into_bash(keys: str, expected: str, environment: dict[str, str], folder: Path) -> str:
    """Type into an interactive bash until it shows something, and return what it has shown."""
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    try:
        os.write(ours, keys.encode())
        deadline = time.monotonic() + LIMIT
        while expected not in shown.decode(errors="replace") and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.2)[0]:
                shown += os.read(ours, 4096)
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)
    return shown.decode(errors="replace")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("ttag resolve arm/soc:a\t", "arm/soc:aot "),
        ("ttag resolve arm/soc@1\t", "arm/soc@1.0.0 "),
        ("ttag resolve arm/soc:aot@1\t", "arm/soc:aot@1.0.0 "),
        ("ttag resolve arm/soc --format=cl\t", "--format=clang "),
        ("ttag expl\tar\tsoc:a\t", "explain arm/soc:aot "),
    ],
)
def test_bash_completes_the_line(
    registry: str, program: Path, tmp_path: Path, typed: str, completed: str
) -> None:
    environment = {
        "PATH": f"{program}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "client"),
        "TTAG_REGISTRY": registry,
        "HOME": str(tmp_path),
        "TERM": "dumb",
        "PS1": "$ ",
    }
    keys = f'eval "$(ttag completion bash)"\n{typed}'
    assert completed in type_into_bash(keys, completed, environment, tmp_path)
