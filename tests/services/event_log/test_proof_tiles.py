"""The files of the log suffice for every proof, and say nothing of what is not committed."""

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.event_log.tiles import WIDTH, Tile, tiles_of
from registry.models import Event, LogRange, LogTile, User, Version
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log import (
    checkpoints,
    leaf_bytes,
    proof_tiles,
    signing_keys,
    tree_hashes,
)
from registry.services.event_log.appending import append_event, last_event_number
from registry.services.operations import redaction
from tests.domain.event_log.rfc6962 import mth
from tests.log_proofs import Log
from tests.publishing import WITHOUT_LINTS, publish, yank
from tests.services.operations.tampering import tamper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def read(path: str) -> bytes:
    match path.split("/", 1):
        case ["checkpoint"]:
            return checkpoints.newest().note.encode()
        case ["keys"]:
            return json.dumps(signing_keys.history()).encode()
        case ["tile", tile]:
            return proof_tiles.read_tile(tile)[1]
    raise AssertionError(path)


def append(count: int, alice: User) -> None:
    with write_lock():
        for _ in range(count):
            append_event("lints.replaced", "lints", actor=alice, namespace="")


def append_and_fail(alice: User) -> None:
    with write_lock():
        append_event("lints.replaced", "lost", actor=alice, namespace="")
        raise ZeroDivisionError


def test_every_event_is_proven_to_be_in_the_log() -> None:
    log = Log.open(read)
    assert log.size == last_event_number()
    for event in Event.objects.filter(number__in=(1, 2, 255, 256, 257, 512, 513, log.size)):
        leaf = log.event(event.number)
        is_private = event.action.startswith(("account.", "token."))
        assert leaf["action"] == ("private" if is_private else event.action)


def test_every_version_is_stated_by_its_leaf() -> None:
    publish("acme/board", WITHOUT_LINTS)
    log = Log.open(read)
    versions = Version.objects.select_related("tag").with_leaf()
    for version in [*versions.order_by("pk")[:3], *versions.order_by("-pk")[:3]]:
        leaf = log.event(version.event or 0)
        stated = (leaf["action"], f"{leaf['tag']}@{leaf['version']}", leaf["digest"])
        assert stated == ("version.published", version.exact, version.digest)


@pytest.mark.parametrize("more", [1, 2, 255, 256, 257, 600])
def test_log_only_grows(more: int, alice: User) -> None:
    older = Log.open(read)
    append(more, alice)
    log = Log.open(read)
    assert log.size == older.size + more
    assert log.extends(older)
    assert log.event(log.size)["action"] == "lints.replaced"


def test_rebuilt_tiles_are_those_that_writes_stored(alice: User) -> None:
    """A backup holds no tiles: a restore derives them from the events."""
    append(2 * WIDTH, alice)
    stored = list(LogTile.objects.values_list("level", "index", "hashes", "root"))
    assert len(stored) >= 2
    tamper("DELETE FROM registry_logtile")
    tree_hashes.rebuild_tiles()
    rebuilt = LogTile.objects.values_list("level", "index", "hashes", "root")
    assert sorted(rebuilt) == sorted(stored)


def test_level_above_the_leaves(alice: User) -> None:
    append(3 * WIDTH, alice)
    width = last_event_number() // WIDTH
    starts = range(0, width * WIDTH, WIDTH)
    tile = proof_tiles.content(Tile(1, 0, width))
    assert tile == b"".join(mth([*leaf_bytes.leaves(each, each + WIDTH)]) for each in starts)


def test_one_row_for_each_transaction(alice: User) -> None:
    before = LogRange.objects.count()
    with write_lock():
        append_event("lints.replaced", "lints", actor=alice, namespace="")
        with write_lock():
            append_event("lints.replaced", "lints", actor=alice, namespace="")
        append_event("lints.replaced", "lints", actor=alice, namespace="")
    assert LogRange.objects.count() == before + 1
    assert tree_hashes.current_range().size == last_event_number()


def test_write_that_fails_leaves_no_leaf(alice: User) -> None:
    tree, number = tree_hashes.current_range(), last_event_number()
    with pytest.raises(ZeroDivisionError):
        append_and_fail(alice)
    assert (tree_hashes.current_range(), last_event_number()) == (tree, number)


