"""The key that signs checkpoints: the public half is in the database, the private one is not.

A process may know several private keys: during a rotation, the next one is there before it comes
into force. A key is made only for a log that has none, and never where the settings name one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.event_log import notes
from registry.domain.event_log.notes import Verifier
from registry.models import LogFork, LogKey
from registry.models.prepared_queries import PreparedQuery

_newest: PreparedQuery[LogKey] = PreparedQuery(lambda: LogKey.objects.order_by("-pk")[:1])


def key_in_force() -> LogKey | None:
    """Return the public key of the log; None until one has been established. One query."""
    return next(iter(_newest()), None)


def private_keys() -> list[Ed25519PrivateKey]:
    """Return the private keys of this process: from the settings, else from the file.

    Raises `ValueError` if the file holds anything else.
    """
    if settings.LOG_KEYS:
        return list(settings.LOG_KEYS)
    return list(_from_file())


def _from_file() -> Iterator[Ed25519PrivateKey]:
    file = settings.LOG_KEY_FILE
    if file and file.exists():
        for line in file.read_text().split():
            yield notes.private_key(line)


def signing_key(row: LogKey) -> Ed25519PrivateKey | None:
    """Return the private half of a public key; None if this process does not have it."""
    for key in private_keys():
        if str(Verifier.of(row.origin, key)) == row.key:
            return key
    return None


def problem(row: LogKey | None) -> str:
    """Return why this process cannot sign with a key; empty if it can."""
    wanted = f"the private key of {row.key}" if row else "a private key"
    source = settings.LOG_KEY_FILE or "REGISTRY_LOG_KEY"
    try:
        if not private_keys():
            return f"the event log has no key: set {source} to {wanted}"
    except (OSError, ValueError) as error:
        return f"{source} cannot be read: {error}"
    if row is None:
        return "the event log has no public key yet: run migrate"
    if signing_key(row) is None:
        return f"{source} holds another key than that of the event log: expected {wanted}"
    return ""


def establish(*, since: int) -> LogKey | None:
    """Store the public key of a log that has none; None if this process has no private key.

    Without settings, makes the private key. Call under the write lock.
    """
    if row := key_in_force():
        return row
    keys = private_keys() or create_if_allowed()
    return put_in_force(settings.LOG_ORIGIN, keys[0], since) if keys else None


def put_in_force(
    origin: str, key: Ed25519PrivateKey, since: int, *, endorsement: str = ""
) -> LogKey:
    """Store a public key, which signs all checkpoints from now on. Call under the write lock."""
    verifier = Verifier.of(origin, key)
    return LogKey.objects.create(
        origin=origin, key=str(verifier), since=since, endorsement=endorsement
    )


def are_in_file() -> bool:
    """Return whether private keys are in the file, where they can be made, not in the settings."""
    return bool(settings.LOG_KEY_FILE) and not settings.LOG_KEYS


def create_if_allowed() -> list[Ed25519PrivateKey]:
    """Make a private key in the file, and return it; none if keys come from the settings."""
    return [create()] if are_in_file() else []


def create(*, beside: Sequence[Ed25519PrivateKey] = ()) -> Ed25519PrivateKey:
    """Make a private key in the file, behind others, and return it."""
    key = Ed25519PrivateKey.generate()
    write([*beside, key])
    return key


def write(keys: Sequence[Ed25519PrivateKey]) -> None:
    """Replace the keys in the file, which its owner only can read."""
    file = Path(str(settings.LOG_KEY_FILE))
    lines = (notes.encode(key.private_bytes_raw()) for key in keys)
    partial = file.with_name(f"{file.name}.partial")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write("".join(f"{line}\n" for line in lines))
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)


def history() -> dict[str, Json]:
    """Return the origin in force, its public keys, and the forks before it. Two queries.

    Raises `Refused` (LOG_UNAVAILABLE) if the log has no key yet.
    """
    rows = list(LogKey.objects.order_by("pk"))
    if not rows:
        raise Refused(Code.LOG_UNAVAILABLE, f"The log has no keys: {problem(None)}.")
    origin = rows[-1].origin
    return {
        "origin": origin,
        "keys": [
            {"key": row.key, "since": row.since, "endorsement": row.endorsement or None}
            for row in rows
            if row.origin == origin
        ],
        "forks": [
            {"origin": fork.origin, "size": fork.size, "root": fork.root, "reason": fork.reason}
            for fork in LogFork.objects.order_by("pk")
        ],
    }
