"""Tools are searched in every readable folder of PATH."""

import os
import pwd
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.compilers.tools import numbered_clangs


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield an empty folder that everyone may read, unlike those of pytest."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """Yield an unreadable folder. Root can read it anyway, so the test runs as another user."""
    path = folder / "closed"
    (path / "inside").mkdir(parents=True)
    (path / "clang-99").touch()
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield path
    finally:
        os.seteuid(user)
        path.chmod(0o755)


def test_newest_clang_comes_first(folder: Path) -> None:
    for name in ("clang-9", "clang-22", "clang-format-22", "clang", "clang-cpp-22"):
        (folder / name).touch()
    assert numbered_clangs([str(folder)]) == ["clang-22", "clang-9"]


def test_missing_and_unreadable_folders_are_skipped(folder: Path, closed: Path) -> None:
    folders = [closed, closed / "inside", folder / "missing", folder]
    assert numbered_clangs(map(str, folders)) == []
    with pytest.raises(PermissionError):
        list(closed.iterdir())
