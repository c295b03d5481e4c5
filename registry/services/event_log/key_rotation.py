"""Rotation: another key signs the log's checkpoints from now on, endorsed by the last one."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from registry.domain.errors import Code, Refused
from registry.domain.event_log import notes
from registry.domain.event_log.notes import Verifier
from registry.models import LogKey
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log import checkpoints, signing_keys, tree_hashes
from registry.services.event_log.appending import append_event

ACTION = "log.key_rotated"


def rotate_key(*, actor: Actor) -> LogKey:
    """Put the next key into force, endorsed by the last, and return it.

    That is the other one in REGISTRY_LOG_KEY, or without this setting, a new one. Raises `Refused`
    (CONFLICT) if this process lacks the last key or a next one, and if events were lost.
    """
    with write_lock():
        row = signing_keys.key_in_force()
        last = signing_keys.signing_key(row) if row else None
        if row is None or last is None:
            raise Refused(Code.CONFLICT, f"There is no key to rotate: {_problem(row)}.")
        if problem := checkpoints.contradiction(row.origin):  # or the key would sign for a loss
            raise Refused(Code.CONFLICT, f"The log has to go on before its key rotates: {problem}.")
        following = _next_key(row, last)
        size = tree_hashes.current_range().size
        successor = str(Verifier.of(row.origin, following))
        endorsement = notes.endorse(last, row.origin, size, successor)
        rotated = signing_keys.put_in_force(row.origin, following, size, endorsement=endorsement)
        append_event(ACTION, row.origin, actor=actor.user, namespace="", key=successor)
    if signing_keys.are_in_file():
        signing_keys.write([following])  # only now: until the commit, the last key is in force
    return rotated


def _next_key(row: LogKey, last: Ed25519PrivateKey) -> Ed25519PrivateKey:
    """Return a key of this process that has never been in force; where allowed, a new one."""
    rows = LogKey.objects.values_list("key", flat=True)
    used = {Verifier.parse(text).public for text in rows}
    for key in signing_keys.private_keys():
        if Verifier.of(row.origin, key).public not in used:
            return key
    if not signing_keys.are_in_file():
        raise Refused(
            Code.CONFLICT,
            "There is no next key: set REGISTRY_LOG_KEY to the key in force and a new one, with a "
            "comma between them, for every server; then rotate.",
        )
    return signing_keys.create(beside=[last])


def _problem(row: LogKey | None) -> str:
    return signing_keys.problem(row) or "the log has none"
