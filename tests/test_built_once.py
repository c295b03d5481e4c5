import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.built_once import IN_USE, ROOT, built_once, digest_of


@pytest.fixture(autouse=True)
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REGISTRY_VAR", str(tmp_path))
    return tmp_path


def files(var: Path) -> set[str]:
    return {path.name for path in (var / "test-files").iterdir()}


def test_file_is_built_once_until_its_key_changes(var: Path) -> None:
    calls: list[str] = []

    def build(path: Path) -> None:
        calls.append(path.name)
        path.write_text("built")

    for key in ("1", "1", "2"):
        assert built_once("words", key, build).read_text() == "built"
    assert calls == ["words", "words"]


@pytest.mark.parametrize("build", [Path.touch, Path.mkdir])
def test_what_nobody_uses_is_replaced_by_another_key(
    var: Path, build: Callable[[Path], None]
) -> None:
    unused = built_once("pages", "1", build)
    os.utime(unused, (time.time(), time.time() - IN_USE - 1))
    built_once("pages", "2", build)
    assert files(var) == {"pages-2", "pages.lock"}


@pytest.mark.parametrize("build", [Path.touch, Path.mkdir])
def test_what_another_session_uses_is_kept(var: Path, build: Callable[[Path], None]) -> None:
    used = built_once("pages", "1", build)
    os.utime(used, (time.time(), time.time() - IN_USE - 1))
    built_once("pages", "1", build)
    built_once("pages", "2", build)
    assert files(var) == {"pages-1", "pages-2", "pages.lock"}


def test_another_name_is_kept(var: Path) -> None:
    built_once("pages", "1", Path.mkdir)
    built_once("words", "2", Path.mkdir)
    assert files(var) == {"pages-1", "pages.lock", "words-2", "words.lock"}


def test_nothing_is_kept_of_a_build_that_fails(var: Path) -> None:
    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        built_once("words", "1", fail)
    assert files(var) == {"words.lock"}
    assert built_once("words", "1", Path.touch).exists()


def test_digest_depends_on_names_and_texts() -> None:
    one, other = ROOT / "tests/built_once.py", ROOT / "tests/people.py"
    assert digest_of([one, other]) == digest_of([other, one])
    assert digest_of([one]) != digest_of([other])


def test_digest_changes_with_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.built_once.ROOT", tmp_path)
    file = tmp_path / "a"
    digests = set()
    for text in ("1", "2"):
        file.write_text(text)
        digests.add(digest_of([file]))
    assert len(digests) == 2
