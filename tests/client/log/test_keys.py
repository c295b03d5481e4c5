"""Public keys, and the document that states those of a log: strict, bounded, one sentence each."""

import json
from typing import Any

import pytest

from tests.client.log.ledger import Ledger, Signer, text64
from ttag.log.keys import MAX_KEYS, Keys
from ttag.log.notes import MAX_NOTE, Key, Malformed, Note


def honest() -> dict[str, Any]:
    """Return the keys of a log that has another key than at first, and continues an older log."""
    ledger = Ledger()
    ledger.fill(3)
    ledger.fork("registry.example.org/new", "a lost disk")
    ledger.rotate("second")
    ledger.rotate("third")
    return ledger.keys()


def parse(document: object) -> Keys:
    return Keys.parse(json.dumps(document).encode())


def test_keys_and_forks_are_read() -> None:
    keys = parse(honest())
    assert [str(each.key) for each in keys.keys] == [
        Signer(keys.origin, word).vkey for word in ("first", "second", "third")
    ]
    fork = keys.fork_of("registry.example.org/log")
    assert fork is not None
    assert (fork.tree.size, fork.reason) == (3, "a lost disk")
    assert keys.fork_of("registry.example.org/new") is None


def test_key_is_followed_from_wherever_a_lock_knows_it() -> None:
    keys = parse(honest())
    for word in ("first", "second", "third"):
        key = Key.parse(Signer(keys.origin, word).vkey)
        assert keys.lead_from(key, Key.has_signed)
    assert not keys.lead_from(Key.parse(Signer(keys.origin, "other").vkey), Key.has_signed)


GONE = object()  # as a value: the member is missing


def change(document: Any, path: str, value: Any) -> None:
    """Give a member of a document of keys another value."""
    *parents, name = [int(part) if part.isdecimal() else part for part in path.split("/")]
    for part in parents:
        document = document[part]
    if value is GONE:
        del document[name]
    else:
        document[name] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("keys/1/since", 2),
        ("keys/1/endorsement", text64(bytes(64))),
        ("keys/1/endorsement", text64(b"short")),
        ("keys/2/endorsement", honest()["keys"][1]["endorsement"]),
        ("keys/1", GONE),
    ],
)
def test_chain_with_a_changed_link_leads_nowhere(path: str, value: object) -> None:
    document = honest()
    first = Key.parse(document["keys"][0]["key"])
    assert parse(document).lead_from(first, Key.has_signed)
    change(document, path, value)
    assert not parse(document).lead_from(first, Key.has_signed)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("origin", GONE),
        ("origin", 1),
        ("origin", "registry.example.org/other"),
        ("keys", GONE),
        ("keys", []),
        ("keys", {}),
        ("keys", [1]),
        ("keys", honest()["keys"] * 2),
        ("keys", honest()["keys"][1:]),
        ("keys", honest()["keys"][::-1]),
        ("keys/0/endorsement", text64(bytes(64))),
        ("keys/1/endorsement", None),
        ("keys/1/endorsement", "%"),
        ("keys/1/endorsement", GONE),
        ("keys/0/since", -1),
        ("keys/0/since", "0"),
        ("keys/0/since", True),
        ("keys/0/since", 9),
        ("keys/0/key", "registry.example.org/new"),
        ("keys/0/key", Signer("other", "first").vkey),
        ("forks", GONE),
        ("forks/0/size", -1),
        ("forks/0/size", 2**60),
        ("forks/0/root", text64(b"short")),
        ("forks/0/root", 1),
        ("forks/0/origin", "a b"),
        ("forks/0/origin", "registry.example.org/new"),
        ("forks/0/reason", None),
    ],
)
def test_malformed_keys_are_refused(path: str, value: object) -> None:
    document = honest()
    change(document, path, value)
    with pytest.raises(Malformed):
        parse(document)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"1", b"\xff", b"[" * 100_000, b" " * (MAX_KEYS + 1), b'{"keys": 1}']
)
def test_what_is_no_document_of_keys_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        Keys.parse(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "name+00000000",
        "+00000000+AAAA",
        "a b+00000000+AAAA",
        Signer("a", "x").vkey[:-4],
        Signer("a", "x").vkey + "\n",
        Signer("a", "x").vkey.upper(),
        Signer("a", "x").vkey.replace("a+", "b+", 1),
        f"a+{Signer('a', 'x').id.hex()}+{text64(bytes([2, *range(32)]))}",
        f"a+{Key('a', bytes(32)).id.hex()}+{text64(bytes([2, *bytes(32)]))}",  # no Ed25519
        f"a+{Key('a', bytes(31)).id.hex()}+{text64(bytes([1, *bytes(31)]))}",  # too short for it
    ],
)
def test_malformed_key_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        Key.parse(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"b\n", b"\xff\n", "it is not UTF-8"),
        (b"b\n", b"b\t\n", "it has a control character"),
        (b"b\n", b"b\r\n", "it has a control character"),
        (b"\n\n", b"\n", "it has no signature after an empty line"),
        (b"a\n1\nb\n\n", b"\n\n", "it has no signature after an empty line"),
        (b" a ", b" a+b ", "one of its signatures is not a dash, a name, and base64"),
    ],
)
def test_malformed_note_is_refused(old: bytes, new: bytes, message: str) -> None:
    note = Signer("a", "x").note("a\n1\nb\n")
    assert Note.parse(note).text == "a\n1\nb\n"
    with pytest.raises(Malformed, match=message):
        Note.parse(note.replace(old, new, 1))
    with pytest.raises(Malformed, match="it has no signature"):
        Note.parse(note[:-1])


def test_oversized_note_is_refused_before_it_is_read() -> None:
    note = Signer("a", "x").note("x" * MAX_NOTE + "\n")
    with pytest.raises(Malformed, match="it has more than 131072 bytes"):
        Note.parse(note)


def test_sixteen_large_signatures_are_read() -> None:
    signer = Signer("a", "x")
    line = f"\u2014 witness {text64(b'id__' + bytes(4_900))}\n".encode()
    note = Note.parse(signer.note("a\n1\nb\n") + line * 15)
    assert len(note.signatures) == 16
    assert note.signatures_by(Key.parse(signer.vkey)) == [signer.sign("a\n1\nb\n")]
