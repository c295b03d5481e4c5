"""Codes that people write down and type again. Only their digests are stored."""

from __future__ import annotations

import hashlib
import secrets

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # of Crockford's base 32: none looks like another
GROUPS, GROUP_LENGTH = 5, 4  # 100 bits cannot be guessed, so a fast hash is enough
READ_AS = str.maketrans("oil", "011")
MAX_TYPED = 100  # characters; a code has 24


def new_code() -> str:
    """Return a random code, such as 7k3m-x0f2-9qan-tt4e-c8wz."""
    return "-".join(
        "".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS)
    )


def digest(code: str) -> str:
    """Return the digest of a code as somebody typed it: case, dashes and spaces do not matter."""
    letters = "".join(code[:MAX_TYPED].split()).replace("-", "").lower().translate(READ_AS)
    return hashlib.sha256(letters.encode()).hexdigest()


def matches(code: str, stored: str) -> bool:
    """Return whether a code has a stored digest, in constant time."""
    return secrets.compare_digest(digest(code), stored)
