"""A log that signs whatever its owner says: the honest one, and what plays the attacker."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.domain.event_log import rfc6962
from ttag.canonical_json import canonical

TIME = "2026-11-24T12:00:00.123456Z"


@dataclass(frozen=True)
class Signer:
    """A private key, made from a word, under the name of a log."""

    origin: str
    word: str

    @property
    def private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(self.word.encode()).digest())

    @property
    def encoded(self) -> bytes:
        return b"\x01" + self.private.public_key().public_bytes_raw()

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.origin.encode() + b"\n" + self.encoded).digest()[:4]

    @property
    def vkey(self) -> str:
        return f"{self.origin}+{self.id.hex()}+{text64(self.encoded)}"

    def sign(self, text: str) -> bytes:
        return self.private.sign(text.encode())

    def note(self, text: str) -> bytes:
        signature = text64(self.id + self.sign(text))
        return f"{text}\n\u2014 {self.origin} {signature}\n".encode()


@dataclass
class Ledger:
    """Leaves, keys and forks. Each file is computed from the present leaves, by the formulas."""

    origin: str = "registry.example.org/log"
    words: list[str] = field(default_factory=lambda: ["first"])
    leaves: list[bytes] = field(default_factory=list)
    forks: list[dict[str, Any]] = field(default_factory=list)
    rotations: list[dict[str, Any]] = field(default_factory=list)

    @property
    def signer(self) -> Signer:
        return Signer(self.origin, self.words[-1])

    def copy(self) -> "Ledger":
        return deepcopy(self)

    def record(self, action: str, **members: Any) -> int:
        """Append a leaf, and return the number of its event."""
        event = len(self.leaves) + 1
        self.leaves.append(canonical({"event": event, "time": TIME, "action": action, **members}))
        return event

    def fill(self, count: int) -> None:
        """Append leaves that say nothing."""
        for _ in range(count):
            self.record("private")

    def rewrite(self, event: int, /, **members: Any) -> None:
        """Change a leaf, and with it everything that depends on it."""
        leaf = json.loads(self.leaves[event - 1])
        self.leaves[event - 1] = canonical(leaf | members)

    def rotate(self, word: str, *, by: str = "") -> None:
        """Go on with another key, endorsed by the present one, or by that of another word."""
        new, old = Signer(self.origin, word), Signer(self.origin, by or self.words[-1])
        since = len(self.leaves)
        text = f"target-tag-registry/log-key\n{self.origin}\n{since}\n{new.vkey}\n"
        self.words.append(word)
        endorsement = text64(old.sign(text))
        self.rotations.append({"key": new.vkey, "since": since, "endorsement": endorsement})

    def fork(self, origin: str, reason: str) -> None:
        """Go on as another log."""
        end = {"origin": self.origin, "size": len(self.leaves), "reason": reason}
        self.forks.append(end | {"root": text64(rfc6962.mth(self.leaves))})
        self.origin, self.rotations = origin, []

    def checkpoint(self, size: int | None = None, signer: Signer | None = None) -> bytes:
        leaves = self.leaves if size is None else self.leaves[:size]
        text = f"{self.origin}\n{len(leaves)}\n{text64(rfc6962.mth(leaves))}\n"
        return (signer or self.signer).note(text)

    def keys(self) -> dict[str, Any]:
        first = self.words[-1 - len(self.rotations)]
        keys = [{"key": Signer(self.origin, first).vkey, "since": 0, "endorsement": None}]
        return {"origin": self.origin, "keys": [*keys, *self.rotations], "forks": self.forks}

    def file(self, path: str) -> bytes | None:
        """Return a file of the log by its path below `log/`."""
        if path == "checkpoint":
            return self.checkpoint()
        if path == "keys":
            return json.dumps(self.keys()).encode()
        name, _, width = path.removeprefix("tile/").partition(".p/")
        level, *digits = name.split("/")
        index = int("".join(digits).replace("x", ""))
        span = 1 if level == "entries" else 256 ** int(level)
        parts = [
            self.leaves[first : first + span]
            for first in range(index * 256 * span, (index + 1) * 256 * span, span)
            if first + span <= len(self.leaves)
        ]
        wanted = int(width or 256)
        if len(parts) < wanted:
            return None
        if level == "entries":
            return b"".join(len(leaf).to_bytes(2, "big") + leaf for [leaf] in parts[:wanted])
        return b"".join(map(rfc6962.mth, parts[:wanted]))

    def paths(self) -> Iterator[str]:
        """Yield the paths of all files that a mirror has, for fewer than 65,536 leaves."""
        yield from ("checkpoint", "keys")
        size = len(self.leaves)
        for level, count in (("entries", size), ("0", size), ("1", size // 256)):
            yield from (f"tile/{level}/{index:03}" for index in range(count // 256))
            if count % 256:
                yield f"tile/{level}/{count // 256:03}.p/{count % 256}"


def text64(data: bytes) -> str:
    return b64encode(data).decode()
