"""The kinds, and one kind with every option and how tags use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, TARGET, Kind
from registry.domain.near import nearest
from registry.domain.revisions import Aspect, OptionChange
from registry.services import kinds as service
from registry.services.reading import kind_history, usage
from registry.services.reading.kind_history import Changed
from registry.services.reading.usage import Having
from registry.web import errors
from registry.web.dates import Moment
from registry.web.errors import Near
from registry.web.options import described, has_many, units
from registry.web.page import page
from registry.web.uses import list_of, totals, uses

ROLES = {
    TARGET: "Targets",
    EXECUTOR: "Executors",
    RUNTIME: "Runtimes",
    FLOW: "Pass settings",
    HARDWARE: "Hardware facts",
}
OPTION = "option"  # the parameter that says which of many is shown in full
MOST_CHANGES = 12  # of a revision; the schemas themselves say the rest


@dataclass(frozen=True, slots=True)
class Row:
    """A kind in the list: how many tags have it, and where they are listed."""

    kind: Kind
    options: int
    having: Having | None
    tags_url: str
    hosts_url: str


@dataclass(frozen=True, slots=True)
class Revised:
    """A revision with the first of what it changed."""

    changed: Changed
    created: Moment
    changes: tuple[OptionChange, ...]
    more: int


@page
def kinds(request: HttpRequest) -> HttpResponse:
    """Every kind in force, by what it describes."""
    found, having = service.current().kinds, usage.having_kinds()
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
        "mixins": having[usage.MIXINS].tags,
        "section": "kinds",
    }
    return render(request, "registry/kinds/index.html", context)


@page
def kind(request: HttpRequest, name: str) -> HttpResponse:
    """One kind: what each option accepts, who reads it, whether it is tuned by, who sets it."""
    found = service.describe(name)
    chosen = request.GET.get(OPTION, "")
    if chosen and chosen not in found.options:
        return _unknown(request, found, chosen)
    history = kind_history.changed(found.name)
    context = {
        "kind": found,
        "role": ROLES[found.role],
        "since": found.source.get("x-since", ""),
        "revisions": [_revised(changed) for changed in history],
        **_options(found, history, chosen),
        "section": "kinds",
    }
    return render(request, "registry/kinds/kind.html", context)


def _unknown(request: HttpRequest, kind: Kind, option: str) -> HttpResponse:
    message = f"{kind.name} has no option {echo(option)}"
    fault = Fault("", Code.FILTER_INVALID, message, "the name of one of its options", echo(option))
    refusal = Refused(Code.FILTER_INVALID, f"{message}.", faults=[fault])
    page_of = reverse("kind", args=[kind.name])
    near = [Near(name, f"{page_of}#option-{name}") for name in nearest(option, kind.options)]
    return errors.refused(request, refusal, near=near or [Near(kind.name, page_of)])


def _row(kind: Kind, having: Having | None) -> Row:
    root, *host = usage.places(kind)
    options = kind.source.get("properties", {})
    hosts_url = list_of(host[0]) if host else ""
    return Row(kind, len(options), having, list_of(root), hosts_url)


def _options(kind: Kind, history: list[Changed], chosen: str) -> dict[str, Any]:
    """Its options, with how tags use them where that could be counted in time."""
    counted = usage.usage(kind)
    found = uses(counted, units(kind), chosen) if counted else {}
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
        "options": described(kind, found, came, chosen),
    }


def _revised(changed: Changed) -> Revised:
    return Revised(
        changed,
        Moment(changed.revision.created),
        changed.changes[:MOST_CHANGES],
        max(0, len(changed.changes) - MOST_CHANGES),
    )
