"""Branches that change the same lock, merged by git."""

import subprocess
from pathlib import Path

import pytest

from tests.client.conftest import Ttag
from tests.client.lock.test_format import locked
from ttag import Lock
from ttag.lock.content import LockedTarget
from ttag.lock.lock import write_lock
from ttag.lock.merge import split_sides

AWAY = "http://127.0.0.1:9"  # nothing listens there


def git(folder: Path, *arguments: str, code: int = 0) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=False, capture_output=True
    )
    assert done.returncode == code


def commit(folder: Path, branch: str, *targets: LockedTarget) -> None:
    """Commit a lock on a new branch."""
    git(folder, "checkout", "-b", branch)
    write_lock(folder / "targets.lock", targets)
    git(folder, "add", "targets.lock")
    git(folder, "commit", "-m", branch)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository with a lock of two targets, on the branch base."""
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init")
    commit(folder, "base", locked("b/b"), locked("d/d"))
    return folder


def names(folder: Path) -> list[str]:
    return [*Lock.read(folder / "targets.lock").targets]


def test_branches_that_lock_targets_at_different_places_merge(clone: Path) -> None:
    commit(clone, "one", locked("a/a"), locked("b/b"), locked("d/d"))
    git(clone, "checkout", "base")
    commit(clone, "other", locked("b/b"), locked("c/c"), locked("d/d"))
    git(clone, "merge", "one")
    assert names(clone) == ["a/a", "b/b", "c/c", "d/d"]


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_targets_at_the_same_place_conflict_and_are_united(
    clone: Path, ttag: Ttag, style: str
) -> None:
    commit(clone, "one", locked("b/b"), locked("c/a", formats={"clang": "x\n"}), locked("d/d"))
    git(clone, "checkout", "base")
    commit(clone, "other", locked("b/b"), locked("c/b", cores=8), locked("d/d"))
    git(clone, "-c", f"merge.conflictStyle={style}", "merge", "one", code=1)
    run = ttag("resolve", "b/b", directory=clone)
    assert (run.code, "has merge conflicts. `ttag lock` unites both sides." in run.err) == (6, True)
    assert ttag("lock", directory=clone, TTAG_REGISTRY="").code == 0
    assert names(clone) == ["b/b", "c/a", "c/b", "d/d"]


def test_target_that_both_branches_changed_has_to_be_locked_anew(clone: Path, ttag: Ttag) -> None:
    commit(clone, "one", locked("b/b", cores=8), locked("d/d"))
    git(clone, "checkout", "base")
    commit(clone, "other", locked("b/b", cores=16), locked("d/d"))
    git(clone, "merge", "one", code=1)
    run = ttag("lock", directory=clone, TTAG_REGISTRY="")
    assert run.code == 5
    assert "b/b cannot be trusted: both sides of the merge lock it differently, at b/b@" in run.err
    assert "lock it again with `ttag lock b/b`" in run.err


def test_sides_of_a_conflict_are_told_apart() -> None:
    text = "a\n<<<<<<< HEAD\nb\n||||||| base\nc\n=======\nd\n>>>>>>> one\n=======\ne\n"
    assert split_sides(text) == ("a\nb\n=======\ne\n", "a\nd\n=======\ne\n")