def test_part_of_a_write_that_fails_leaves_no_leaf(alice: User) -> None:
    with write_lock():
        append_event("lints.replaced", "kept", actor=alice, namespace="")
        with pytest.raises(ZeroDivisionError):
            append_and_fail(alice)
        append_event("lints.replaced", "kept", actor=alice, namespace="")
    log = Log.open(read)
    assert log.size == last_event_number()
    assert log.event(log.size)["event"] == log.size


def test_write_without_events_adds_no_row() -> None:
    before = LogRange.objects.count()
    with write_lock():
        User.objects.filter(username="alice").update(first_name="Alice")
    assert LogRange.objects.count() == before


@pytest.mark.parametrize(
    "path",
    [
        *("0/999", "entries/x001/000", "1/001.p/1", "2/000.p/1", "6/000", "0/000.p/256", "0/00"),
        *("", "entries", "checkpoint", "../checkpoint", "0/000.p/1/", "0/x000/000"),
    ],
)
def test_tile_that_the_log_does_not_have(path: str) -> None:
    with pytest.raises(Refused, match=r"There is no tile") as refused:
        proof_tiles.read_tile(path)
    assert refused.value.code is Code.TILE_UNKNOWN


def test_tile_one_beyond_the_committed_size() -> None:
    size = tree_hashes.current_range().size
    for level in (None, 0):
        last = Tile(level, size // WIDTH, size % WIDTH)
        assert proof_tiles.read_tile(last.path)
        with pytest.raises(Refused):
            proof_tiles.read_tile(Tile(level, last.index, last.width + 1).path)


def test_narrower_tile_is_the_start_of_the_full_one() -> None:
    _, full = proof_tiles.read_tile("0/000")
    assert proof_tiles.read_tile("0/000.p/7")[1] == full[: 7 * 32]


def test_all_tiles_are_those_of_the_size() -> None:
    size = tree_hashes.current_range().size
    found = dict(proof_tiles.all_tiles(size))
    assert found.keys() == set(tiles_of(size))
    assert all(proof_tiles.content(tile) == data for tile, data in found.items())


@pytest.mark.parametrize(
    ("path", "most"), [("0/000", 2), ("0/002.p/9", 4), ("1/000.p/2", 3), ("entries/000", 3)]
)
def test_queries_of_a_tile(path: str, most: int) -> None:
    with CaptureQueriesContext(connection) as captured:
        proof_tiles.read_tile(path)
    assert len(captured) <= most


@pytest.fixture
def redacted(alice: User) -> Callable[[], None]:
    publish("acme/board", {**WITHOUT_LINTS, "model": "s3cr3t-model"})
    publish("acme/other", {**WITHOUT_LINTS, "model": "s3cr3t-model"}, message="s3cr3t-model")
    yank("acme/other@1.0.0")

    def redact() -> None:
        connection.check_constraints()  # deferred, as all is one transaction
        redaction.redact("s3cr3t-model", reason="leaked", actor=Actor.operator(alice))

    return redact


def test_redaction_changes_no_older_leaf(redacted: Callable[[], None]) -> None:
    older = Log.open(read)
    bundles = [proof_tiles.content(Tile(None, 0)), proof_tiles.content(Tile(None, 1))]
    last = older.entry(older.size - 1)
    redacted()
    log = Log.open(read)
    assert log.extends(older)
    assert [proof_tiles.content(Tile(None, 0)), proof_tiles.content(Tile(None, 1))] == bundles
    assert log.entry(older.size - 1) == last


def test_redacted_versions_are_stated_anew(redacted: Callable[[], None]) -> None:
    """Each has an event of its own, whether the redaction yanks it or somebody had before."""
    redacted()
    log = Log.open(read)
    for name in ("acme/board", "acme/other"):
        version = Version.objects.with_leaf().select_related("tag").get(tag__text=name)
        leaf = log.event(version.event or 0)
        assert leaf["action"] == "version.redacted"
        assert (leaf["tag"], leaf["version"], leaf["digest"]) == (name, "1.0.0", version.digest)
    assert "s3cr3t" not in "".join(str(log.event(n)) for n in range(log.size - 6, log.size + 1))
