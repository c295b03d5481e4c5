"""The page of the signed-in user's news, and that on which they choose how to hear of them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import ActionForm
from registry.actions.news import ChooseMailTimes, RenewFeed
from registry.actions.subjects import NEWS
from registry.domain.errors import Code, Refused
from registry.http.signed_in import SignedInRequest
from registry.services.core import cursors
from registry.services.core.paging import parse_limit
from registry.services.core.permissions import Actor
from registry.services.notices import feed_addresses, inbox, mail_queue, watching
from registry.web.core.decorators import login_required_page
from registry.web.core.pages import page_links
from registry.web.core.parameters import parse_number

FORM_FIELD = "act"  # the hidden field with the slug of the form
FORMS: dict[str, type[ActionForm]] = {form.slug: form for form in NEWS.actions}


@login_required_page
def news(request: SignedInRequest) -> HttpResponse:
    """List the user's news, newest first; on POST mark them as read."""
    if request.method == "POST":
        return _mark_read(request)
    after = cursors.decode_cursor(request.path, request.GET)
    page = inbox.list_notices(
        request.user, before=after[0] if after else None, limit=parse_limit(request.GET)
    )
    context = {
        "section": "news",
        "texts": page.rows,
        "has_unread": any(text.notice.read is None for text in page.rows),
        "newest": page.rows[0].notice.event_id if page.rows else 0,
        **page_links(request, page.next_key),
    }
    return render(request, "registry/accounts/news.html", context)


def _mark_read(request: SignedInRequest) -> HttpResponse:
    """Mark one notice as read, or all up to the newest that the page had."""
    actor, one = Actor(request.user), parse_number(request.POST.get("notice", ""))
    if one is not None:
        inbox.mark_one(one, actor=actor)
    elif (newest := parse_number(request.POST.get("up_to", ""))) is not None:
        inbox.mark_read(actor=actor, up_to=newest)
        messages.success(request, "Your news are marked as read.")
    return HttpResponseRedirect(request.get_full_path())


@login_required_page
def news_settings(request: SignedInRequest) -> HttpResponse:
    """Show what the user watches, when it is mailed, and the address of their feed."""
    if request.method != "POST":
        return _render_settings(request, None)
    form_class = FORMS.get(request.POST.get(FORM_FIELD, ""))
    if form_class is None:
        raise Refused(Code.REQUEST_INVALID, "This page has no such form. Reload the page.")
    form = form_class(request.user, Actor(request.user), request.POST)
    outcome, status = form.attempt()
    if outcome is None:
        return _render_settings(request, form, status)
    messages.success(request, outcome.message)
    return HttpResponseRedirect(request.path)


def _render_settings(
    request: SignedInRequest, bound: ActionForm | None, status: int = 200
) -> HttpResponse:
    user = request.user
    actor = Actor(user)
    context: dict[str, Any] = {
        "section": "news",
        "form_url": request.path,
        "has_errors": bound is not None,
        "mail_form": bound if isinstance(bound, ChooseMailTimes) else ChooseMailTimes(user, actor),
        "feed_form": RenewFeed(user, actor),
        "feed_key": feed_addresses.key_of(user),
        "feed_url": _feed_url(request, feed_addresses.key_of(user)),
        "watches": watching.watches_of(user),
        "sends_news": mail_queue.sends_news(),
        "sends_mail": settings.SENDS_MAIL,
        "address": mail_queue.address_of(user),
    }
    return render(request, "registry/accounts/news_settings.html", context, status=status)


def _feed_url(request: SignedInRequest, key: str) -> str:
    return request.build_absolute_uri(reverse("news-feed", query={"key": key})) if key else ""
