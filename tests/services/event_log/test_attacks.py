"""Attacks on the log, and losses: none is signed for, each makes the server not ready."""

import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import transaction

from registry.domain.errors import Code, Refused
from registry.domain.event_log.merkle import CompactRange
from registry.domain.event_log.notes import Checkpoint
from registry.domain.event_log.tiles import Tile
from registry.domain.reference import Reference
from registry.models import LogKey, User
from registry.services.core.transactions import write_lock
from registry.services.event_log import (
    checkpoints,
    leaf_bytes,
    proof_tiles,
    readiness,
    signing_keys,
    tree_hashes,
)
from registry.services.event_log.appending import append_event, last_event_number
from registry.services.operations import health
from registry.services.versions import resolving
from tests.services.operations.tampering import tamper
from ttag.log.tree import leaf_hash

pytestmark = pytest.mark.django_db
OTHER = Ed25519PrivateKey.generate()


def append(count: int, subject: str, alice: User) -> None:
    with write_lock():
        for _ in range(count):
            append_event("proposal.commented", subject, actor=alice, namespace="acme")


@pytest.fixture
def rolled_back(alice: User) -> Checkpoint:
    """Sign for three events, then roll the database back to before them; return the checkpoint."""
    savepoint = transaction.savepoint()
    append(3, "acme/lost", alice)
    signed = checkpoints.newest().checkpoint
    transaction.savepoint_rollback(savepoint)
    assert last_event_number() == signed.size - 3
    return signed


def refusal() -> str:
    with pytest.raises(Refused) as refused:
        checkpoints.newest()
    assert refused.value.code is Code.LOG_UNAVAILABLE
    return refused.value.detail


def assert_not_ready(sentence: str) -> None:
    """Assert that the server is not ready for one reason, signs nothing, and still resolves."""
    (problem,) = health.problems()
    assert sentence in problem
    assert resolving.resolve(Reference.parse("nvidia/jetson-nano")).exact


def test_untouched_log_is_ready() -> None:
    assert health.problems() == []
    assert checkpoints.newest().checkpoint.size == last_event_number()
    assert health.problems() == []


def test_old_checkpoint_restored(rolled_back: Checkpoint) -> None:
    """The database is a backup from before three events that were signed for."""
    first = rolled_back.size - 2
    missing = f"events {first} to {rolled_back.size} are missing, for which a checkpoint was signed"
    assert_not_ready(missing)
    assert missing in refusal()


def test_one_event_missing(rolled_back: Checkpoint, alice: User) -> None:
    append(2, "acme/lost", alice)
    assert_not_ready(f"event {rolled_back.size} is missing, for which")


@pytest.mark.parametrize("count", [3, 4, 300])
def test_other_events_in_place_of_lost_ones(
    rolled_back: Checkpoint, alice: User, count: int
) -> None:
    """A longer history is no better: it does not extend what was signed."""
    append(count, "acme/other", alice)
    sentence = f"events up to {rolled_back.size} are not those for which a checkpoint was signed"
    assert_not_ready(sentence)
    assert sentence in refusal()


def test_changed_leaf() -> None:
    """The served bundle does not hash to the tile, so a client notices without this server."""
    number = 5
    assert checkpoints.newest().note
    tamper("UPDATE registry_event SET created = '2020-01-01 00:00:00+00:00' WHERE number = 5")
    tile = proof_tiles.content(Tile(0, 0))
    (entry,) = leaf_bytes.leaves(number - 1, number)
    assert leaf_hash(entry) != tile[(number - 1) * 32 : number * 32]


