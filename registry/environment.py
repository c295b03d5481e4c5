"""Typed values from environment variables, read and validated by environs.

An empty variable counts as absent. An invalid value raises `ImproperlyConfigured` with the name of
the variable, at start.
"""

import fcntl
import os
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from environs import Env, EnvValidationError, validate

from registry.domain.event_log import notes
from registry.domain.identity_claims import is_trustworthy


class Environment(Env):
    """The environment variables of the process; an empty one counts as absent."""

    def _get_value(self, env_key: str, default: Any) -> Any:
        value = super()._get_value(env_key, default)
        return value.strip() or default if isinstance(value, str) else value


env = Environment()


def _read(reader: Callable[..., Any], name: str, default: object, **options: Any) -> Any:
    try:
        return reader(name, default, **options)
    except EnvValidationError as error:
        expected, *_ = error.error_messages
        raise ImproperlyConfigured(f"{name} must be {expected}.") from None


def text(name: str, default: str = "") -> str:
    """Return a variable without surrounding blanks."""
    value: str = _read(env.str, name, default)
    return value


def flag(name: str) -> bool:
    """Return true if a variable is 1, false if it is 0, the default."""
    return choice(name, "0", "1") == "1"


def choice(name: str, *options: str) -> str:
    """Return a variable that must be one of the options; the first is the default."""
    validator = validate.OneOf(options, error=f"{' or '.join(options)}, not {{input!r}}")
    value: str = _read(env.str, name, options[0], validate=validator)
    return value


def count(name: str, default: int) -> int:
    """Return a variable as a whole number, 0 or more."""
    number = validate.Regexp(r"[0-9]+\Z", error="a whole number, not {input!r}")
    return int(_read(env.str, name, default, validate=number))


def positive_count(name: str, default: int) -> int:
    """Return a variable as a whole number, 1 or more."""
    number = validate.Regexp(r"0*[1-9][0-9]*\Z", error="a positive whole number, not {input!r}")
    return int(_read(env.str, name, default, validate=number))


def rate(name: str, default: int) -> int | None:
    """Return a variable as requests per minute; None if it is `none`, for no limit."""
    number = validate.Regexp(
        r"(0*[1-9][0-9]*|none)\Z", error="a positive whole number or none, not {input!r}"
    )
    value = _read(env.str, name, default, validate=number)
    return None if value == "none" else int(value)


def comma_separated(name: str, default: str) -> list[str]:
    """Return the items of a comma-separated variable."""
    items = _read(env.list, name, default.split(","))
    return [item.strip() for item in items if item.strip()]


def issuers(name: str, default: str) -> list[str]:
    """Return a comma-separated variable as URLs of OpenID Connect providers; none for `none`."""
    addresses = comma_separated(name, default)
    if addresses == ["none"]:
        return []
    for address in addresses:
        if not is_trustworthy(address):
            raise ImproperlyConfigured(
                f"{name} must list https URLs separated by commas, or be none, not {address!r}."
            )
    return addresses


def origin(name: str) -> str:
    """Return a variable as `https://host`, as clients write it; http for this machine only."""
    address = text(name)
    if not address:
        return ""
    if not is_trustworthy(address) or urlsplit(address).path not in ("", "/"):
        raise ImproperlyConfigured(
            f"{name} must be the https URL of the registry without a path, not {address!r}."
        )
    parts = urlsplit(address)
    default_port = {"http": ":80", "https": ":443"}[parts.scheme]
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(default_port)}"


PAGE = re.compile(r"https://[^\s@,]+")
CONTACT = re.compile(rf"mailto:[^\s@]+@[^\s@]+|tel:\+?[0-9-]+|{PAGE.pattern}")


def contacts(name: str) -> list[str]:
    """Return a comma-separated variable as URIs at which somebody can be reached (RFC 9116)."""
    uris = comma_separated(name, "")
    for uri in uris:
        if not CONTACT.fullmatch(uri):
            raise ImproperlyConfigured(
                f"{name} must list mailto, https or tel URIs separated by commas, not {uri!r}."
            )
    return uris


def page(name: str) -> str:
    """Return a variable as the https URL of a page; empty if absent."""
    url = text(name)
    if url and not PAGE.fullmatch(url):
        raise ImproperlyConfigured(f"{name} must be an https URL, not {url!r}.")
    return url


def instant(name: str) -> datetime | None:
    """Return a variable as a time in UTC; a date is its first second. None if absent."""
    value = text(name)
    try:
        moment = datetime.fromisoformat(value) if value else None
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be a date or a time such as 2027-06-30T00:00:00Z, not {value!r}."
        ) from None
    if moment and moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC) if moment else None


def set_variable(name: str, value: str) -> None:
    """Set a variable for a library that reads the environment itself."""
    os.environ[name] = value


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
            f"{name} must be 1 to 200 printable ASCII characters without blanks and +, such as "
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


@dataclass(frozen=True, slots=True)
class Mail:
    """An SMTP server and its credentials; without a host, no mail is sent."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    tls: bool = False  # implicit, as with smtps
    starttls: bool = False


def mail(url: str) -> Mail:
    """Return the mail server of an smtp or smtps URL. Errors do not echo it: it has a password."""
    if not url:
        return Mail()
    try:
        parts = urlsplit(url)
        port, options = parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        parts, port, options = SplitResult("", "", "", "", ""), None, {}
    starttls = options.pop("tls", ["0"])[-1]
    is_complete = parts.scheme in {"smtp", "smtps"} and parts.hostname and parts.path in {"", "/"}
    if not is_complete or parts.fragment or options or starttls not in {"0", "1"}:
        raise ImproperlyConfigured(
            "EMAIL_URL must read smtp://user:password@host:587?tls=1 or "
            "smtps://user:password@host:465, with special characters percent-encoded (%40)."
        )
    tls = parts.scheme == "smtps"
    return Mail(
        host=parts.hostname or "",
        port=port or (465 if tls else 587 if starttls == "1" else 25),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        tls=tls,
        starttls=starttls == "1" and not tls,
    )


def sender(name: str, *, required: bool) -> str:
    """Return a variable as the sender of mail: `address` or `name <address>`."""
    value = text(name)
    if not value and not required:
        return ""
    try:
        validate_email(parseaddr(value)[1])
    except ValidationError:
        raise ImproperlyConfigured(
            f"With EMAIL_URL, {name} must be the sender of mail, such as "
            f"'Registry <registry@example.org>', not {value!r}."
        ) from None
    return value
