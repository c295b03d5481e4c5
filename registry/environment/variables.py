"""Typed values from environment variables.

An empty variable counts as absent. An invalid value raises `ImproperlyConfigured` with the name of
the variable, at start.
"""

import os
import re
from datetime import UTC, datetime, timedelta

from django.core.exceptions import ImproperlyConfigured

from registry.domain.names.near_names import nearest_names

MAX_NUMBER = 1_000_000  # more than any setting can mean: a century in hours, a terabyte in MiB
# Variables that Kubernetes and Docker set for a service named registry, or registry-…, beside it.
SERVICE_LINK = re.compile(r"REGISTRY(_\w+)?_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_\w+)?)")

_read_names: set[str] = set()


def text(name: str, default: str = "") -> str:
    """Return a variable without surrounding white space."""
    _read_names.add(name)
    return os.environ.get(name, "").strip() or default


# Decision 199: a setting that is ignored is found out too late.
def refuse_unknown(prefix: str) -> None:
    """Refuse variables with a prefix that no setting has read; call it after all of them."""
    for name in sorted(os.environ):
        is_ours = name.startswith(prefix) and not SERVICE_LINK.fullmatch(name)
        if is_ours and name not in _read_names and os.environ[name].strip():
            candidates = sorted(known for known in _read_names if known.startswith(prefix))
            nearest = nearest_names(name, candidates)[:1]
            hint = f" Did you mean {nearest[0]}?" if nearest else ""
            raise ImproperlyConfigured(f"{name} is no setting of this release.{hint}")


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


def _number(name: str, value: str) -> int:
    """Return digits as a number that no computation with it exceeds."""
    digits = value.lstrip("0") or "0"
    if len(digits) > len(str(MAX_NUMBER)) or int(digits) > MAX_NUMBER:
        raise ImproperlyConfigured(f"{name} must be a whole number up to {MAX_NUMBER}.")
    return int(digits)


def count(name: str, default: int) -> int:
    """Return a variable as a whole number, 0 or more."""
    return _number(name, _matching(name, default, "[0-9]+", "a whole number"))


def positive_count(name: str, default: int) -> int:
    """Return a variable as a whole number, 1 or more."""
    value = _matching(name, default, "0*[1-9][0-9]*", "a positive whole number")
    return _number(name, value)


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
    return None if value == "none" else _number(name, value)


def days(name: str, default: int) -> timedelta | None:
    """Return a variable as a whole number of days, 0 or more; None if it is `none`."""
    value = _matching(name, default, "[0-9]+|none", "a whole number or none")
    return None if value == "none" else timedelta(days=_number(name, value))


def comma_separated(name: str, default: str) -> list[str]:
    """Return the items of a comma-separated variable, which has some if it is set."""
    value = text(name, default)
    items = [item.strip() for item in value.split(",") if item.strip()]
    if value and not items:
        raise ImproperlyConfigured(f"{name} must list something, not {value!r}.")
    return items


def instant(name: str) -> datetime | None:
    """Return a variable as a time in UTC; a date is its first second. None if absent."""
    value = text(name)
    try:
        moment = datetime.fromisoformat(value) if value else None
        if moment and moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC) if moment else None
    except (ValueError, OverflowError):
        raise ImproperlyConfigured(
            f"{name} must be a date or a time such as 2027-06-30T00:00:00Z, not {value!r}."
        ) from None


def set_variable(name: str, value: str) -> None:
    """Set a variable for a library that reads the environment itself."""
    os.environ[name] = value
