"""Settings from environment variables, as typed values.

environs reads and validates them. An empty variable counts as absent. An invalid value
raises `ImproperlyConfigured` with the name of its variable, at start.
"""

import fcntl
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from environs import Env, EnvValidationError, validate
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict


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
    """Return whether a variable is 1; it may only be 0 or 1, and is 0 by default."""
    return choice(name, "0", "1") == "1"


def choice(name: str, *options: str) -> str:
    """Return a variable that has one of the options; the first is the default."""
    validator = validate.OneOf(options, error=f"{' or '.join(options)}, not {{input!r}}")
    value: str = _read(env.str, name, options[0], validate=validator)
    return value


def count(name: str, default: int) -> int:
    """Return a variable that is a whole number, in digits."""
    number = validate.Regexp(r"[0-9]+\Z", error="a whole number, not {input!r}")
    return int(_read(env.str, name, default, validate=number))


def positive(name: str, default: int) -> int:
    """Return a variable that is a whole number above 0, in digits."""
    number = validate.Regexp(r"0*[1-9][0-9]*\Z", error="a positive whole number, not {input!r}")
    return int(_read(env.str, name, default, validate=number))


def rate(name: str, default: int) -> int | None:
    """Return a number of requests a minute; None if the variable is `none`."""
    number = validate.Regexp(
        r"(0*[1-9][0-9]*|none)\Z", error="a positive whole number or none, not {input!r}"
    )
    value = _read(env.str, name, default, validate=number)
    return None if value == "none" else int(value)


def words(name: str, default: str) -> list[str]:
    """Return the words of a comma-separated variable."""
    items = _read(env.list, name, default.split(","))
    return [word.strip() for word in items if word.strip()]


def hand_on(name: str, value: str) -> None:
    """Set a variable for a library that reads the environment itself."""
    os.environ[name] = value


def kept_secret(path: Path) -> str:
    """Return the secret in `path`, created on first use, also by concurrent processes."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # held until the file is closed
        secret = file.read().strip()
        if not secret:
            secret = secrets.token_urlsafe(48)
            file.write(secret)
        return secret


def postgresql(url: str) -> dict[str, Any]:
    """Return the database settings for a libpq connection URL."""
    try:
        options = conninfo_to_dict(url)
    except ProgrammingError:
        options = {}  # libpq's message would print the password
    if not url.startswith(("postgres://", "postgresql://")) or "dbname" not in options:
        raise ImproperlyConfigured(
            "DATABASE_URL must read postgres://user:password@host:port/name."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": options.pop("dbname"),
        "USER": options.pop("user", ""),
        "PASSWORD": options.pop("password", ""),
        "HOST": options.pop("host", ""),
        "PORT": options.pop("port", ""),
        "CONN_MAX_AGE": 0,  # the pool keeps connections, not the threads
        "CONN_HEALTH_CHECKS": True,  # the pool replaces connections that a restarted server broke
        "OPTIONS": {
            **options,
            "pool": {
                "min_size": 1,
                "max_size": positive("DATABASE_POOL_SIZE", 4),  # the threads of a worker
                "timeout": 5,  # seconds; then the caller gets BUSY
            },
        },
    }


def sqlite(path: Path) -> dict[str, Any]:
    """Return the database settings for a SQLite file."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A deferred transaction that turns into a write can fail at once; this one waits.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,  # seconds; SQLite's busy_timeout
            "init_command": (  # Django itself turns foreign_keys on
                "PRAGMA journal_mode=WAL;"  # readers and the writer do not block each other
                "PRAGMA synchronous=NORMAL;"  # with WAL: no corruption, fewer waits for the disk
                "PRAGMA recursive_triggers=ON;"  # REPLACE fires the triggers against deletion
            ),
        },
    }


@dataclass(frozen=True, slots=True)
class Mail:
    """An SMTP server and its credentials; without a host, no mail is sent."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    tls: bool = False  # from the start, as smtps
    starttls: bool = False


def mail(url: str) -> Mail:
    """Return the mail server of an smtp or smtps URL; errors never echo it: it holds a password."""
    if not url:
        return Mail()
    try:
        parts = urlsplit(url)
        port, options = parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        parts, port, options = SplitResult("", "", "", "", ""), None, {}
    starttls = options.pop("tls", ["0"])[-1]
    is_valid = parts.scheme in {"smtp", "smtps"} and parts.hostname and parts.path in {"", "/"}
    if not is_valid or parts.fragment or options or starttls not in {"0", "1"}:
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


def sender(name: str, *, needed: bool) -> str:
    """Return the sender of mail: an address, or a name with an address in angle brackets."""
    value = text(name)
    if not value and not needed:
        return ""
    try:
        validate_email(parseaddr(value)[1])
    except ValidationError:
        raise ImproperlyConfigured(
            f"{name} must be the address that mail is sent from, such as "
            f"'Registry <registry@example.org>', where EMAIL_URL is set; it is {value!r}."
        ) from None
    return value
