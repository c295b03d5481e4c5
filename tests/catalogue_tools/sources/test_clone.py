"""Clones state the commit of their files."""

import subprocess
from pathlib import Path

import pytest

from catalogue_tools.sources.clone import Clone, SourceError, open_clone

COMMIT, DATE = "a" * 40, "2026-08-21"


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a git clone of acme/lists with one file."""
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "remote", "add", "origin", "https://example.org/acme/lists.git")
    (tmp_path / "list.txt").write_text("one")
    git(tmp_path, "add", "list.txt")
    git(tmp_path, "commit", "--quiet", "--message", "List one", "--date", "2020-01-01T00:00:00")
    return tmp_path


def test_git_states_commit_date_and_origin(clone: Path) -> None:
    opened = open_clone(clone)
    commit, commit_date = git(clone, "log", "-1", "--format=%H %cs").split()
    assert opened == Clone(clone, commit, commit_date, "acme/lists")
    assert opened.text("list.txt") == "one"
    assert opened.files("*.txt") == ["list.txt"]


def test_clone_without_origin_has_no_repository(clone: Path) -> None:
    git(clone, "remote", "remove", "origin")
    assert open_clone(clone).repo == ""


def test_changed_file_is_refused_by_name(clone: Path) -> None:
    (clone / "list.txt").write_text("two")
    with pytest.raises(SourceError, match=r"list\.txt has changed"):
        open_clone(clone)


def test_commit_of_a_git_clone_is_not_stated_twice(clone: Path) -> None:
    with pytest.raises(SourceError, match="states its commit and date itself"):
        open_clone(clone, COMMIT, DATE)


def test_empty_repository_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(SourceError, match="git cannot read"):
        open_clone(tmp_path)


def test_folder_without_git_has_the_stated_commit(tmp_path: Path) -> None:
    assert open_clone(tmp_path, COMMIT, DATE) == Clone(tmp_path, COMMIT, DATE)


@pytest.mark.parametrize(
    ("commit", "day", "expected"),
    [
        ("", DATE, "state the commit of its files in 40 digits"),
        ("abc", DATE, "state the commit of its files in 40 digits"),
        (COMMIT, "", "state the date of the commit, such as 2026-08-21"),
        (COMMIT, "yesterday", "state the date of the commit, such as 2026-08-21"),
    ],
)
def test_folder_without_git_needs_commit_and_date(
    tmp_path: Path, commit: str, day: str, expected: str
) -> None:
    with pytest.raises(SourceError, match=expected):
        open_clone(tmp_path, commit, day)


def test_missing_folder_and_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere is not a folder"):
        open_clone(tmp_path / "nowhere")
    clone = open_clone(tmp_path, COMMIT, DATE)
    with pytest.raises(SourceError, match=r"has no file docs/list\.md"):
        clone.text("docs/list.md")
    with pytest.raises(SourceError, match=r"has no files \*\.md"):
        clone.files("*.md")


def test_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(b"\xff")
    with pytest.raises(SourceError, match=r"list\.txt cannot be read as UTF-8"):
        open_clone(tmp_path, COMMIT, DATE).text("list.txt")
