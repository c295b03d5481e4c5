"""Resets of forgotten passwords: a request only queues them, so it tells nobody who has an account.

The worker looks for the account, and queues the mail with the link if there is one.
"""

from __future__ import annotations

from allauth.account.forms import ResetPasswordForm
from allauth.account.middleware import AccountMiddleware
from django.http import HttpRequest, HttpResponse
from django.test.client import RequestFactory  # makes requests of what they say

from registry.services.outbox.queueing import queue_content
from registry.services.outbox.sealing import Content

KIND = "password_reset_request"


def request_reset(email: str, *, scheme: str, host: str) -> None:
    """Queue the request of somebody who may have an account; links lead to this host. One query."""
    queue_content(KIND, {"email": email, "scheme": scheme, "host": host})


def queue_links(content: Content) -> None:
    """Queue a mail with a link for each account that a request concerns."""
    form = ResetPasswordForm({"email": content["email"]})

    def save(request: HttpRequest) -> HttpResponse:
        if form.is_valid():
            form.save(request)
        return HttpResponse()

    AccountMiddleware(save)(_request_of(content))  # allauth makes links for the request at hand


def _request_of(content: Content) -> HttpRequest:
    """Return a request to the host that was asked, which was one of `ALLOWED_HOSTS`."""
    is_secure, headers = content["scheme"] == "https", {"host": content["host"]}
    return RequestFactory().get("/", secure=is_secure, headers=headers)
