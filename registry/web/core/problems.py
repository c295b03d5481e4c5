"""The problems that answers point to: every code with its status and meaning."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.http.problems import PROBLEMS
from registry.web.core.decorators import public_page


@public_page
def problems(request: HttpRequest) -> HttpResponse:
    """The list that the `type` of every problem leads to, by anchor."""
    return render(request, "registry/problems.html", {"problems": PROBLEMS.items()})
