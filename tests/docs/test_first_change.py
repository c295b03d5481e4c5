"""The first change, made in a copy of the code as `docs/first-change.md` says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import markdown
from tests.docs.markdown import ROOT, read_document
from tests.patience import PATIENCE

PAGE = "docs/first-change.md"
COPIED = ("catalogue_tools", "client", "registry", "tests", "docs", "pyproject.toml")
CREATE = re.compile(
    r"In `([\w./-]+)`, create a\s+file `([\w.]+)`:\s+```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
APPEND = re.compile(r"Append to `([\w./-]+)`:\s+```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
REPLACE = re.compile(
    r"In `([\w./-]+)`, replace\s+```\w+\n(.*?)^```\s+by\s+```\w+\n(.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the code."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "screenshots")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def run(command: str, folder: Path) -> int:
    """Run a command of the page; the environment is the one that runs this test."""
    program, *words = command.split()
    binaries = Path(sys.executable).parent
    completed = subprocess.run(
        [binaries / Path(program).name, *words],
        cwd=folder,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return completed.returncode


def commands(title: str, text: str) -> list[str]:
    (section,) = (part for part in markdown.sections(text) if part.title.startswith(title))
    return [
        line
        for block in section.blocks
        if block.language == "sh"
        for line in block.text.splitlines()
    ]


def test_walk_from_a_failing_test_to_a_checked_change(checkout: Path) -> None:
    text = read_document(PAGE)
    [(room, name, content)] = CREATE.findall(text)
    (checkout / room / name).write_text(content)
    [pytest_command] = commands("3. Write the test", text)
    assert run(pytest_command, checkout) == pytest.ExitCode.TESTS_FAILED

    [(path, addition)] = APPEND.findall(text)
    with (checkout / path).open("a") as file:
        file.write(f"\n\n{addition}")
    replacements = REPLACE.findall(text)
    assert len(replacements) == 2
    for path, old, new in replacements:
        before = (checkout / path).read_text()
        assert before.count(old) == 1, f"{path} has once: {old}"
        (checkout / path).write_text(before.replace(old, new))
    assert commands("4. Write the rule", text) == [pytest_command]
    assert run(pytest_command, checkout) == 0
    assert [run(command, checkout) for command in commands("6. Check", text)] == [0, 0]


def test_page_has_no_other_edits_and_commands() -> None:
    """Nothing on the page is left out of the walk."""
    text = read_document(PAGE)
    assert len(markdown.blocks(text)) == 10
    edits = 1 + 1 + 2 * len(REPLACE.findall(text))
    shell = [block for block in markdown.blocks(text) if block.language == "sh"]
    assert edits + len(shell) == 10
    assert commands("1. Get the code", text) == ["make .venv/dev-installed"]
