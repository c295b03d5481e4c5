"""What every page has in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page

from registry.domain.errors import Code, Refused
from registry.http.caching import Policy, set_policy
from registry.http.problems import PROBLEMS
from registry.services.core.transactions import is_transient_error
from registry.web.core import error_pages, stashed_forms

View = Callable[..., HttpResponse]
SAFE_METHODS = ("GET", "HEAD")


def public_page(view: View) -> View:
    """Answer GET and HEAD, say why where a service refuses, and let browsers ask again cheaply.

    A page can gain a warning at any time, so caches ask each time and mostly hear 304. It differs
    by cookie: the theme that a reader chose stands in one.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = _answer(view, request, *args, **kwargs)
        except Refused as refusal:
            response = error_pages.refusal_page(request, refusal)
        return set_policy(response, Policy.PERSONAL)

    return _readable(answered)


def public_document(view: View) -> View:
    """As `page`, for what is the same for every reader: feeds, badges, the sitemap.

    Caches on the way may keep it, and ask each time, unless the view says how long it holds. A
    refusal is a page.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = _answer(view, request, *args, **kwargs)
        except Refused as refusal:
            return set_policy(error_pages.refusal_page(request, refusal), Policy.PERSONAL)
        if not response.has_header("Cache-Control"):
            set_policy(response, Policy.FLOATING)
        return response

    return _readable(answered)


def private_page(view: View) -> View:
    """As `page`, for what is somebody's own or sends something: also POST; never kept by anybody.

    What is sent has a CSRF token: Django's middleware sees to it.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = _answer(view, request, *args, methods=(*SAFE_METHODS, "POST"), **kwargs)
        except Refused as refusal:
            response = error_pages.refusal_page(request, refusal)
        return set_policy(response, Policy.NO_STORE)

    return answered


def login_required_page(view: View) -> View:
    """As `desk`, for people who are signed in. Others sign in first, and lose nothing they typed.

    The view finds that again with `carried.take`.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method == "POST":
            stashed_forms.stash_form(request)
        return redirect_to_login(request.get_full_path())

    return private_page(answered)


def _readable(view: View) -> View:
    # Nothing is written, so that a POST needs no CSRF token to hear 405.
    return csrf_exempt(conditional_page(view))


def _answer(
    view: View,
    request: HttpRequest,
    *args: Any,
    methods: Sequence[str] = SAFE_METHODS,
    **kwargs: Any,
) -> HttpResponse:
    """What a view answers. Raises `Refused`, BUSY where the database is."""
    if request.method not in methods:
        refusal = Refused(Code.METHOD_NOT_ALLOWED, PROBLEMS[Code.METHOD_NOT_ALLOWED].meaning)
        response = set_policy(error_pages.refusal_page(request, refusal), Policy.PERSONAL)
        response["Allow"] = ", ".join(methods)
        return response
    for value in kwargs.values():
        if isinstance(value, Refused):  # the path's converter
            raise value
    try:
        return view(request, *args, **kwargs)
    except OperationalError as error:
        if not is_transient_error(error):
            raise
        raise Refused(Code.BUSY, PROBLEMS[Code.BUSY].meaning) from error
