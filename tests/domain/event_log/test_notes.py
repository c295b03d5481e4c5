"""Checkpoints and keys: examples of other implementations, and what is no checkpoint."""

import base64

import pytest
from hypothesis import given, strategies as st

from registry.domain.event_log import notes
from registry.domain.event_log.notes import Checkpoint, Verifier, private_key
from tests.domain.event_log.signed_notes import is_signed_by

# The example in the documentation of Go's golang.org/x/mod/sumdb/note.
GO_SEED = base64.b64encode(
    base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
).decode()
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
GO_SIGNATURE = (
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
)
KEY = private_key(base64.b64encode(bytes(range(32))).decode())
OTHER = private_key(base64.b64encode(bytes(32)).decode())
ORIGIN = "registry.example.org/log"
CHECKPOINT = Checkpoint(ORIGIN, 5, bytes(range(32)))


def test_key_is_written_as_go_writes_it() -> None:
    assert str(Verifier.of("PeterNeumann", private_key(GO_SEED))) == GO_KEY
    assert Verifier.parse(GO_KEY).key_id.hex() == "c74f20a3"


def test_signature_is_that_of_go() -> None:
    verifier = Verifier.parse(GO_KEY)
    signature = verifier.key_id + private_key(GO_SEED).sign(GO_TEXT.encode())
    assert base64.b64encode(signature).decode() == GO_SIGNATURE
    assert is_signed_by(f"{GO_TEXT}\n— PeterNeumann {GO_SIGNATURE}\n", verifier)


def test_key_of_gos_checksum_database() -> None:
    text = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
    assert str(Verifier.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sum.golang.org",
        GO_KEY.replace("c74f20a3", "c74f20a4"),
        GO_KEY.replace("PeterNeumann", "PeterNeuman"),
        GO_KEY.replace("+ARpc", "+AhpC"),
        GO_KEY[:-4],
    ],
)
def test_other_texts_are_no_keys(text: str) -> None:
    with pytest.raises(ValueError, match=r"no Ed25519 key|another key id|not base64"):
        Verifier.parse(text)


def test_checkpoint_is_a_signed_note() -> None:
    note = CHECKPOINT.sign(KEY)
    root = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    assert note.startswith(f"{ORIGIN}\n5\n{root}\n\n— {ORIGIN} ")
    assert note.endswith("\n")
    assert note == CHECKPOINT.sign(KEY)  # all servers send the same bytes
    assert Checkpoint.parse(note) == CHECKPOINT
    assert is_signed_by(note, Verifier.of(ORIGIN, KEY))


@pytest.mark.parametrize(
    "verifier",
    [Verifier.of(ORIGIN, OTHER), Verifier.of("another.example.org/log", KEY)],
    ids=["another key", "another origin"],
)
def test_note_is_not_signed_by_others(verifier: Verifier) -> None:
    assert not is_signed_by(CHECKPOINT.sign(KEY), verifier)


@pytest.mark.parametrize(
    ("old", "new"),
    [("\n5\n", "\n6\n"), (ORIGIN, "evil.example.org"), ("AAEC", "AAED"), ("— ", "- ")],
)
def test_changed_note_is_not_signed(old: str, new: str) -> None:
    note = CHECKPOINT.sign(KEY).replace(old, new, 1)
    assert not is_signed_by(note, Verifier.of(ORIGIN, KEY))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n5\n", "\n05\n"),
        ("\n5\n", "\n-5\n"),
        ("\n5\n", "\n\n"),
        ("\n5\n", "\n5\n\n"),
        ("\n5\n", "\n99999999999999999\n"),
        (ORIGIN, "a b"),
        (ORIGIN, "a+b"),
        (ORIGIN, ""),
        ("AAEC", "AAE"),
        ("AAEC", "AA*C"),
        ("Hh8=\n", "Hh8=\nextension\n"),
    ],
)
def test_other_texts_are_no_checkpoints(old: str, new: str) -> None:
    with pytest.raises(ValueError, match="a checkpoint states origin, size and the root"):
        Checkpoint.parse(CHECKPOINT.sign(KEY).replace(old, new, 1))


@given(st.integers(0, 2**53), st.binary(min_size=32, max_size=32))
def test_checkpoint_is_read_back(size: int, root: bytes) -> None:
    checkpoint = Checkpoint(ORIGIN, size, root)
    assert Checkpoint.parse(checkpoint.sign(KEY)) == checkpoint


def test_endorsement_is_of_one_key_from_one_size_on() -> None:
    successor = str(Verifier.of(ORIGIN, OTHER))
    signature = base64.b64decode(notes.endorse(KEY, ORIGIN, 7, successor))
    verifier = Verifier.of(ORIGIN, KEY)
    text = f"target-tag-registry/log-key\n{ORIGIN}\n7\n{successor}\n"
    assert verifier.verifies(signature, text)
    assert not verifier.verifies(signature, text.replace("\n7\n", "\n8\n"))


@pytest.mark.parametrize(
    "text", ["", "short", *(base64.b64encode(bytes(size)).decode() for size in (31, 33)), "=" * 44]
)
def test_error_of_a_private_key_does_not_echo_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a private key is 32 bytes in base64$"):
        private_key(text)
