import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import quick
from tests.quick import ROOT, changed_files, fast_tests

TIMED = """
import sys
import pytest
from tests.quick import TimeLimit
sys.exit(pytest.main([*sys.argv[2:]], plugins=[TimeLimit(float(sys.argv[1]))]))
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with two commits, of which the second adds `second`."""
    monkeypatch.setattr(quick, "ROOT", tmp_path)
    git(tmp_path, "init", "--quiet")
    for name in ("first", "second"):
        (tmp_path / name).write_text(name)
        git(tmp_path, "add", name)
        author = ("-c", "user.name=Alice", "-c", "user.email=alice@example.org")
        git(tmp_path, *author, "commit", "--quiet", "--message", name)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def test_without_changes_the_last_commit_is_tested(repository: Path) -> None:
    assert changed_files() == ["second"]


def test_changed_and_new_files_are_tested(repository: Path) -> None:
    (repository / "first").write_text("changed")
    (repository / "third").touch()
    assert changed_files() == ["first", "third"]
    assert changed_files("HEAD~1") == ["first", "second", "third"]


def test_deleted_and_ignored_files_are_not_tested(repository: Path) -> None:
    (repository / ".gitignore").write_text("ignored\n")
    (repository / "ignored").touch()
    (repository / "first").unlink()
    assert changed_files() == [".gitignore"]


def test_close_and_fast_tests_are_chosen() -> None:
    tests = fast_tests(["registry/services/proposals/review.py"])
    assert tests[0] == "tests/services/proposals/test_review.py"
    assert "tests/api/proposals/test_proposals.py" in tests
    assert not any(test.startswith(("tests/web/browser/", "tests/real/")) for test in tests)


def test_changed_slow_test_is_chosen() -> None:
    assert fast_tests(["tests/test_server.py"]) == ["tests/test_server.py"]


def test_far_files_have_no_fast_tests() -> None:
    assert fast_tests(["LICENSE"]) == []


@pytest.mark.parametrize(
    ("limit", "expected"), [(60, "2 passed"), (-1, "2 tests did not run; `make test` runs all")]
)
def test_no_test_is_started_after_the_end(limit: int, expected: str, tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("def test_one(): ...\ndef test_two(): ...\n")
    options = ["-c", os.devnull, "--disable-plugin-autoload", "-p", "no:cacheprovider"]
    command = [sys.executable, "-c", TIMED, str(limit), *options, "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert expected in done.stdout
    assert ("passed" in done.stdout) == (limit > 0)
