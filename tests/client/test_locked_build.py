"""The first section of docs/build-tools.md, from nothing to a locked build, as a newcomer."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.compilers import tools
from tests.databases import ROOT
from tests.docs import exchange, markdown

BLOCKS = markdown.section("docs/build-tools.md", "A locked build in five minutes").blocks
SOURCE = "int main(void) { return 0; }\n"


@pytest.fixture
def project(tmp_path: Path, registry: str) -> Path:
    """Return the folder of a new project, beside a checkout of the registry's client."""
    client = tmp_path / "target-tag-registry" / "client"
    shutil.copytree(ROOT / "client", client, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.c").write_text(SOURCE)
    (settings,) = [block.text for block in BLOCKS if block.language == "toml"]
    (folder / "pyproject.toml").write_text(settings.replace(exchange.ORIGIN, registry))
    (folder / "bin").mkdir()
    (folder / "bin" / "clang").symlink_to(tools.clang())
    return folder


def run(script: str, folder: Path, **variables: str) -> str:
    """Run a script in a shell as a user without settings of her own; return all that it prints."""
    done = subprocess.run(
        ["bash", "-eu"],
        input=script,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=folder,
        env={
            "HOME": str(folder.parent),
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            # The build backend is installed for the tests; pip would download it.
            "PIP_NO_BUILD_ISOLATION": "0",  # which means no isolation, in spite of the number
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PYTHONPATH": sysconfig.get_path("purelib"),
            **variables,
        },
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.system
def test_section_runs_from_nothing_to_a_locked_build(project: Path) -> None:
    install, *steps = [block.text for block in BLOCKS if block.language == "sh"]
    printed = run(install, project)
    for step in steps:
        printed += run(f". .venv/bin/activate\n{step}", project)
    for expected in [block.text for block in BLOCKS if block.language == "text"]:
        assert expected.strip() in printed
    assert (project / "main.o").stat().st_size > 0
    assert "CMAKE_SYSTEM_PROCESSOR" in (project / "toolchain.cmake").read_text()


def test_locked_build_needs_no_registry(project: Path) -> None:
    _, lock, build, *_ = [block.text for block in BLOCKS if block.language == "sh"]
    client = {"PYTHONPATH": str(ROOT / "client")}
    (project / "bin" / "ttag").write_text('#!/bin/sh\nexec python3 -m ttag "$@"\n')
    (project / "bin" / "ttag").chmod(0o755)
    run(lock, project, **client)
    run(build, project, **client, TTAG_REGISTRY="http://127.0.0.1:9")
    assert (project / "main.o").stat().st_size > 0
