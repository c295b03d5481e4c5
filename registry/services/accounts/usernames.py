"""Checks usernames, and the names under which closed accounts are credited."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from registry.domain import user_text
from registry.domain.errors import Code, Fault, echo
from registry.models import Event, User

FORM = re.compile(r"[a-z0-9][a-z0-9._-]{2,39}")
EXPECTED = "3 to 40 lower-case letters, digits, '.', '_' or '-', starting with a letter or digit"
MAX_CREDIT = 60  # characters of the name of a closed account
FORMER = "a former contributor"

# Names that could be mistaken for the registry itself, its operators, or nobody.
RESERVED = frozenset(
    {
        *("admin", "administrator", "administrators", "moderator", "operator", "owner", "root"),
        *("registry", "catalogue", "system", "staff", "superuser", "support", "security"),
        *("anonymous", "anybody", "everybody", "nobody", "somebody", "oneself", "me", "you"),
        *("api", "null", "none", "undefined", FORMER),
    }
)


def username_faults(name: str) -> Iterator[Fault]:
    """Yield the fault of a username at sign-up, if it is malformed, reserved or taken."""
    if not FORM.fullmatch(name):
        message = f"{echo(name)} is not a valid username"
        yield Fault("/username", Code.REQUEST_INVALID, message, EXPECTED, echo(name))
    elif name in RESERVED:
        message = f"{name} is reserved"
        yield Fault("/username", Code.REQUEST_INVALID, message, "another username", name)
    else:
        yield from taken_faults(name)


def taken_faults(name: str, pointer: str = "/username", *, but: User | None = None) -> list[Fault]:
    """Return the fault of a name that another account has or had, ignoring case."""
    others = User.objects.filter(username__iexact=name)
    if but:
        others = others.exclude(pk=but.pk)
    if not others.exists() and not _is_closed(name):
        return []
    message = f"an account {echo(name)} already exists or has existed"
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
        yield from taken_faults(credit, "/credit", but=user)


def former_name() -> str:
    """Return the first free name for a closed account without a credit."""
    taken = set(User.objects.filter(username__startswith=FORMER).values_list("username", flat=True))
    number, name = 1, FORMER
    while name in taken:
        number += 1
        name = f"{FORMER} {number}"
    return name


def name_digest(name: str) -> str:
    """Return the digest that the log keeps of a closed account's name, to recognize it later."""
    return f"sha256:{hashlib.sha256(name.casefold().encode()).hexdigest()}"


def _is_closed(name: str) -> bool:
    events = Event.objects.filter(action="account.closed", detail__contains=name_digest(name))
    return events.exists()
