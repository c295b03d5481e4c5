"""Reads the signatures of a note, as anybody who has the key of a log does."""

import re
from base64 import b64decode

from registry.domain.event_log.notes import DASH, Verifier

SIGNATURE_LINE = re.compile(rf"{DASH} (?P<name>\S+) (?P<signature>[A-Za-z0-9+/]+={{0,2}})")


def is_signed_by(note: str, verifier: Verifier) -> bool:
    """Return whether a note has a valid signature of a key; others in it do not matter."""
    text, _, signatures = note.partition("\n\n")
    for line in signatures.splitlines():
        match = SIGNATURE_LINE.fullmatch(line)
        named = match["signature"] if match and match["name"] == verifier.origin else ""
        data = b64decode(named, validate=True)
        if data[:4] == verifier.key_id and verifier.verifies(data[4:], f"{text}\n"):
            return True
    return False
