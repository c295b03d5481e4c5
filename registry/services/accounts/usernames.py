"""Checks usernames, and the names that closed accounts are credited as."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from string import digits as DIGITS  # noqa: N812 - a constant

from registry.domain import user_text
from registry.domain.errors import Code, Fault, echo
from registry.domain.names import credits
from registry.models import Entry, Event, Namespace, User

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
RESERVED_FOLDED = frozenset(map(credits.fold_credit, RESERVED))


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


def suggested_username(text: str) -> str:
    """Return a username like a text, such as a name at a provider; empty if none is like it."""
    plain = unicodedata.normalize("NFKD", text.partition("@")[0]).encode("ascii", "ignore")
    name = re.sub(r"[^a-z0-9._-]+", "-", plain.decode().lower()).strip("._-")[:40]
    return name if USERNAME.fullmatch(name) and name not in RESERVED else ""


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
    """Yield the fault of a closed account's name.

    It must be made of Latin letters, digits and plain punctuation, and not look like the name of
    the registry, of another or former account, of a namespace or of a vendor. The user's own name
    is allowed.
    """
    faults = list(user_text.text_faults(credit, "/credit", max_length=MAX_CREDIT, is_required=True))
    if faults:
        yield from faults
    elif problem := credits.credit_problem(credit):
        yield Fault("/credit", Code.REQUEST_INVALID, problem, credits.EXPECTED, echo(credit))
    elif problem := _mistakable(credit, user):
        message = f"{credit} {problem}"
        yield Fault("/credit", Code.REQUEST_INVALID, message, "another name, or none", credit)


def _mistakable(credit: str, user: User) -> str:
    """Return whose name a credit could be taken for, or nothing."""
    folded = credits.fold_credit(credit)
    if folded.rstrip(DIGITS) in RESERVED_FOLDED:
        return "is reserved"
    accounts = User.objects.exclude(pk=user.pk).values_list("username", flat=True)
    if folded in _folded(accounts.iterator()) or _was_closed(credit) or _was_closed(folded):
        return "is or was used by another account"
    namespaces = Namespace.objects.values_list("name", "title")
    if folded in _folded(chain.from_iterable(namespaces)):
        return "is the name of a namespace"
    vendors = Entry.objects.exclude(vendor="").values_list("vendor", flat=True)
    return "is the name of a vendor" if folded in _folded(vendors.distinct()) else ""


def _folded(names: Iterable[str]) -> set[str]:
    return {credits.fold_credit(name) for name in names}


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
    """Return the digest by which the log recognizes the name of a closed account.

    The log has that of the name, and that of the name as `fold_credit` returns it.
    """
    return f"sha256:{hashlib.sha256(name.casefold().encode()).hexdigest()}"


def _was_closed(name: str) -> bool:
    events = Event.objects.filter(action="account.closed", detail__contains=name_digest(name))
    return events.exists()
