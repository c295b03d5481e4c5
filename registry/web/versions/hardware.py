"""The page of hardware facts, with units and sources."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.document import Json
from registry.domain.reference import Reference
from registry.models import Version
from registry.services.catalogue import coverage
from registry.services.kinds import kinds
from registry.services.tags import detail
from registry.web.core.decorators import public_page
from registry.web.core.json_blocks import format_json, highlight
from registry.web.versions.fact_groups import disagreement_row, hardware_machines
from registry.web.versions.node_links import links
from registry.web.versions.sections import version_sections

MAX_MACHINES = 24
MAX_NODES = 6  # nodes listed for the same facts


@public_page
def hardware(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show the facts of each node of the version; if there are none, explain how to add some."""
    version_detail = detail.version_detail(reference)
    version, all_kinds = version_detail.version, kinds.current_kinds().kinds
    provenance = json.loads(version.provenance)
    machines = hardware_machines(json.loads(version.target), all_kinds, provenance)
    machine_rows = [
        {
            "machine": machine,
            "nodes": links("resolved", reference, machine.pointers[:MAX_NODES]),
            "more_nodes": max(0, len(machine.pointers) - MAX_NODES),
        }
        for machine in machines[:MAX_MACHINES]
    ]
    differing = coverage.disagreements_of(version.tag.text)
    context = {
        **version_sections(version_detail, "hardware"),
        "machines": machine_rows,
        "machine_count": len(machines),
        "disagreements": [disagreement_row(item) for item in differing],
        "example": highlight(_example(version)) if not machines else None,
    }
    return render(request, "registry/tag/hardware_facts.html", context)


def _example(version: Version) -> str:
    """Return a body that adds facts."""
    facts: Json = {
        "vendor": "Example",
        "model": "Board 2",
        "launched": "2020-05",
        "memory_bytes": 8 * 1024**3,
        "sources": {
            "all": ["https://example.com/board-2"],
            "launch": ["https://example.com/news"],
        },
    }
    body = json.loads(version.source)
    base = body if isinstance(body, dict) and len(version.source) < 400 else {"…": "…"}
    return format_json({**base, "hardware": facts})
