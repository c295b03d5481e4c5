"""Signed notes and the keys that sign them (C2SP signed-note), with Ed25519 alone.

Verifying a signature takes the package `cryptography`, which `ttag[verify]` installs. Everything
else works without it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

MAX_NOTE = 128 * 1024  # bytes; 16 signatures, as many as every reader must take, have up to 80 KiB
DASH = "\u2014"
ED25519 = b"\x01"
KEY_SIZE, ID_SIZE, SIGNATURE_SIZE = 32, 4, 64  # bytes
SEPARATOR = f"\n\n{DASH} "  # the last empty line, and the start of the signatures
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
KEY = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)")
SIGNATURE = re.compile(rf"{DASH} ([^\s+]+) ([A-Za-z0-9+/]+=*)")


class Malformed(ValueError):
    """Text or bytes that are not of the form that they must have; the message says which."""


@dataclass(frozen=True, slots=True)
class Key:
    """A public key: the name of the log that signs with it, and the key itself."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes by which signatures name the key."""
        return hashlib.sha256(f"{self.name}\n".encode() + ED25519 + self.public).digest()[:ID_SIZE]

    def __str__(self) -> str:
        """Return the key as text: name, id and key, joined by `+`."""
        return f"{self.name}+{self.id.hex()}+{encode_base64(ED25519 + self.public)}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """Read a key from its text. Raises `Malformed`."""
        match = KEY.fullmatch(text)
        data = decode_base64(match[3]) if match else b""
        if match is None or data[:1] != ED25519 or len(data) != 1 + KEY_SIZE:
            raise Malformed("a key must be NAME+ID+KEY, with an Ed25519 key in base64")
        key = cls(match[1], data[1:])
        if key.id.hex() != match[2]:
            raise Malformed(f"the key {text} does not have the id {match[2]}, but {key.id.hex()}")
        return key

    def has_signed(self, text: bytes, signature: bytes) -> bool:
        """Return whether a signature is by this key. Needs `can_verify`."""
        from cryptography.exceptions import (  # noqa: PLC0415 - an optional dependency
            InvalidSignature,
        )
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - likewise
            Ed25519PublicKey,
        )

        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


def can_verify() -> bool:
    """Return whether signatures can be verified: whether `cryptography` can be imported."""
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401, PLC0415 - only tried
    except ImportError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Note:
    """A text, and its signatures by the name and the id of their keys."""

    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    @classmethod
    def parse(cls, data: bytes) -> Note:
        """Read a signed note. Raises `Malformed`."""
        if len(data) > MAX_NOTE:
            raise Malformed(f"it has more than {MAX_NOTE} bytes")
        try:
            whole = data.decode()
        except UnicodeDecodeError:
            raise Malformed("it is not UTF-8") from None
        if CONTROL.search(whole):
            raise Malformed("it has a control character")
        text, separator, signatures = whole.rpartition(SEPARATOR)
        if not separator or not text or not whole.endswith("\n"):
            raise Malformed("it has no signature after an empty line")
        lines = f"{DASH} {signatures}".removesuffix("\n").split("\n")
        return cls(f"{text}\n", tuple(map(_signature, lines)))

    def signatures_by(self, key: Key) -> list[bytes]:
        """Return the signatures that name a key, which says nothing about who made them."""
        return [
            signature
            for name, key_id, signature in self.signatures
            if (name, key_id) == (key.name, key.id)
        ]


def _signature(line: str) -> tuple[str, bytes, bytes]:
    match = SIGNATURE.fullmatch(line)
    data = decode_base64(match[2]) if match else b""
    if match is None or len(data) <= ID_SIZE:
        raise Malformed("one of its signatures is not a dash, a name, and base64")
    return match[1], data[:ID_SIZE], data[ID_SIZE:]


def encode_base64(data: bytes) -> str:
    """Return bytes in base64."""
    return base64.b64encode(data).decode()


def decode_base64(text: str) -> bytes:
    """Return the bytes of base64 in its only valid form. Raises `Malformed`."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    # Other texts stand for the same bytes: with bits that are left over, for example.
    if encode_base64(data) != text:
        raise Malformed(f"{text[:80]!r} is not base64")
    return data