def test_changed_leaf_of_a_partial_tile_changes_the_tile() -> None:
    """It is computed from the events, and so does not fit the signed root."""
    size = tree_hashes.current_range().size
    tile = Tile(0, size // 256, size % 256)
    before = proof_tiles.content(tile)
    tamper(f"UPDATE registry_event SET subject = 'acme/x@9.9.9' WHERE number = {size}")  # noqa: S608
    assert proof_tiles.content(tile) != before or event_is_private(size)


def event_is_private(number: int) -> bool:
    (entry,) = leaf_bytes.leaves(number - 1, number)
    return bool(json.loads(entry)["action"] == "private")


def test_dropped_event() -> None:
    size = last_event_number()
    tamper(f"DELETE FROM registry_event WHERE number = {size}")  # noqa: S608 - a number
    assert_not_ready(f"events {size} to {size} are missing, which the log's tree covers")


def test_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    key = signing_keys.key_in_force()
    monkeypatch.setattr(settings, "LOG_KEYS", [OTHER])
    sentence = f"holds another key than that of the event log: expected the private key of {key}"
    assert_not_ready(sentence)
    assert sentence in refusal()
    assert LogKey.objects.count() == 1


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file for keys of a process without settings."""
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    monkeypatch.setattr(settings, "LOG_KEY_FILE", tmp_path / "log-key")
    return tmp_path / "log-key"


def test_node_without_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """With DATABASE_URL, there is no file."""
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    monkeypatch.setattr(settings, "LOG_KEY_FILE", None)
    sentence = f"no key: set REGISTRY_LOG_KEY to the private key of {signing_keys.key_in_force()}"
    assert_not_ready(sentence)
    assert sentence in refusal()


def test_lost_key_file_is_not_made_anew(key_file: Path, alice: User) -> None:
    append(1, "acme/board", alice)
    assert_not_ready(f"has no key: set {key_file} to the private key of")
    assert not key_file.exists()


def test_damaged_key_file(key_file: Path) -> None:
    key_file.write_text("not a key\n")
    assert_not_ready(f"{key_file} cannot be read: a private key is 32 bytes in base64")


@pytest.fixture
def no_log(db: None) -> None:
    """Leave the events without a tree, as release 0.1 did."""
    for table in ("logrange", "logtile", "logkey", "versionleaf"):
        tamper(f"DELETE FROM registry_{table}")  # noqa: S608 - names of this test


@pytest.mark.usefixtures("no_log")
def test_first_event_makes_the_key_once(key_file: Path, alice: User) -> None:
    append(1, "acme/board", alice)
    row = signing_keys.key_in_force()
    assert row
    assert (row.origin, row.since, row.endorsement) == (settings.LOG_ORIGIN, 0, "")
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    text = key_file.read_text()
    append(1, "acme/board", alice)
    assert key_file.read_text() == text
    assert LogKey.objects.count() == 1
    assert health.problems() == []


@pytest.mark.usefixtures("no_log")
def test_log_of_a_process_without_key_gets_one_from_a_node(
    monkeypatch: pytest.MonkeyPatch, alice: User
) -> None:
    """As when a command runs without REGISTRY_LOG_KEY before the first node starts."""
    keys = settings.LOG_KEYS
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    monkeypatch.setattr(settings, "LOG_KEY_FILE", None)
    append(1, "acme/board", alice)
    assert signing_keys.key_in_force() is None
    assert readiness.problems() == [
        "the event log has no key: set REGISTRY_LOG_KEY to a private key"
    ]
    monkeypatch.setattr(settings, "LOG_KEYS", keys)
    assert readiness.problems() == []
    row = signing_keys.key_in_force()
    assert row
    assert row.since == last_event_number()


def test_checkpoint_is_kept_beside_the_database_and_readable_by_all() -> None:
    file = settings.LOG_CHECKPOINT_FILE
    signed = checkpoints.newest()
    assert file.read_text() == signed.note
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_file_lags_but_never_goes_back(alice: User) -> None:
    older = checkpoints.newest()
    append(1, "acme/board", alice)
    newer = checkpoints.newest()
    checkpoints._keep(older)
    assert checkpoints.kept() == newer.checkpoint


def test_file_that_cannot_be_written_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(settings, "LOG_CHECKPOINT_FILE", tmp_path / "missing" / "log-checkpoint")
    monkeypatch.setattr(checkpoints, "_lags", False)
    for _ in range(2):
        assert checkpoints.newest().checkpoint.size == last_event_number()
    assert caplog.text.count("Checkpoints are not kept") == 1


@pytest.mark.parametrize("text", ["", "\n"])
def test_file_without_a_checkpoint(text: str) -> None:
    settings.LOG_CHECKPOINT_FILE.write_text(text)
    if text:
        assert_not_ready("cannot be read: a checkpoint states origin, size and the root")
    else:  # after a power failure
        assert health.problems() == []


def test_checkpoint_of_another_log() -> None:
    checkpoint = Checkpoint("another.example.org/log", 1, bytes(32))
    settings.LOG_CHECKPOINT_FILE.write_text(checkpoint.sign(OTHER))
    assert_not_ready(
        f"is of another log, another.example.org/log: this one is {settings.LOG_ORIGIN}"
    )


def test_checkpoint_between_two_commits(alice: User) -> None:
    """As after a loss, of a history that had other transactions: the leaves decide."""
    append(2, "acme/board", alice)
    size = last_event_number() - 1
    leaves = list(leaf_bytes.leaves(0, size))
    tree = CompactRange().extend(map(leaf_hash, leaves))
    assert tree_hashes.range_at(size) == tree
    checkpoint = Checkpoint(settings.LOG_ORIGIN, size, tree.root)
    settings.LOG_CHECKPOINT_FILE.write_text(checkpoint.sign(OTHER))
    assert health.problems() == []
    other = CompactRange().extend(map(leaf_hash, [*leaves[:-1], b"another"]))
    checkpoint = Checkpoint(settings.LOG_ORIGIN, size, other.root)
    settings.LOG_CHECKPOINT_FILE.write_text(checkpoint.sign(OTHER))
    assert health.problems()


def test_commit_is_kept_at_once(alice: User, django_capture_on_commit_callbacks: object) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        append(1, "acme/board", alice)
    kept = checkpoints.kept()
    assert kept
    assert kept.size == last_event_number()
