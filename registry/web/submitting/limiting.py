"""How often forms may be sent: as often as the API may be asked, and counted together with that."""

from __future__ import annotations

from django.http import HttpRequest

from registry.domain.errors import Code, Refused
from registry.services import limits

WHO = {
    limits.ACCOUNT: "One account may send {} requests a minute.",
    limits.ANONYMOUS: "Without an account, one address may send {} requests a minute.",
    limits.INCLUDING: "Without an account, one address may look at {} previews a minute.",
}


class Limited(Refused):
    """Too many requests, and after how many seconds another one passes."""

    def __init__(self, scope: str, seconds: int) -> None:
        sentence = WHO[scope].format(limits.number(scope))
        super().__init__(Code.RATE_LIMITED, f"{sentence} Send it again in {seconds} seconds.")
        self.seconds = seconds


def count(request: HttpRequest, *, is_costly: bool) -> None:
    """Count a form that was sent. Raises `Limited`."""
    if request.user.is_authenticated:
        _count(limits.ACCOUNT, str(request.user.pk))
        return
    network = limits.network(str(request.META.get("REMOTE_ADDR", "")))
    _count(limits.ANONYMOUS, network)
    if is_costly:
        _count(limits.INCLUDING, network)


def _count(scope: str, ident: str) -> None:
    if seconds := limits.count(scope, ident):
        raise Limited(scope, seconds)
