"""Decorators for page views: allowed methods, error pages, caching and sign-in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from registry.domain.errors import Code, Refused
from registry.http.caching import CachePolicy, add_etag, set_policy
from registry.http.names import READ_METHODS
from registry.http.problems import PROBLEMS
from registry.services.versions import selection
from registry.services.versions.selection import SpelledOtherwise
from registry.web.core import error_pages, stashed_forms
from registry.web.core.other_spellings import spelled_as_tag
from registry.web.core.parameters import parameters_of, refuse_unread

View = Callable[..., HttpResponse]


def public_page(view: View) -> View:
    """Allow GET and HEAD, render refusals as error pages, and support conditional requests.

    A page can gain a warning at any time, so caches revalidate every time; most receive 304.
    Pages vary by cookie, because one stores the theme.
    """
    return _read_only(_page(view, CachePolicy.PERSONAL))


def public_document(view: View) -> View:
    """Decorate a view as `public_page` does, for content that is the same for every reader.

    For feeds, badges and sitemaps. Shared caches may store the response and revalidate it every
    time, unless the view sets `Cache-Control`. Refusals are rendered as pages. A document that
    takes parameters refuses others; one without ignores them, as `?v=2` at the end of a badge's.
    """

    @wraps(view)
    def document(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if parameters_of(view):  # a file cannot say that it left a filter out
            refuse_unread(request, view)
        response = view(request, *args, **kwargs)
        has_policy = response.has_header("Cache-Control")
        return response if has_policy else set_policy(response, CachePolicy.FLOATING)

    return _read_only(_page(document, CachePolicy.PERSONAL, keeps_policy=True))


def private_page(view: View) -> View:
    """Decorate a view as `public_page` does, but also allow POST, and forbid caching.

    Django's middleware checks the CSRF token.
    """
    return _page(view, CachePolicy.NO_STORE, methods=(*READ_METHODS, "POST"))


def login_required_page(view: View) -> View:
    """Decorate a view as `private_page` does; anonymous users are sent to sign in first.

    A posted form is stashed if it can be; the view restores it with `stashed_forms.take_stashed`.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return stashed_forms.sign_in_first(request)

    return _returnable(private_page(wrapper), first_status=HTTPStatus.BAD_REQUEST)


def returnable(view: View) -> View:
    """Let browsers show the result of a posted form again on Back, with what was typed since.

    With `no-store` they would show an error. After signing out they have another cookie, and ask.
    Forms with errors of signed-in users are returnable anyway; the page of a new token is not.
    """
    return _returnable(view, first_status=HTTPStatus.OK)


def _returnable(view: View, first_status: HTTPStatus) -> View:
    """Make the results of posts returnable that have this status or a higher one."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        is_result = request.method == "POST" and not response.has_header("Location")
        is_returnable = is_result and response.status_code >= first_status
        return set_policy(response, CachePolicy.PERSONAL) if is_returnable else response

    return wrapper


def _read_only(view: View) -> View:
    # These views write nothing, so a POST may receive 405 without a CSRF token.
    @csrf_exempt
    @wraps(view)
    def conditional(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        is_stored = CachePolicy.NO_STORE not in response.get("Cache-Control", "")
        return add_etag(request, response) if is_stored and not response.streaming else response

    return conditional


def _page(
    view: View,
    policy: CachePolicy,
    *,
    methods: Sequence[str] = READ_METHODS,
    keeps_policy: bool = False,
) -> View:
    """Allow some methods, render refusals as error pages, and set the cache policy."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = _answer(view, request, methods, *args, **kwargs)
        except SpelledOtherwise as refusal:
            return set_policy(spelled_as_tag(request, refusal), policy)
        except Refused as refusal:
            return set_policy(error_pages.refusal_page(request, refusal), policy)
        return response if keeps_policy else set_policy(response, policy)

    vars(wrapper)["parameters"] = parameters_of(view)
    return wrapper


def _answer(
    view: View, request: HttpRequest, methods: Sequence[str], *args: Any, **kwargs: Any
) -> HttpResponse:
    """Return the view's response. Raises `Refused`."""
    if request.method not in methods:
        refusal = Refused(Code.METHOD_NOT_ALLOWED, PROBLEMS[Code.METHOD_NOT_ALLOWED].meaning)
        response = set_policy(error_pages.refusal_page(request, refusal), CachePolicy.PERSONAL)
        response["Allow"] = ", ".join(methods)
        return response
    for value in kwargs.values():
        if isinstance(value, Refused):  # from the path converter
            raise selection.with_similar_tags(value)
    return view(request, *args, **kwargs)
