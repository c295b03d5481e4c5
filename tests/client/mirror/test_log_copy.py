"""The log in a mirror: copied step by step, and never one that does not fit its checkpoint."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client.log.fake_registry import FakeRegistry, served
from tests.client.log.ledger import Ledger
from ttag import Registry, Tampered
from ttag.mirror.mirroring import write_mirror


@pytest.fixture
def fake() -> Iterator[FakeRegistry]:
    """Yield a registry with a log of two bundles and a half."""
    registry = FakeRegistry()
    assert registry.ledger
    registry.ledger.fill(600)
    registry.publish("acme/board")
    with served(registry):
        yield registry


def ledger(fake: FakeRegistry) -> Ledger:
    assert fake.ledger
    return fake.ledger


def copy(fake: FakeRegistry, root: Path, *, is_full: bool = False) -> list[str]:
    """Write a mirror, and return the files of the log that this has requested."""
    fake.requested.clear()
    write_mirror(Registry(fake.address), root, is_full=is_full)
    return [path for path in fake.requested if path.startswith("log/")]


def log_files(root: Path) -> dict[str, bytes]:
    paths = [path for path in (root / "log").rglob("*") if path.is_file()]
    return {path.relative_to(root / "log").as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("size", [1, 255, 256, 257, 512, 600])
def test_mirror_has_the_files_of_the_specification(tmp_path: Path, size: int) -> None:
    fake = FakeRegistry()
    ledger(fake).fill(size - 1)
    fake.publish("acme/board")
    with served(fake):
        copy(fake, tmp_path)
    files = log_files(tmp_path)
    files.pop("keys")
    assert files.keys() == set(ledger(fake).paths()) - {"keys"}
    assert files == {path: ledger(fake).file(path) for path in files}


def test_only_new_leaves_are_fetched_and_no_tiles(fake: FakeRegistry, tmp_path: Path) -> None:
    bundles = [f"log/tile/entries/{name}" for name in ("000", "001", "002.p/89", "002.p/99")]
    heads = ["log/checkpoint", "log/keys"]
    assert copy(fake, tmp_path) == [*heads, *bundles[:3]]
    ledger(fake).fill(10)
    assert copy(fake, tmp_path) == [*heads, bundles[3]]
    partial = [path for path in log_files(tmp_path) if ".p/" in path]
    assert sorted(partial) == ["tile/0/002.p/99", "tile/1/000.p/2", "tile/entries/002.p/99"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data.replace(b"private", b"changed"), id="changed"),
        pytest.param(lambda data: data[2 + int.from_bytes(data[:2], "big") :], id="a leaf less"),
        pytest.param(lambda data: data + b"\0\2{}", id="a leaf more"),
        pytest.param(lambda data: data[:-1], id="cut"),
        pytest.param(lambda data: b"", id="empty"),
    ],
)
def test_damaged_bundle_is_fetched_again(
    damage: Callable[[bytes], bytes], fake: FakeRegistry, tmp_path: Path
) -> None:
    copy(fake, tmp_path)
    before = log_files(tmp_path)
    bundle = tmp_path / "log" / "tile" / "entries" / "001"
    bundle.write_bytes(damage(bundle.read_bytes()))
    copy(fake, tmp_path, is_full=True)
    assert log_files(tmp_path) == before


def test_log_that_was_cut_short_is_refused_and_the_mirror_stays(
    fake: FakeRegistry, tmp_path: Path
) -> None:
    copy(fake, tmp_path)
    before = log_files(tmp_path)
    full = ledger(fake).copy()
    ledger(fake).leaves.pop()
    fake.versions.clear()
    fake.events.clear()
    with pytest.raises(Tampered, match="ends with event 600, and the mirror has event 601"):
        copy(fake, tmp_path)
    assert log_files(tmp_path) == before
    fake.ledger = full
    copy(fake, tmp_path)


def test_log_of_another_origin_replaces_the_older_one(fake: FakeRegistry, tmp_path: Path) -> None:
    copy(fake, tmp_path)
    ledger(fake).fork("registry.example.org/log2", "a new disk")
    ledger(fake).rewrite(5, action="tag.deprecated")
    copy(fake, tmp_path)
    assert log_files(tmp_path)["tile/entries/000"] == ledger(fake).file("tile/entries/000")


def test_mirror_of_release_0_1_gets_a_log(fake: FakeRegistry, tmp_path: Path) -> None:
    copy(fake, tmp_path)
    shutil.rmtree(tmp_path / "log")
    assert "log/tile/entries/000" in copy(fake, tmp_path)
    assert (tmp_path / "log" / "checkpoint").exists()
