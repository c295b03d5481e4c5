"""The list of kinds, and the page of one kind with its options and how tags use them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import echo
from registry.domain.kinds.kind_revisions import Aspect
from registry.domain.kinds.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, TARGET, Kind
from registry.domain.names.choices import invalid_filter
from registry.domain.names.near_names import nearest_names
from registry.services.kinds import kinds as service, revision_history
from registry.services.kinds.revision_history import RevisionChanges
from registry.services.search import kind_counts
from registry.services.search.kind_counts import KindTotals
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion
from registry.web.core.parameters import takes
from registry.web.kinds.options import has_many_options, option_rows, option_units
from registry.web.kinds.shares import kind_shares, list_url, option_shares

ROLES = {
    TARGET: "Targets",
    EXECUTOR: "Executors",
    RUNTIME: "Runtimes",
    FLOW: "Pass settings",
    HARDWARE: "Hardware facts",
}
OPTION = "option"  # the query parameter for the option to describe in full
MAX_CHANGES = 12  # per revision


@public_page
def kinds(request: HttpRequest) -> HttpResponse:
    """List the current kinds by role."""
    current, totals = service.current_kinds().kinds, kind_counts.kind_totals()
    rows_by_role = {
        title: [
            _kind_row(current[name], totals.get(name))
            for name in sorted(current)
            if current[name].role == role
        ]
        for role, title in ROLES.items()
    }
    context = {
        "rows_by_role": rows_by_role,
        "has_kinds": bool(current),
        "mixins": totals[kind_counts.MIXINS].tags,
        "section": "kinds",
    }
    return render(request, "registry/kinds/index.html", context)


@public_page
@takes(OPTION)
def kind(request: HttpRequest, name: str) -> HttpResponse:
    """Show a kind: what each option accepts, its consumers, and how many tags set it."""
    kind = service.find_kind(name)
    selected = request.GET.get(OPTION, "")
    if selected and selected not in kind.options:
        return _unknown_option(request, kind, selected)
    history = revision_history.revision_changes(kind.name)
    context = {
        "kind": kind,
        "role": ROLES[kind.role],
        "is_for_people": kind.name == HARDWARE,
        "since": kind.source.get("x-since", ""),
        "revisions": [
            (entry.revision, entry.changes[:MAX_CHANGES], max(0, len(entry.changes) - MAX_CHANGES))
            for entry in history
        ],
        **_options(kind, history, selected),
        "section": "kinds",
    }
    return render(request, "registry/kinds/kind.html", context)


def _unknown_option(request: HttpRequest, kind: Kind, option: str) -> HttpResponse:
    message = f"{kind.name} has no option {echo(option)}"
    refusal = invalid_filter(message, "the name of one of its options", echo(option))
    kind_url = reverse("kind", args=[kind.name])
    suggestions = [
        Suggestion(name, f"{kind_url}#option-{name}")
        for name in nearest_names(option, kind.options)
    ]
    return error_pages.refusal_page(
        request, refusal, suggestions=suggestions or [Suggestion(kind.name, kind_url)]
    )


def _kind_row(kind: Kind, totals: KindTotals | None) -> dict[str, Any]:
    """Return a kind in the list, with the number of tags that use it and links to them."""
    root, *host = kind_counts.node_positions(kind)
    return {
        "kind": kind,
        "option_count": len(kind.source.get("properties", {})),
        "totals": totals,
        "tags_url": list_url(root),
        "hosts_url": list_url(host[0]) if host else "",
    }


def _options(kind: Kind, history: list[RevisionChanges], selected: str) -> dict[str, Any]:
    """Return the kind's options, with their counts."""
    counts = kind_counts.count_options(kind)
    shares = option_shares(counts, option_units(kind), selected)
    added_in = {
        change.option: entry.revision.number
        for entry in history
        for change in entry.changes
        if change.aspect is Aspect.ADDED
    }
    return {
        "shares": kind_shares(counts),
        "has_many_options": has_many_options(kind),
        "options": option_rows(kind, shares, added_in, selected),
    }
