"""Keys, and the name of the log: from environment variables, or from a file of the first start."""

import fcntl
import os
import secrets
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.exceptions import ImproperlyConfigured

from registry.domain.event_log import notes
from registry.environment.variables import comma_separated, text


def signing_keys(name: str) -> list[Ed25519PrivateKey]:
    """Return the private keys of a variable, separated by commas. Errors do not echo them."""
    try:
        return [notes.private_key(item) for item in comma_separated(name, "")]
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must hold 32 random bytes in base64, or several of these separated by commas. "
            f"Generate them with: python3 -c 'import base64, secrets; "
            "print(base64.b64encode(secrets.token_bytes(32)).decode())'"
        ) from None


def log_origin(name: str, hosts: list[str]) -> str:
    """Return a variable as the name of the event log; by default, the first host and `/log`."""
    host = next((host.lstrip(".") for host in hosts if host != "*"), "localhost")
    origin = text(name, f"{host}/log")
    if not notes.ORIGIN.fullmatch(origin):
        raise ImproperlyConfigured(
            f"{name} must be 1 to 200 printable ASCII characters without spaces and +, such as "
            f"registry.example.org/log, not {origin!r}."
        )
    return origin


def load_or_create_secret(path: Path) -> str:
    """Return the secret in a file, which the first of several processes creates.

    Writes nothing if it exists: the folder may be read-only.
    """
    if path.exists() and (secret := path.read_text().strip()):
        return secret
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # held until the file is closed
        secret = file.read().strip()
        if not secret:
            secret = secrets.token_urlsafe(48)
            file.write(secret)
        return secret
