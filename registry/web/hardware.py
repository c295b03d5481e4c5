"""Facts about the machines of a target, for people: numbers with units, and who vouches."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.document import Json
from registry.domain.reference import Reference
from registry.models import Version
from registry.services import kinds
from registry.services.reading import browsing
from registry.web import values
from registry.web.code import code, layout
from registry.web.nodes import links
from registry.web.page import page
from registry.web.sections import about
from registry.web.values import Fact

MOST_MACHINES = 24
MOST_NODES = 6  # of those that have the same facts


@dataclass(frozen=True, slots=True)
class Row:
    """A fact, and the exact reference of the version that stated it; empty: this one."""

    fact: Fact
    origin: str


@page
def hardware(request: HttpRequest, reference: Reference) -> HttpResponse:
    """The facts of each node of the version that answers; how to add some where there are none."""
    sheet = browsing.sheet(reference)
    version, known = sheet.version, kinds.current().kinds
    machines = values.machines(json.loads(version.target), known)
    provenance = json.loads(version.provenance)
    shown = [
        {
            "machine": machine,
            "rows": [Row(fact, provenance.get(fact.pointer) or "") for fact in machine.facts],
            "nodes": links("resolved", reference, machine.pointers[:MOST_NODES]),
            "more_nodes": max(0, len(machine.pointers) - MOST_NODES),
        }
        for machine in machines[:MOST_MACHINES]
    ]
    context = {
        **about(sheet, "hardware"),
        "machines": shown,
        "machine_count": len(machines),
        "example": code(_example(version)) if not machines else None,
    }
    return render(request, "registry/tag/hardware_facts.html", context)


def _example(version: Version) -> str:
    """A body that would add facts."""
    facts: Json = {
        "vendor": "the maker",
        "model": "the name on the box",
        "launched": "2020-05",
        "memory_bytes": 8 * 1024**3,
        "sources": ["https://the.maker.example/product"],
    }
    body = json.loads(version.source)
    kept = body if isinstance(body, dict) and len(version.source) < 400 else {"…": "…"}
    return layout({**kept, "hardware": facts})
