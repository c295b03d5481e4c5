"""The page behind the box of the home page: a name is searched for, other text identified."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from registry.domain.errors import Refused
from registry.domain.user_text import normalize_lines
from registry.http import limiter
from registry.http.rate_limits import RateLimited
from registry.services.identify.identifying import identify_text
from registry.web.core import error_pages
from registry.web.core.decorators import private_page, returnable
from registry.web.identify.answer import Answer

TEMPLATE = "registry/identify/identify.html"
MAX_SEARCH = 200  # characters of a line; longer ones are no names
LABEL = ": "  # after the words by which tools say what a line is about; no name has it


@returnable
@csrf_exempt  # it writes nothing, and pages that caches share have no token
@private_page
def identify(request: HttpRequest) -> HttpResponse:
    """Search for a line, or show what the line of a tool or a longer text describes.

    Nothing of it is stored.
    """
    if request.method != "POST":
        return render(request, TEMPLATE, _context(""))
    text = normalize_lines(request.POST.get("text", "")).strip()
    is_line = len(text) <= MAX_SEARCH and "\n" not in text
    if is_line and LABEL not in text:
        return _search(text)
    context = _context(text)
    try:
        limiter.count_request(request, account=request.user.pk, is_preview=False, is_page=True)
        answer = Answer.of(text, identify_text(text))
    except Refused as refusal:
        response = error_pages.refusal_page(request, refusal, template=TEMPLATE, **context)
        if isinstance(refusal, RateLimited):
            response["Retry-After"] = str(refusal.seconds)
        return response
    if is_line and not answer.machines:
        return _search(text)
    return render(request, TEMPLATE, context | {"answer": answer})


def _search(text: str) -> HttpResponse:
    return redirect(reverse("home", query={"q": text}) if text else "home")


def _context(text: str) -> dict[str, Any]:
    return {"section": "identify", "text": text}
