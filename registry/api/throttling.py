"""How often somebody may ask. Reads are not counted: they take two queries, counting takes more.

Counts are kept in the database's cache, one for all server processes. Two requests at once can be
counted as one: a limit protects the server, it is no account of what was used.
"""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import TYPE_CHECKING, ClassVar, NoReturn

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from registry.domain.errors import Refused
from registry.services.operation.counting import Counts
from registry.services.permissions import Actor

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which itself imports who authenticates

RATES: dict[str, str | None] = {
    "anonymous": "60/min",  # an editor that checks while somebody types does so each second
    "including": "20/min",  # impact and near duplicates look at many versions
    "account": "300/min",  # a fast CI; published one by one, five versions a second
    "failure": "30/min",  # a build with an old token tries again; a 256-bit secret is not guessed
}
NETWORK = 64  # bits of an IPv6 address that say whose it is; the rest its owner chooses freely


class Limited(Throttled):
    """Too many requests: after how many whole seconds another one passes, and which limit it is."""

    def __init__(self, wait: float, sentence: str) -> None:
        self.seconds = max(1, ceil(wait))
        super().__init__(self.seconds, sentence)


class Limit(SimpleRateThrottle):
    """So many requests a minute, counted by what `get_cache_key` says."""

    cache = Counts()
    THROTTLE_RATES = RATES
    num_requests: int
    sentence: ClassVar[str]  # with their number as {}

    def throttle_failure(self) -> NoReturn:
        """Say which limit it was."""
        raise Limited(self.wait() or 0, self.said())

    def said(self) -> str:
        """The limit, as a sentence."""
        return self.sentence.format(self.num_requests)

    def key_of(self, ident: object) -> str:
        """Where the count of somebody is kept."""
        return self.cache_format % {"scope": self.scope, "ident": ident}

    def get_ident(self, request: Request) -> str:
        """Who is at the other end: an IPv4 address, or the network of an IPv6 address."""
        text = str(request.META.get("REMOTE_ADDR", ""))
        try:
            address = ip_address(text)
        except ValueError:  # a socket in the file system has none
            return text.strip() or "local"
        if isinstance(address, IPv6Address):
            return str(IPv6Network((int(address), NETWORK), strict=False))
        return text


class Anonymous(Limit):
    """Whatever is sent without a token."""

    scope = "anonymous"
    sentence = "Without a token, one address may send {} requests a minute."

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """By address."""
        return None if request.auth else self.key_of(self.get_ident(request))


class Including(Limit):
    """A check that asks for more than its own result, without a token."""

    scope = "including"
    sentence = "Without a token, one address may check {} times a minute with include=."

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """By address."""
        included = "include" in request.query_params and not request.auth
        return self.key_of(self.get_ident(request)) if included else None


class Account(Limit):
    """Whatever is sent with a token."""

    scope = "account"
    sentence = "One account may send {} requests a minute."

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """By account, whichever of its tokens is used."""
        return self.key_of(request.auth.user.pk) if isinstance(request.auth, Actor) else None


class Failure(Limit):
    """A token that is not good. Good ones go on working: people can share an address."""

    scope = "failure"

    sentence = "From one address, {} tokens a minute may be wrong."

    def __init__(self, refusal: Refused) -> None:
        super().__init__()
        self.refusal = refusal

    def said(self) -> str:
        """What is wrong with the token stays worth knowing."""
        return f"{self.refusal.detail} {super().said()}"

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        """By address."""
        return self.key_of(self.get_ident(request))


def count_failure(request: Request, refusal: Refused) -> None:
    """Count a token that was refused. Raises `Limited` where there were too many."""
    Failure(refusal).allow_request(request, None)  # type: ignore[arg-type]  # no limit looks at it
