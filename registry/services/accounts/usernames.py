"""Names of accounts: what people may call themselves, and what nobody may be called again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from registry.domain import user_text
from registry.domain.errors import Code, Fault, echo
from registry.models import Event, User

FORM = re.compile(r"[a-z0-9][a-z0-9._-]{2,39}")
EXPECTED = "3 to 40 lower-case letters, digits, '.', '_' or '-', a letter or a digit first"
MAX_CREDIT = 60  # characters of what a closed account is called
FORMER = "a former contributor"

# What would pass for the registry itself, for who looks after it, or for nobody.
RESERVED = frozenset(
    {
        *("admin", "administrator", "administrators", "moderator", "operator", "owner", "root"),
        *("registry", "catalogue", "system", "staff", "superuser", "support", "security"),
        *("anonymous", "anybody", "everybody", "nobody", "somebody", "oneself", "me", "you"),
        *("api", "null", "none", "undefined", FORMER),
    }
)


def username_faults(name: str) -> Iterator[Fault]:
    """Why somebody who signs up cannot be called so; nothing where they can. At most one fault."""
    if not FORM.fullmatch(name):
        message = f"{echo(name)} is no user name"
        yield Fault("/username", Code.REQUEST_INVALID, message, EXPECTED, echo(name))
    elif name in RESERVED:
        message = f"{name} is reserved"
        yield Fault("/username", Code.REQUEST_INVALID, message, "another user name", name)
    else:
        yield from taken_faults(name)


def taken_faults(name: str, pointer: str = "/username", *, but: User | None = None) -> list[Fault]:
    """The fault of a name that another account has or had, however it spells letters' case."""
    others = User.objects.filter(username__iexact=name)
    if but:
        others = others.exclude(pk=but.pk)
    if not others.exists() and not _is_closed(name):
        return []
    message = f"an account {echo(name)} already exists, or did"
    return [Fault(pointer, Code.REQUEST_INVALID, message, "another name", echo(name))]


def credit_faults(credit: str, user: User) -> Iterator[Fault]:
    """Why a closed account cannot be called so; nothing where it can. At most one fault."""
    unreadable = list(user_text.text_faults(credit, "/credit", most=MAX_CREDIT, needed=True))
    if unreadable:
        yield from unreadable
    elif credit.casefold() in RESERVED:
        message = f"{credit} is reserved"
        yield Fault("/credit", Code.REQUEST_INVALID, message, "another name, or none", credit)
    else:
        yield from taken_faults(credit, "/credit", but=user)


def former_name() -> str:
    """What a closed account is called that chose nothing: the first that is free."""
    taken = set(User.objects.filter(username__startswith=FORMER).values_list("username", flat=True))
    number, name = 1, FORMER
    while name in taken:
        number += 1
        name = f"{FORMER} {number}"
    return name


def name_digest(name: str) -> str:
    """What the log keeps of a closed account's name: enough to know it again when it is typed."""
    return f"sha256:{hashlib.sha256(name.casefold().encode()).hexdigest()}"


def _is_closed(name: str) -> bool:
    closed = Event.objects.filter(action="account.closed", detail__contains=name_digest(name))
    return closed.exists()
