"""The page of all error codes, which the `type` of every problem links to."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.http.problems import PROBLEMS
from registry.web.core.decorators import public_page


@public_page
def problems(request: HttpRequest) -> HttpResponse:
    """List every code with its status and meaning, each with its own anchor."""
    return render(request, "registry/problems.html", {"problems": PROBLEMS.items()})
