"""Applying events to a mirror of some namespaces, and what follows from a run that failed."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.log.fake_registry import FakeRegistry, served
from tests.client.log.ledger import Ledger
from ttag import Registry, Unreachable
from ttag.mirror.mirroring import write_mirror
from ttag.mirror.writer import Summary


@pytest.fixture
def fake() -> Iterator[FakeRegistry]:
    registry = FakeRegistry(namespaces=("acme", "other"))
    registry.publish("acme/board")
    registry.publish("other/card")
    with served(registry):
        yield registry


def ledger(fake: FakeRegistry) -> Ledger:
    assert fake.ledger
    return fake.ledger


def update(fake: FakeRegistry, root: Path, lines: list[str] | None = None) -> Summary:
    reported = [] if lines is None else lines
    return write_mirror(Registry(fake.address), root, namespaces=["acme"], report=reported.append)


def index(root: Path, name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((root / "index" / f"{name}.json").read_text())
    return document


def require_checksums(root: Path) -> None:
    """Compare every file with the checksums, and their list with the files."""
    parts = [root / "SHA256SUMS", *(root / "checksums").iterdir()]
    lines = [line for part in parts for line in part.read_text().splitlines()]
    listed = {path: digest for digest, path in (line.split("  ", 1) for line in lines)}
    for path, digest in listed.items():
        assert hashlib.sha256((root / path).read_bytes()).hexdigest() == digest
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert listed.keys() == files - {"SHA256SUMS"}


def test_alias_comes_moves_and_leaves_the_mirror(fake: FakeRegistry, tmp_path: Path) -> None:
    fake.publish("acme/card")
    update(fake, tmp_path)
    for to, counted, listing in (
        ("acme/board@1", 1, "acme%2Fboard"),
        ("acme/card", 1, "acme%2Fcard"),
        ("other/card", 0, None),
        ("acme/board", 1, "acme%2Fboard"),
    ):
        ledger(fake).record("alias.pointed", alias="acme/Short", to=to)
        summary = update(fake, tmp_path)
        assert (summary.reason, summary.aliases) == ("", counted)
        tags = ("acme%2Fboard", "acme%2Fcard")
        assert [tag for tag in tags if index(tmp_path, tag)["aliases"]] == [listing] * counted
        if counted:
            assert index(tmp_path, "acme%2F%53hort")["reference"] == to
        require_checksums(tmp_path)


def test_events_of_other_namespaces_only_move_the_position(
    fake: FakeRegistry, tmp_path: Path
) -> None:
    update(fake, tmp_path)
    event = fake.publish("other/card")
    lines: list[str] = []
    fake.requested.clear()
    summary = update(fake, tmp_path, lines)
    assert (summary.event, summary.versions, lines) == (event, 1, [])
    assert not any(path.startswith(("resolve", "events")) for path in fake.requested)
    require_checksums(tmp_path)


def test_new_tag_is_counted_and_reported(fake: FakeRegistry, tmp_path: Path) -> None:
    update(fake, tmp_path)
    event = fake.publish("acme/new")
    lines: list[str] = []
    summary = update(fake, tmp_path, lines)
    assert (summary.tags, summary.versions, summary.reason) == (2, 2, "")
    assert lines == [f"event {event}: version.published acme/new@1.0.0"]


def test_answer_that_lags_behind_the_log_is_not_written(fake: FakeRegistry, tmp_path: Path) -> None:
    """As from a node whose standby has not replayed the yank that the checkpoint covers."""
    update(fake, tmp_path)
    before = index(tmp_path, "acme%2Fboard")
    ledger(fake).record("version.yanked", tag="acme/board", version="1.0.0")
    with pytest.raises(Unreachable, match="does not say yet, or no longer"):
        update(fake, tmp_path)
    assert index(tmp_path, "acme%2Fboard") == before
    fake.versions["acme/board"][0]["status"] = "yanked"
    summary = update(fake, tmp_path)
    assert summary.reason == "", "nothing had been replaced"
    assert index(tmp_path, "acme%2Fboard")["versions"][0]["status"] == "yanked"
