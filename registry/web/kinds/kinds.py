"""The list of kinds, and the page of one kind with its options and how tags use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.kind_revisions import Aspect, OptionChange
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, TARGET, Kind
from registry.domain.near_names import nearest_names
from registry.services.kinds import kinds as service, revision_history
from registry.services.kinds.revision_history import RevisionChanges
from registry.services.search import option_usage
from registry.services.search.option_usage import KindTotals
from registry.web.core import error_pages
from registry.web.core.dates import Moment
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion
from registry.web.kinds.options import has_many, option_rows, option_units
from registry.web.kinds.usage import list_of, totals, uses

ROLES = {
    TARGET: "Targets",
    EXECUTOR: "Executors",
    RUNTIME: "Runtimes",
    FLOW: "Pass settings",
    HARDWARE: "Hardware facts",
}
OPTION = "option"  # the parameter for the option to show in full
MAX_CHANGES = 12  # of a revision; the schemas have the rest


@dataclass(frozen=True, slots=True)
class Row:
    """A kind in the list, with the number of tags that have it and links to them."""

    kind: Kind
    options: int
    having: KindTotals | None
    tags_url: str
    hosts_url: str


@dataclass(frozen=True, slots=True)
class Revised:
    """A revision with the first of its changes."""

    changed: RevisionChanges
    created: Moment
    changes: tuple[OptionChange, ...]
    more: int


@public_page
def kinds(request: HttpRequest) -> HttpResponse:
    """List every kind in force by its role."""
    found, having = service.current_kinds().kinds, option_usage.kind_totals()
    by_role = {
        title: [
            _row(found[name], having.get(name))
            for name in sorted(found)
            if found[name].role == role
        ]
        for role, title in ROLES.items()
    }
    context = {
        "roles": by_role,
        "count": len(found),
        "mixins": having[option_usage.MIXINS].tags,
        "section": "kinds",
    }
    return render(request, "registry/kinds/index.html", context)


@public_page
def kind(request: HttpRequest, name: str) -> HttpResponse:
    """Show a kind: what each option accepts, its consumers, and how many tags set it."""
    found = service.find_kind(name)
    chosen = request.GET.get(OPTION, "")
    if chosen and chosen not in found.options:
        return _unknown_option(request, found, chosen)
    history = revision_history.revision_changes(found.name)
    context = {
        "kind": found,
        "role": ROLES[found.role],
        "since": found.source.get("x-since", ""),
        "revisions": [_revised(changed) for changed in history],
        **_options(found, history, chosen),
        "section": "kinds",
    }
    return render(request, "registry/kinds/kind.html", context)


def _unknown_option(request: HttpRequest, kind: Kind, option: str) -> HttpResponse:
    message = f"{kind.name} has no option {echo(option)}"
    fault = Fault("", Code.FILTER_INVALID, message, "the name of one of its options", echo(option))
    refusal = Refused(Code.FILTER_INVALID, f"{message}.", faults=[fault])
    page_of = reverse("kind", args=[kind.name])
    near = [
        Suggestion(name, f"{page_of}#option-{name}") for name in nearest_names(option, kind.options)
    ]
    return error_pages.refusal_page(request, refusal, near=near or [Suggestion(kind.name, page_of)])


def _row(kind: Kind, having: KindTotals | None) -> Row:
    root, *host = option_usage.node_positions(kind)
    options = kind.source.get("properties", {})
    hosts_url = list_of(host[0]) if host else ""
    return Row(kind, len(options), having, list_of(root), hosts_url)


def _options(kind: Kind, history: list[RevisionChanges], chosen: str) -> dict[str, Any]:
    """Return the kind's options, with their usage if it could be counted in time."""
    counted = option_usage.option_usage(kind)
    found = uses(counted, option_units(kind), chosen) if counted else {}
    came = {
        change.option: changed.revision.number
        for changed in history
        for change in changed.changes
        if change.aspect is Aspect.ADDED
    }
    return {
        "is_counted": counted is not None,
        "totals": totals(counted) if counted else [],
        "has_many": has_many(kind),
        "options": option_rows(kind, found, came, chosen),
    }


def _revised(changed: RevisionChanges) -> Revised:
    return Revised(
        changed,
        Moment(changed.revision.created),
        changed.changes[:MAX_CHANGES],
        max(0, len(changed.changes) - MAX_CHANGES),
    )
