"""Encrypts what a mail holds: a database, its dumps and its log of writes have no readable link."""

from __future__ import annotations

import base64
import json
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac

SALT = "registry.services.outbox"  # no other use of the secret key has this one

Content = dict[str, Any]  # JSON


class Unreadable(Exception):
    """A content was not encrypted with the secret key of today."""


def seal(content: Content) -> str:
    return _cipher().encrypt(json.dumps(content).encode()).decode()


def unseal(text: str) -> Content:
    """Return the content of an encrypted text. Raises `Unreadable`."""
    try:
        content: Content = json.loads(_cipher().decrypt(text.encode()))
    except InvalidToken:
        raise Unreadable from None
    return content


def _cipher() -> Fernet:
    key = salted_hmac(SALT, "content", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))
