"""The registry writes logs as the public test vectors say."""

from base64 import b64decode
from typing import Any

import pytest

from registry.domain.event_log.merkle import CompactRange, leaf_hash
from registry.domain.event_log.notes import Checkpoint, Verifier, endorsement_text
from registry.domain.event_log.tiles import Tile, bundle
from tests import vectors
from tests.domain.event_log.signed_notes import is_signed_by

pytestmark = pytest.mark.any_database
LOG = vectors.log()
CHECKPOINT, ROTATION = LOG["checkpoint"], LOG["rotation"]


def test_roots() -> None:
    hashes = [leaf_hash(leaf.encode()) for leaf in LOG["tree"]["leaves"]]
    roots = [CompactRange().extend(hashes[:size]).root for size in range(len(hashes) + 1)]
    assert roots == list(map(b64decode, LOG["tree"]["roots"]))


@pytest.mark.parametrize(("level", "index", "width", "path"), LOG["tiles"])
def test_paths_of_tiles(level: int | str, index: int, width: int, path: str) -> None:
    tile = Tile(None if isinstance(level, str) else level, index, width)
    assert f"tile/{tile.path}" == path
    assert Tile.parse(tile.path) == tile


def test_bundle() -> None:
    leaves = [leaf.encode() for leaf in LOG["bundle"]["leaves"]]
    assert bundle(leaves) == bytes.fromhex(LOG["bundle"]["hex"])


def test_checkpoint() -> None:
    parsed = Checkpoint.parse(CHECKPOINT["note"])
    expected = Checkpoint(CHECKPOINT["origin"], CHECKPOINT["size"], b64decode(CHECKPOINT["root"]))
    assert parsed == expected
    assert CHECKPOINT["note"].startswith(f"{parsed.text}\n")
    assert is_signed_by(CHECKPOINT["note"], Verifier.parse(CHECKPOINT["key"]))


@pytest.mark.parametrize("case", LOG["unsigned_checkpoints"], ids=lambda case: case["reason"])
def test_unsigned_checkpoint(case: dict[str, str]) -> None:
    assert not is_signed_by(case["note"], Verifier.parse(CHECKPOINT["key"]))


@pytest.mark.parametrize(("document", "is_valid"), [("keys", True), ("unendorsed", False)])
def test_endorsement(document: str, is_valid: bool) -> None:
    keys: dict[str, Any] = ROTATION[document]
    last, successor = keys["keys"]
    text = endorsement_text(keys["origin"], successor["since"], successor["key"])
    assert text == ROTATION["statement"]
    signature = b64decode(successor["endorsement"])
    assert Verifier.parse(last["key"]).verifies(signature, text) is is_valid
