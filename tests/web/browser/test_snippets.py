"""The snippets on a tag's page work when they are pasted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.real import tools
from tests.web.browser.conftest import goto

TAG = "/tags/nvidia/jetson-nano:cuda"
BOTH = pytest.mark.parametrize("which", ["pinned", "floating"])
# TVM is not installed here; `make verify-tvm` asks the real one about every target.
STAND_IN = "from types import SimpleNamespace\ntarget = SimpleNamespace(Target=dict)\n"
CMAKELISTS = "cmake_minimum_required(VERSION 3.20)\nproject(pasted LANGUAGES NONE)\n"


def shown(page: Page, tool: str, which: str) -> str:
    """Return the page's snippet for a tool."""
    goto(page, f"{TAG}?take={tool}")
    command = page.locator(f'[data-copy="the {which} command"]').text_content()
    assert command
    return command


def pasted(command: list[str], text: str, folder: Path) -> str:
    """Return what a program prints that reads what was pasted; it finds this folder's programs."""
    done = subprocess.run(
        command,
        input=text,
        cwd=folder,
        env=os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_shell(text: str, folder: Path) -> str:
    """Return the output of a shell, which stops at the first failing command."""
    return pasted(["/bin/sh"], f"{text}\n", folder)


def in_python(text: str, folder: Path) -> str:
    """Return the output of Python, which can import this folder's modules."""
    return pasted([sys.executable, "-"], f"{text}\nprint(json.dumps(target))\n", folder)


@BOTH
def test_curl(page: Page, tmp_path: Path, which: str) -> None:
    answer = json.loads(in_shell(shown(page, "curl", which), tmp_path))
    assert (answer["tag"], answer["version"]) == ("nvidia/jetson-nano:cuda", "1.1.0")


@BOTH
def test_python(page: Page, tmp_path: Path, which: str) -> None:
    target = json.loads(in_python(shown(page, "python", which), tmp_path))
    assert target["host"]["mcpu"] == "cortex-a57"


@BOTH
def test_tvm(page: Page, tmp_path: Path, which: str) -> None:
    (tmp_path / "tvm.py").write_text(STAND_IN)
    target = json.loads(in_python(shown(page, "tvm", which), tmp_path))
    assert (target["kind"], target["host"]["kind"]) == ("cuda", "llvm")
    assert "hardware" not in target


@BOTH
def test_clang(page: Page, tmp_path: Path, which: str) -> None:
    (tmp_path / "clang").symlink_to(tools.clang())  # Debian's has a number in its name
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    in_shell(shown(page, "clang", which), tmp_path)
    assert (tmp_path / "target.flags").read_text().startswith("--target=aarch64-linux-gnu")
    assert list(tools.machines_of(tmp_path / "main.o")) == [tools.AARCH64]


@BOTH
def test_cmake(page: Page, tmp_path: Path, which: str) -> None:
    tools.tool("cmake")
    (tmp_path / "CMakeLists.txt").write_text(CMAKELISTS)
    in_shell(shown(page, "cmake", which), tmp_path)
    assert "aarch64" in (tmp_path / "toolchain.cmake").read_text()
    cache = (tmp_path / "build" / "CMakeCache.txt").read_text()
    assert f"{tmp_path}/toolchain.cmake" in cache


def test_a_tool_is_chosen_without_script(page: Page) -> None:
    goto(page, TAG)
    tabs = page.get_by_role("navigation", name="Snippets for")
    tabs.get_by_role("link", name="CMake").click()
    expect(tabs.get_by_role("link", name="CMake")).to_have_attribute("aria-current", "true")
    expect(page.locator(".command").first).to_contain_text("CMAKE_TOOLCHAIN_FILE")
