"""Digests of targets, computed without the registry's code."""

import hashlib
import json
from typing import Any


def digest_of(target: Any) -> str:
    """Return the digest of a target's canonical JSON (RFC 8785).

    Raises `ValueError` for floats, which the standard library writes differently.
    """
    text = json.dumps(
        target, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=None
    )
    _refuse_floats(target)
    return digest_of_bytes(text.encode())


def digest_of_bytes(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise ValueError(f"{value!r} is a float")
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _refuse_floats(item)
