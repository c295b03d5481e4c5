"""The error page of the admin for requests that a service rejects."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.actions.form_messages import fault_sentence, suggestion_hint
from registry.domain.errors import Refused
from registry.http.problems import PROBLEMS


def refusal_page(request: HttpRequest, refusal: Refused, context: dict[str, Any]) -> HttpResponse:
    """Return the error page for a rejected request."""
    problem = PROBLEMS[refusal.code]
    context = {
        **context,
        "title": problem.title,
        "detail": refusal.detail,
        "hint": suggestion_hint(refusal),
        "faults": [fault_sentence(fault) for fault in refusal.faults],
    }
    return render(request, "registry/admin/error.html", context, status=problem.status)
