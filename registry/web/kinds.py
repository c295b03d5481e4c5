"""The kinds, and one kind with every option."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, TARGET
from registry.services import kinds as service
from registry.web.options import described
from registry.web.page import page

ROLES = {
    TARGET: "Targets",
    EXECUTOR: "Executors",
    RUNTIME: "Runtimes",
    FLOW: "Pass settings",
    HARDWARE: "Hardware facts",
}


@page
def kinds(request: HttpRequest) -> HttpResponse:
    """Every kind in force, by what it describes."""
    found = service.current().kinds
    by_role = {
        title: [found[name] for name in sorted(found) if found[name].role == role]
        for role, title in ROLES.items()
    }
    return render(request, "registry/kinds/index.html", {"roles": by_role, "count": len(found)})


@page
def kind(request: HttpRequest, name: str) -> HttpResponse:
    """One kind: what each option accepts and defaults to, who reads it, whether it is tuned by."""
    found = service.describe(name)
    context = {
        "kind": found,
        "role": ROLES[found.role],
        "since": found.source.get("x-since", ""),
        "options": described(found),
    }
    return render(request, "registry/kinds/kind.html", context)
