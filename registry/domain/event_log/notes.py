"""Checkpoints of the log as signed notes (C2SP tlog-checkpoint and signed-note), with Ed25519."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from registry.domain.event_log.merkle import HASH_SIZE

ED25519 = b"\x01"  # the algorithm's number in signed notes
ORIGIN = re.compile(r"[!-*,-~]{1,200}")  # printable ASCII without space and plus
CHECKPOINT = re.compile(
    rf"(?P<origin>{ORIGIN.pattern})\n(?P<size>0|[1-9][0-9]{{0,15}})\n(?P<root>[A-Za-z0-9+/]{{43}}=)"
)
SEED_SIZE = 32  # bytes of a private key
DASH = "\N{EM DASH}"
ENDORSEMENT = "target-tag-registry/log-key"  # first line of what a key signs about its successor


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key under the name of a log."""

    origin: str
    public: bytes

    @classmethod
    def parse(cls, text: str) -> Verifier:
        """Return the key of a text `<origin>+<hex key id>+<base64>`. Raises `ValueError`."""
        origin, _, rest = text.partition("+")
        _, _, encoded = rest.partition("+")
        data = _decode(encoded)
        if data[:1] != ED25519 or len(data) != 1 + HASH_SIZE:
            raise ValueError(f"{text} is no Ed25519 key")
        verifier = cls(origin, data[1:])
        if str(verifier) != text:
            raise ValueError(f"{text} has another key id than {verifier}")
        return verifier

    @classmethod
    def of(cls, origin: str, key: Ed25519PrivateKey) -> Verifier:
        return cls(origin, key.public_key().public_bytes_raw())

    @property
    def key_id(self) -> bytes:
        """Return the four bytes by which signatures name the key."""
        named = self.origin.encode() + b"\n" + ED25519 + self.public
        return hashlib.sha256(named).digest()[:4]

    def __str__(self) -> str:
        return f"{self.origin}+{self.key_id.hex()}+{encode(ED25519 + self.public)}"

    def verifies(self, signature: bytes, text: str) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log: its origin, its number of leaves, and the root over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """Return what is signed."""
        return f"{self.origin}\n{self.size}\n{encode(self.root)}\n"

    def sign(self, key: Ed25519PrivateKey) -> str:
        """Return the signed note. The same key makes the same bytes each time."""
        signature = Verifier.of(self.origin, key).key_id + key.sign(self.text.encode())
        return f"{self.text}\n{DASH} {self.origin} {encode(signature)}\n"

    @classmethod
    def parse(cls, note: str) -> Checkpoint:
        """Return the checkpoint of a note, whoever signed it. Raises `ValueError`."""
        text, _, _ = note.partition("\n\n")
        match = CHECKPOINT.fullmatch(text)
        if match is None:
            raise ValueError("a checkpoint states origin, size and the root in base64")
        return cls(match["origin"], int(match["size"]), _decode(match["root"]))


def endorsement_text(origin: str, since: int, successor: str) -> str:
    """Return what a key signs about the one that follows it, from a size on."""
    return f"{ENDORSEMENT}\n{origin}\n{since}\n{successor}\n"


def is_endorsed(key: Verifier, endorsement: str, text: str) -> bool:
    """Return whether a key made a signature of `endorsement_text`, which is in base64."""
    try:
        return key.verifies(_decode(endorsement), text)
    except ValueError:
        return False


def endorse(key: Ed25519PrivateKey, origin: str, since: int, successor: str) -> str:
    """Return a key's signature about its successor, in base64."""
    return encode(key.sign(endorsement_text(origin, since, successor).encode()))


def private_key(text: str) -> Ed25519PrivateKey:
    """Return the private key whose 32 bytes a text holds in base64.

    Raises `ValueError`, without the text.
    """
    try:
        seed = _decode(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_SIZE:
        raise ValueError("a private key is 32 bytes in base64")
    return Ed25519PrivateKey.from_private_bytes(seed)


def encode(data: bytes) -> str:
    """Return bytes in base64, as notes, keys and roots are written."""
    return base64.b64encode(data).decode()


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("it is not base64") from error
