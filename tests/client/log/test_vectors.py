"""The public test vectors of logs: what other clients read, and what others have published."""

from base64 import b64decode
from typing import Any

import pytest

from tests import vectors
from tests.domain.event_log import rfc6962
from ttag.log import entries, proofs
from ttag.log.checkpoints import Checkpoint
from ttag.log.keys import Keys
from ttag.log.notes import Key, Malformed, Note
from ttag.log.tiles import Tile
from ttag.log.tree import EMPTY_ROOT, leaf_hash
from ttag.mirror.layout import as_bytes

LOG = vectors.log()
TREE = LOG["tree"]
ELSEWHERE = LOG["published_elsewhere"]
LEAVES = [leaf.encode() for leaf in TREE["leaves"]]
ROOTS = list(map(b64decode, TREE["roots"]))


def is_signed(checkpoint: Checkpoint, key: Key) -> bool:
    return key.has_signed(checkpoint.note.text.encode(), checkpoint.signature_by(key))


def test_roots() -> None:
    assert [rfc6962.mth(LEAVES[:size]) for size in range(len(LEAVES) + 1)] == ROOTS
    assert ROOTS[0] == EMPTY_ROOT


@pytest.mark.parametrize("case", TREE["inclusion"], ids=str)
def test_inclusion(case: dict[str, Any]) -> None:
    index, size, proof = case["index"], case["size"], list(map(b64decode, case["proof"]))
    assert rfc6962.path(index, LEAVES[:size]) == proof
    assert proofs.is_included(leaf_hash(LEAVES[index]), index, size, ROOTS[size], proof)


@pytest.mark.parametrize("case", TREE["consistency"], ids=str)
def test_consistency(case: dict[str, Any]) -> None:
    old, new, proof = case["old"], case["new"], list(map(b64decode, case["proof"]))
    assert rfc6962.consistency(old, LEAVES[:new]) == proof
    assert proofs.is_consistent(old, ROOTS[old], new, ROOTS[new], proof)


def test_roots_that_others_have_published() -> None:
    leaves = [bytes.fromhex(text) for text in ELSEWHERE["roots"]["leaves_hex"]]
    roots = [rfc6962.mth(leaves[:size]).hex() for size in range(len(leaves) + 1)]
    assert roots == ELSEWHERE["roots"]["roots_hex"]


@pytest.mark.parametrize("case", ELSEWHERE["notes"], ids=lambda case: case["source"])
def test_note_that_others_have_published(case: dict[str, str]) -> None:
    key, note = Key.parse(case["key"]), Note.parse(case["note"].encode())
    [signature] = note.signatures_by(key)
    assert str(key) == case["key"]
    assert key.has_signed(note.text.encode(), signature)
    assert not key.has_signed(note.text.encode() + b"\n", signature)


def test_checkpoint_that_others_have_published() -> None:
    case = ELSEWHERE["checkpoint"]
    tree = Checkpoint.parse(case["note"].encode()).tree
    assert (tree.origin, tree.size) == (case["origin"], case["size"])
    assert tree.root == b64decode(case["root"])


def test_checkpoint() -> None:
    case = LOG["checkpoint"]
    checkpoint = Checkpoint.parse(case["note"].encode())
    assert (checkpoint.tree.origin, checkpoint.tree.size) == (case["origin"], case["size"])
    assert checkpoint.tree.root == b64decode(case["root"]) == ROOTS[5]
    assert is_signed(checkpoint, Key.parse(case["key"]))


@pytest.mark.parametrize("case", LOG["malformed_checkpoints"], ids=lambda case: case["reason"])
def test_malformed_checkpoint(case: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        Checkpoint.parse(case["note"].encode())


@pytest.mark.parametrize("case", LOG["unsigned_checkpoints"], ids=lambda case: case["reason"])
def test_unsigned_checkpoint(case: dict[str, str]) -> None:
    checkpoint, key = Checkpoint.parse(case["note"].encode()), Key.parse(LOG["checkpoint"]["key"])
    signatures = checkpoint.note.signatures_by(key)
    if [len(signature) for signature in signatures] == [64]:
        assert not is_signed(checkpoint, key)
    else:
        with pytest.raises(Malformed, match="it has no signature by the key"):
            checkpoint.signature_by(key)


def test_keys_lead_from_one_to_the_next() -> None:
    case = LOG["rotation"]
    keys = Keys.parse(as_bytes(case["keys"]))
    assert str(keys.newest) == case["newest"]
    assert keys.keys[1].statement == case["statement"].encode()
    assert keys.lead_from(Key.parse(case["known"]), Key.has_signed)
    assert is_signed(Checkpoint.parse(case["checkpoint"].encode()), keys.newest)


def test_unendorsed_key_is_not_led_to() -> None:
    case = LOG["rotation"]
    keys = Keys.parse(as_bytes(case["unendorsed"]))
    assert not keys.lead_from(Key.parse(case["known"]), Key.has_signed)
    assert keys.lead_from(keys.newest, Key.has_signed)


@pytest.mark.parametrize(("level", "index", "width", "path"), LOG["tiles"])
def test_paths_of_tiles(level: int | str, index: int, width: int, path: str) -> None:
    assert Tile(level, index, width).path == path


def test_bundle() -> None:
    leaves = [leaf.encode() for leaf in LOG["bundle"]["leaves"]]
    data = bytes.fromhex(LOG["bundle"]["hex"])
    assert entries.bundle(leaves) == data
    assert list(entries.split_bundle(data)) == leaves
