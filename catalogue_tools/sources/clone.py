"""A folder with the files of an upstream project at one commit."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any


class SourceError(ValueError):
    """A clone cannot be read. Its text says what is wrong, and what was expected."""


def require(items: Any, path: str, expected: str) -> None:
    """Raise `SourceError` if a file that should list products gave none."""
    if not items:
        raise SourceError(f"{path} has no {expected}: has the file another form?")


@dataclass(frozen=True, slots=True)
class Clone:
    """A folder, the commit of its files with the day of that commit, and where it was cloned from.

    `repo` is `owner/name`; empty if the folder does not say.
    """

    folder: Path
    commit: str
    commit_date: str
    repo: str = ""

    def text(self, path: str) -> str:
        """Return the text of a file. Raises `SourceError` if it is missing or no UTF-8."""
        try:
            return (self.folder / path).read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise SourceError(f"{self.folder} has no file {path}.") from error
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(f"{path} cannot be read as UTF-8 text: {error}") from error

    def matches(self, path: str, pattern: re.Pattern[str], expected: str) -> list[Any]:
        """Return all matches in a file. Raises `SourceError` if it has none of what is expected."""
        matches = pattern.findall(self.text(path))
        require(matches, path, expected)
        return matches

    def files(self, pattern: str) -> list[str]:
        """Return the paths of files that match a glob pattern. Raises `SourceError` if none do."""
        paths = sorted(path for path in self.folder.glob(pattern) if path.is_file())
        if not paths:
            raise SourceError(f"{self.folder} has no files {pattern}.")
        return [str(path.relative_to(self.folder)) for path in paths]


def open_clone(folder: Path, commit: str = "", commit_date: str = "") -> Clone:
    """Return the clone in a folder; of a folder without git, at the commit and date given.

    Raises `SourceError` if files of a git clone have changed since its commit, or a folder
    without git has no commit and date.
    """
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder.")
    if (folder / ".git").exists():
        if commit or commit_date:
            raise SourceError(f"{folder} is a git clone, which states its commit and date itself.")
        return _git_clone(folder)
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise SourceError(f"{folder} is no git clone: state the commit of its files in 40 digits.")
    try:
        date.fromisoformat(commit_date)
    except ValueError as error:
        raise SourceError(
            f"{folder} is no git clone: state the date of the commit, such as 2026-08-21."
        ) from error
    return Clone(folder, commit, commit_date)


def _git_clone(folder: Path) -> Clone:
    if changed := _git(folder, ["status", "--porcelain"]):
        first = changed.splitlines()[0].split(maxsplit=1)[-1]
        raise SourceError(f"{folder} is not as its commit has it: {first} has changed.")
    commit, commit_date = _git(folder, ["log", "-1", "--format=%H %cs"]).split()
    origin = _git(folder, ["config", "--default", "", "--get", "remote.origin.url"])
    match = re.search(r"([^/:]+/[^/]+?)(?:\.git)?/?$", origin.strip())
    return Clone(folder, commit, commit_date, match[1] if match else "")


def _git(folder: Path, arguments: Sequence[str]) -> str:
    command = ["git", "-C", str(folder), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - arguments are ours
    except FileNotFoundError as error:
        raise SourceError("git is not installed.") from error
    if result.returncode:
        raise SourceError(f"git cannot read {folder}: {result.stderr.strip()}")
    return result.stdout
