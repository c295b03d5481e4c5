"""The parameters that a page takes, and an honest word about others.

Decision 172: a page that ignored one without saying so would show a list as if it were filtered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from django.http import HttpRequest

from registry.domain.errors import Code, Fault, echo, refuse_all
from registry.domain.names.choices import repeated
from registry.domain.names.near_names import nearest_names

MAX_NAMED = 5  # unknown parameters that are named
MAX_NAME = 60  # characters of one
MAX_DIGITS = 18  # of a key or an event number, which has 63 bits
# Senders of links and mail add these to a URL; they mean nothing to a page.
TRACKING = re.compile(
    r"utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|mc_[ce]id|_hs(enc|mi)|_gl|_ga|(gcl|fbcl|msclk|ycl|dcl|twcl)id"
    r"|igsh(id)?|ref|ref_src|srsltid|gad_source|gclsrc|wbraid|gbraid|si|mkt_tok|trk|cmpid",
    re.IGNORECASE,
)

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class UnknownParameter:
    """A parameter that the page does not take, and similar ones that it takes, with their URLs."""

    name: str
    suggestions: tuple[tuple[str, str], ...]


def takes(*names: str, several: Collection[str] = ()) -> Callable[[View], View]:
    """Declare the query parameters of a page's view; without this a page takes none.

    The URL may have `several` of some of them.
    """

    def declare(view: View) -> View:
        vars(view)["parameters"] = frozenset(names)
        vars(view)["several"] = frozenset(several)
        return view

    return declare


def takes_any(view: View) -> View:
    """Leave a page of another application alone: nobody knows what it takes."""
    vars(view).pop("parameters", None)
    vars(view).pop("several", None)
    return view


def parameters_of(view: Any) -> frozenset[str]:
    """Return the parameters that a view declares."""
    return getattr(view, "parameters", frozenset())


def repeated_names(request: HttpRequest, view: Any) -> list[str]:
    """Return the names of parameters of which a view takes one and the URL has several."""
    single = parameters_of(view) - getattr(view, "several", frozenset())
    return [name for name, values in request.GET.lists() if name in single and len(values) > 1]


def unknown_names(request: HttpRequest, allowed: Collection[str]) -> list[str]:
    """Return the names of parameters that a page does not take, but for those that track."""
    return [name for name in request.GET if name not in allowed and not TRACKING.fullmatch(name)]


def refuse_unread(request: HttpRequest, view: Any) -> None:
    """Raise `Refused` (REQUEST_INVALID) for parameters that the view of a file does not read."""
    allowed = parameters_of(view)
    expected = "one of " + ", ".join(sorted(allowed))
    unknown = (
        Fault(
            "",
            Code.REQUEST_INVALID,
            f"there is no parameter {echo(name)}",
            expected,
            echo(name),
            nearest_names(name, allowed),
        )
        for name in unknown_names(request, allowed)
    )
    refuse_all([*unknown, *map(repeated, repeated_names(request, view))])


def unread_parameters(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the notice about parameters that the page does not read.

    A context processor: pages of other applications declare nothing, and are left alone.
    """
    view = request.resolver_match.func if request.resolver_match else None
    if not request.GET or not hasattr(view, "parameters"):
        return {}
    allowed = parameters_of(view)
    names, several = unknown_names(request, allowed), repeated_names(request, view)
    if not (names or several):
        return {}
    return {
        "unknown_parameters": list(_described(request, names[:MAX_NAMED], allowed)),
        "repeated_parameters": [(name, request.GET[name][:MAX_NAME]) for name in several],
        "known_parameters": sorted(allowed),
        "url_of_known": _url(request, without=names),
    }


def parse_number(text: str) -> int | None:
    """Return the key or the event number that a text states; None for any other text."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None


def _described(
    request: HttpRequest, names: Collection[str], allowed: Collection[str]
) -> Iterator[UnknownParameter]:
    for name in names:
        near = nearest_names(name[:MAX_NAME], allowed)
        urls = (_url(request, without=[name], renamed=(name, other)) for other in near)
        yield UnknownParameter(echo(name[:MAX_NAME]), tuple(zip(near, urls, strict=True)))


def _url(
    request: HttpRequest, *, without: Collection[str], renamed: tuple[str, str] | None = None
) -> str:
    """Return the URL of the request without some parameters, or with one of them renamed."""
    query = request.GET.copy()
    if renamed:
        old, new = renamed
        query.setlist(new, request.GET.getlist(old))
    for name in without:
        query.pop(name, None)
    return quote(request.path) + (f"?{query.urlencode()}" if query else "")
