"""The tiles of a log that has grown are those of the whole log."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from tests.client.log.fake_registry import FakeRegistry, served
from tests.client.log.ledger import Ledger
from tests.profiles import examples
from ttag import Registry, Tampered
from ttag.mirror.mirroring import write_mirror

SIZES = (1, 2, 255, 256, 257, 511, 512, 513, 700)


@pytest.fixture
def fake() -> Iterator[FakeRegistry]:
    registry = FakeRegistry()
    registry.publish("acme/board")
    with served(registry):
        yield registry


def ledger(fake: FakeRegistry) -> Ledger:
    assert fake.ledger
    return fake.ledger


def log_files(root: Path) -> dict[str, bytes]:
    paths = [path for path in (root / "log").rglob("*") if path.is_file()]
    files = {path.relative_to(root / "log").as_posix(): path.read_bytes() for path in paths}
    files.pop("keys")
    return files


def expected(fake: FakeRegistry) -> dict[str, bytes | None]:
    return {path: ledger(fake).file(path) for path in ledger(fake).paths() if path != "keys"}


def test_log_that_grows_has_the_files_of_its_size(fake: FakeRegistry, tmp_path: Path) -> None:
    write_mirror(Registry(fake.address), tmp_path)
    for before, after in pairwise(SIZES):
        ledger(fake).fill(after - before)
        assert not write_mirror(Registry(fake.address), tmp_path).reason
        assert log_files(tmp_path) == expected(fake)


@given(st.lists(st.integers(0, 600), min_size=1, max_size=4))
@settings(max_examples=examples(0.1), deadline=None)
def test_log_that_grows_by_any_steps_has_the_files_of_its_size(steps: list[int]) -> None:
    fake = FakeRegistry()
    fake.publish("acme/board")
    with served(fake), pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as name:
        patch.setattr("os.fsync", lambda handle: None)
        root = Path(name)
        write_mirror(Registry(fake.address), root)
        for step in steps:
            ledger(fake).fill(step)
            assert not write_mirror(Registry(fake.address), root).reason
        assert log_files(root) == expected(fake)


def test_rewritten_log_is_refused_and_the_mirror_stays(fake: FakeRegistry, tmp_path: Path) -> None:
    ledger(fake).fill(300)
    write_mirror(Registry(fake.address), tmp_path)
    before = log_files(tmp_path)
    ledger(fake).rewrite(5, action="tag.deprecated", tag="acme/other", successor=None)
    ledger(fake).fill(3)
    with pytest.raises(Tampered, match="was rewritten"):
        write_mirror(Registry(fake.address), tmp_path)
    assert log_files(tmp_path) == before


def test_version_that_its_leaf_does_not_state_is_refused(
    fake: FakeRegistry, tmp_path: Path
) -> None:
    write_mirror(Registry(fake.address), tmp_path)
    fake.publish("acme/board", cores=8)
    (stated,) = [each for each in fake.versions["acme/board"] if each["version"] == "1.1.0"]
    other = next(each for each in fake.versions["acme/board"] if each["version"] == "1.0.0")
    stated["digest"], stated["target"] = other["digest"], other["target"]
    with pytest.raises(Tampered, match=r"does not say that acme/board@1\.1\.0 has the digest"):
        write_mirror(Registry(fake.address), tmp_path)
    assert b"1.1.0" not in (tmp_path / "index/acme%2Fboard.json").read_bytes()


def test_leaf_left_out_is_noticed(fake: FakeRegistry, tmp_path: Path) -> None:
    """A registry cannot hide an event behind a checkpoint that covers it."""
    write_mirror(Registry(fake.address), tmp_path)
    ledger(fake).record("version.yanked", tag="acme/board", version="1.0.0")
    ledger(fake).fill(1)
    honest = ledger(fake).copy()
    ledger(fake).leaves.pop(1)
    ledger(fake).fill(1)
    fake.files["checkpoint"] = honest.file("checkpoint")
    with pytest.raises(Tampered):
        write_mirror(Registry(fake.address), tmp_path)
