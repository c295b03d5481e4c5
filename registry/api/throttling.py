"""How often somebody may ask the API. Reads are not counted: they take two queries, counting more.

The limits are those of `registry.services.limits`, which pages share.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from registry.domain.errors import Refused
from registry.services import limits
from registry.services.limits import RATES
from registry.services.permissions import Actor

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which itself imports who authenticates

__all__ = ["RATES"]


class Limited(Throttled):
    """Too many requests: after how many whole seconds another one passes, and which limit it is."""

    def __init__(self, seconds: int, sentence: str) -> None:
        self.seconds = seconds
        super().__init__(seconds, sentence)


class Limit(BaseThrottle):
    """So many requests a minute, counted by what `who` says."""

    timer = staticmethod(time.time)
    scope: ClassVar[str]
    sentence: ClassVar[str]  # with their number as {}

    def allow_request(self, request: Request, view: APIView | None) -> bool:
        """Count a request. Raises `Limited`, which says which limit it was."""
        ident = self.who(request)
        if ident and (seconds := limits.count(self.scope, ident, now=self.timer())):
            raise Limited(seconds, self.said())
        return True

    def said(self) -> str:
        """The limit, as a sentence."""
        return self.sentence.format(limits.number(self.scope))

    def who(self, request: Request) -> str:
        """By what a request is counted; empty where it is not."""
        raise NotImplementedError


class Anonymous(Limit):
    """Whatever is sent without a token."""

    scope = limits.ANONYMOUS
    sentence = "Without a token, one address may send {} requests a minute."

    def who(self, request: Request) -> str:
        """By address."""
        return "" if request.auth else _network(request)


class Including(Limit):
    """A check that asks for more than its own result, without a token."""

    scope = limits.INCLUDING
    sentence = "Without a token, one address may check {} times a minute with include=."

    def who(self, request: Request) -> str:
        """By address."""
        included = "include" in request.query_params and not request.auth
        return _network(request) if included else ""


class Account(Limit):
    """Whatever is sent with a token."""

    scope = limits.ACCOUNT
    sentence = "One account may send {} requests a minute."

    def who(self, request: Request) -> str:
        """By account, whichever of its tokens is used."""
        return str(request.auth.user.pk) if isinstance(request.auth, Actor) else ""


class Failure(Limit):
    """A token that is not good. Good ones go on working: people can share an address."""

    scope = limits.FAILURE

    sentence = "From one address, {} tokens a minute may be wrong."

    def __init__(self, refusal: Refused) -> None:
        self.refusal = refusal

    def said(self) -> str:
        """What is wrong with the token stays worth knowing."""
        return f"{self.refusal.detail} {super().said()}"

    def who(self, request: Request) -> str:
        """By address."""
        return _network(request)


def count_failure(request: Request, refusal: Refused) -> None:
    """Count a token that was refused. Raises `Limited` where there were too many."""
    Failure(refusal).allow_request(request, None)


def _network(request: Request) -> str:
    return limits.network(str(request.META.get("REMOTE_ADDR", "")))
