"""The snippets on a tag's page work when they are pasted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.compilers import tools
from tests.databases import ROOT
from tests.web.browser.conftest import goto

TAG = "/tags/nvidia/jetson-nano:cuda"
BOTH_COMMANDS = pytest.mark.parametrize("kind", ["pinned", "floating"])
# TVM is not installed for these tests; `make verify-tvm` checks every target with the real one.
FAKE_TVM = "from types import SimpleNamespace\ntarget = SimpleNamespace(Target=dict)\n"
CMAKELISTS = "cmake_minimum_required(VERSION 3.20)\nproject(pasted LANGUAGES NONE)\n"


def snippet(page: Page, tool: str, kind: str) -> str:
    """Return the snippet of a tool."""
    goto(page, f"{TAG}?take={tool}")
    command = page.locator(f'[data-copy="the {kind} command"]').text_content()
    assert command
    return command


def newest(page: Page) -> str:
    """Return the version number on the page of a tag."""
    return page.locator(".vitals div", has_text="Version").locator("b").inner_text()


def run(command: list[str], text: str, folder: Path) -> str:
    """Run a program on some input and return its output; the folder is on its PATH."""
    process = subprocess.run(
        command,
        input=text,
        cwd=folder,
        env=os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def run_in_shell(text: str, folder: Path) -> str:
    """Run commands in a shell and return their output."""
    return run(["/bin/sh"], f"{text}\n", folder)


def run_in_python(text: str, folder: Path) -> str:
    """Run Python code, which can import modules from the folder, and return its output."""
    return run([sys.executable, "-"], f"{text}\nprint(json.dumps(target))\n", folder)


def client(folder: Path) -> None:
    """Put the command ttag into a folder, as pip would."""
    command = folder / "ttag"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT / "client"} exec {sys.executable} -m ttag "$@"\n'
    )
    command.chmod(0o755)


@BOTH_COMMANDS
def test_curl(page: Page, tmp_path: Path, kind: str) -> None:
    response = json.loads(run_in_shell(snippet(page, "curl", kind), tmp_path))
    assert (response["tag"], response["version"]) == ("nvidia/jetson-nano:cuda", newest(page))


@BOTH_COMMANDS
def test_python(page: Page, tmp_path: Path, kind: str) -> None:
    target = json.loads(run_in_python(snippet(page, "python", kind), tmp_path))
    assert target["host"]["mcpu"] == "cortex-a57"


@BOTH_COMMANDS
def test_tvm(page: Page, tmp_path: Path, kind: str) -> None:
    (tmp_path / "tvm.py").write_text(FAKE_TVM)
    target = json.loads(run_in_python(snippet(page, "tvm", kind), tmp_path))
    assert (target["kind"], target["host"]["kind"]) == ("cuda", "llvm")
    assert "hardware" not in target


@BOTH_COMMANDS
def test_clang(page: Page, tmp_path: Path, kind: str) -> None:
    (tmp_path / "clang").symlink_to(tools.clang())  # its name may contain a version
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    run_in_shell(snippet(page, "clang", kind), tmp_path)
    assert (tmp_path / "target.flags").read_text().startswith("--target=aarch64-linux-gnu")
    assert list(tools.machines_of(tmp_path / "main.o")) == [tools.AARCH64]


@BOTH_COMMANDS
def test_cmake(page: Page, tmp_path: Path, kind: str) -> None:
    tools.tool("cmake")
    (tmp_path / "CMakeLists.txt").write_text(CMAKELISTS)
    run_in_shell(snippet(page, "cmake", kind), tmp_path)
    assert "aarch64" in (tmp_path / "toolchain.cmake").read_text()
    cache = (tmp_path / "build" / "CMakeCache.txt").read_text()
    assert f"{tmp_path}/toolchain.cmake" in cache


def test_tool_is_chosen_without_javascript(page: Page) -> None:
    goto(page, TAG)
    tabs = page.get_by_role("navigation", name="Snippets for")
    tabs.get_by_role("link", name="CMake").click()
    expect(tabs.get_by_role("link", name="CMake")).to_have_attribute("aria-current", "true")
    expect(page.locator(".command").first).to_contain_text("CMAKE_TOOLCHAIN_FILE")


@BOTH_COMMANDS
def test_ttag(page: Page, tmp_path: Path, kind: str) -> None:
    client(tmp_path)
    target = json.loads(run_in_shell(snippet(page, "ttag", kind), tmp_path))
    assert target["arch"] == "sm_53"


@BOTH_COMMANDS
def test_lock(page: Page, tmp_path: Path, kind: str) -> None:
    client(tmp_path)
    assert '"arch":"sm_53"' in run_in_shell(snippet(page, "lock", kind), tmp_path)
    assert f'version = "{newest(page)}"' in (tmp_path / "targets.lock").read_text()
