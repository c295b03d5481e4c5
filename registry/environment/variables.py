"""Typed values from environment variables.

An empty variable counts as absent. An invalid value raises `ImproperlyConfigured` with the name of
the variable, at start.
"""

import os
import re
from datetime import UTC, datetime, timedelta

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """Return a variable without surrounding white space."""
    return os.environ.get(name, "").strip() or default


def flag(name: str) -> bool:
    """Return true if a variable is 1, false if it is 0, the default."""
    return choice(name, "0", "1") == "1"


def choice(name: str, *options: str) -> str:
    """Return a variable that must be one of the options; the first is the default."""
    value = text(name, options[0])
    if value not in options:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(options)}, not {value!r}.")
    return value


def _matching(name: str, default: int, pattern: str, expected: str) -> str:
    value = text(name, str(default))
    if not re.fullmatch(pattern, value):
        raise ImproperlyConfigured(f"{name} must be {expected}, not {value!r}.")
    return value


def count(name: str, default: int) -> int:
    """Return a variable as a whole number, 0 or more."""
    return int(_matching(name, default, "[0-9]+", "a whole number"))


def positive_count(name: str, default: int) -> int:
    """Return a variable as a whole number, 1 or more."""
    return int(_matching(name, default, "0*[1-9][0-9]*", "a positive whole number"))


def seconds(name: str, *, at_most: int) -> int:
    """Return a variable as a whole number of seconds up to a limit; 0 if absent."""
    value = count(name, 0)
    if value > at_most:
        raise ImproperlyConfigured(f"{name} must be at most {at_most} seconds, not {value}.")
    return value


def rate(name: str, default: int) -> int | None:
    """Return a variable as requests per minute; None if it is `none`, for no limit."""
    expected = "a positive whole number or none"
    value = _matching(name, default, "0*[1-9][0-9]*|none", expected)
    return None if value == "none" else int(value)


def days(name: str, default: int) -> timedelta | None:
    """Return a variable as a whole number of days, 0 or more; None if it is `none`."""
    value = _matching(name, default, "[0-9]+|none", "a whole number or none")
    return None if value == "none" else timedelta(days=int(value))


def comma_separated(name: str, default: str) -> list[str]:
    """Return the items of a comma-separated variable."""
    return [item.strip() for item in text(name, default).split(",") if item.strip()]


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
