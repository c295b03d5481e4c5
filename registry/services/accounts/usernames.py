"""Checks usernames, and the names that closed accounts are credited as."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from registry.domain import user_text
from registry.domain.errors import Code, Fault, echo
from registry.models import Event, User

USERNAME = re.compile(r"[a-z0-9][a-z0-9._-]{2,39}")
EXPECTED = "3 to 40 lower-case letters, digits, '.', '_' or '-', starting with a letter or digit"
MAX_CREDIT = 60  # characters of a closed account's name
FORMER_NAME = "a former contributor"

# Names that could be mistaken for the registry itself, its operators, or nobody.
RESERVED = frozenset(
    {
        *("admin", "administrator", "administrators", "moderator", "operator", "owner", "root"),
        *("registry", "catalogue", "system", "staff", "superuser", "support", "security"),
        *("anonymous", "anybody", "everybody", "nobody", "somebody", "oneself", "me", "you"),
        *("api", "null", "none", "undefined", FORMER_NAME),
    }
)


def username_faults(name: str) -> Iterator[Fault]:
    """Yield the fault of a username at sign-up, if it is malformed, reserved or taken."""
    if not USERNAME.fullmatch(name):
        message = f"{echo(name)} is not a valid username"
        yield Fault("/username", Code.REQUEST_INVALID, message, EXPECTED, echo(name))
    elif name in RESERVED:
        message = f"{name} is reserved"
        yield Fault("/username", Code.REQUEST_INVALID, message, "another username", name)
    else:
        yield from taken_faults(name)


def taken_faults(
    name: str, pointer: str = "/username", *, exclude: User | None = None
) -> list[Fault]:
    """Return the fault of a name that another account has or had, ignoring case."""
    others = User.objects.filter(username__iexact=name)
    if exclude:
        others = others.exclude(pk=exclude.pk)
    if not others.exists() and not _was_closed(name):
        return []
    message = f"the name {echo(name)} is or was used by another account"
    return [Fault(pointer, Code.REQUEST_INVALID, message, "another name", echo(name))]


def credit_faults(credit: str, user: User) -> Iterator[Fault]:
    """Yield the fault of a closed account's name, if it is not valid, reserved or taken."""
    faults = list(user_text.text_faults(credit, "/credit", max_length=MAX_CREDIT, is_required=True))
    if faults:
        yield from faults
    elif credit.casefold() in RESERVED:
        message = f"{credit} is reserved"
        yield Fault("/credit", Code.REQUEST_INVALID, message, "another name, or none", credit)
    else:
        yield from taken_faults(credit, "/credit", exclude=user)


def former_name() -> str:
    """Return the first free name for a closed account without a credit."""
    taken = set(
        User.objects.filter(username__startswith=FORMER_NAME).values_list("username", flat=True)
    )
    number, name = 1, FORMER_NAME
    while name in taken:
        number += 1
        name = f"{FORMER_NAME} {number}"
    return name


def name_digest(name: str) -> str:
    """Return the digest by which the log recognizes the name of a closed account."""
    return f"sha256:{hashlib.sha256(name.casefold().encode()).hexdigest()}"


def _was_closed(name: str) -> bool:
    events = Event.objects.filter(action="account.closed", detail__contains=name_digest(name))
    return events.exists()
