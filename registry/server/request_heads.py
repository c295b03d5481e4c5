"""The heads of requests that are refused: unreadable headers, no Host or several (RFC 9112, 3.2).

granian has no value of a header with other bytes than ASCII: it would vanish, and with it a token,
or the address that a proxy reports (docs/decisions/0095).
"""

from __future__ import annotations

from collections.abc import Iterable

from registry.domain.errors import Code, Refused
from registry.server.rsgi import RsgiScope

Lines = Iterable[tuple[str, str]]


def is_readable(names: int, lines: Lines) -> bool:
    """Return whether there is a value for each of the `names` that a request has."""
    return len({name for name, _ in lines}) == names


def head_refusal(scope: RsgiScope) -> Refused | None:
    """Return why a request is refused whatever it asks for (REQUEST_INVALID), or None."""
    lines = scope.headers.items()
    if not is_readable(len(scope.headers), lines):
        unreadable = set(scope.headers.keys()) - {name for name, _ in lines}
        return _refusal(
            f"The header {min(unreadable)} has bytes that are not ASCII: percent-encode them, or "
            "send the request without it."
        )
    hosts = [value for name, value in lines if name == "host"]
    if len(hosts) > 1:
        return _refusal(f"The request has {len(hosts)} Host headers: send one.")
    if not any(hosts):
        return _refusal("The request has no Host: send one such as Host: registry.example.org.")
    return None


def _refusal(detail: str) -> Refused:
    return Refused(Code.REQUEST_INVALID, detail)
