"""The overview page of a tag: its target, snippets to paste, and a summary of its sections."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from registry.domain.bump_meanings import MEANINGS
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused
from registry.domain.kinds.hardware import without_facts
from registry.domain.lints.rules import MAX_LINTS
from registry.domain.names.choices import check_choice
from registry.domain.reference import Reference
from registry.models import Version
from registry.services.core.memory_cache import cache
from registry.services.kinds import kinds
from registry.services.tags import detail, status
from registry.services.tags.detail import TagOverview, VersionDetail
from registry.services.tags.usage import tag_usage
from registry.services.versions import exporting, outdated
from registry.services.versions.exporting import EXPORT_FORMATS
from registry.services.versions.resolving import ResolvedReference
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.json_blocks import format_json, highlight
from registry.web.core.news import is_watched
from registry.web.core.parameters import takes
from registry.web.tags.about import about, downloads
from registry.web.tags.available_actions import available_actions
from registry.web.tags.badges import badge_markup
from registry.web.tags.compilers import compiler_row, names_of_compilers
from registry.web.tags.usage_chart import UsageChart
from registry.web.versions import snippets
from registry.web.versions.sections import version_sections
from registry.web.versions.snippets import TOOLS, ExportLink, Tool
from registry.web.versions.values import ordered

MAX_ROWS = 6  # of each section, which has a page of its own
MAX_VERSIONS = 3  # the newest; another page has all
MAX_MOVES = 3  # references in the notice about an outdated tag


@public_page
@takes("take", "sort", "page")
def tag(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Show the version that a reference resolves to; if there is none, list the tag's versions."""
    try:
        version_detail = detail.version_detail(reference)
    except Refused as refusal:
        if refusal.code is not Code.VERSION_UNKNOWN:
            raise
        overview = detail.tag_overview(reference.text)
        return error_pages.refusal_page(
            request, refusal, suggestions=[], **_versions(overview, len(overview.versions))
        )
    name = request.GET.get("take", snippets.DEFAULT.name)
    check_choice("take", name, TOOLS, code=Code.REQUEST_INVALID)
    return render(request, "registry/tag/page.html", _context(request, version_detail, TOOLS[name]))


def _context(request: HttpRequest, version_detail: VersionDetail, tool: Tool) -> dict[str, Any]:
    resolution, version = version_detail.answer, version_detail.version
    lints = detail.lints_of(version_detail)
    target = json.loads(version.target)
    keys, proofs = json.loads(version.tuning_keys), detail.proofs_of(target)
    return {
        **version_sections(version_detail, "tag"),
        **_snippets(request, resolution, tool),
        "chart": UsageChart.of(tag_usage(version.tag)),
        "now": timezone.now(),
        "url": request.build_absolute_uri(reverse("tag", args=[resolution.exact])),
        **_content(resolution, version, target),
        **about(request, version_detail, target, kinds.current_kinds().kinds),
        **badge_markup(request, version.tag.text),
        "tuning_keys": list(islice(keys.items(), MAX_ROWS)),
        "tuning_key_count": len(keys),
        "dependencies": json.loads(version.dependencies),
        "lineage": json.loads(version.lineage),
        "max_rows": MAX_ROWS,
        "is_watched": is_watched(request, version.tag.text),
        "actions": available_actions(request.user, version_detail),
        "lints": lints,
        "has_all_lints": len(lints) < MAX_LINTS,
        "lint_groups": _group_lints(lints),
        "compilers": names_of_compilers(proofs),
        "compiler_rows": [compiler_row(proof, target) for proof in proofs],
        **_withdrawals(resolution),
        **_outdated(version_detail),
        **_versions(version_detail.overview, MAX_VERSIONS),
    }


def _content(resolution: ResolvedReference, version: Version, target: Json) -> dict[str, Any]:
    """Return the highlighted target and the origins of its values, computed once per process.

    Facts of machines have a table of their own; a patch is shown whole.
    """
    shown = target if version.is_mixin else without_facts(target)

    def compute() -> dict[str, Any]:
        return {
            "target": highlight(format_json(ordered(shown))),
            "origins": _origins(version),
        }

    return cache.get_or_compute((__name__, *resolution.identity), compute)


def _withdrawals(resolution: ResolvedReference) -> dict[str, Any]:
    """Return who yanked the version or deprecated its tag, and when; no query if active."""
    version = resolution.version
    yank = status.current_withdrawal(version) if version.last_yanked else None
    deprecation = status.current_deprecation(version.tag.text) if version.tag_deprecated else None
    return {
        "withdrawals": {
            code: (withdrawal.actor, withdrawal.created)
            for code, withdrawal in (("YANKED", yank), ("DEPRECATED", deprecation))
            if withdrawal
        }
    }


def _outdated(version_detail: VersionDetail) -> dict[str, Any]:
    """Return the references of the newest version that now resolve to other versions."""
    newest = version_detail.overview.newest
    is_newest = newest is not None and newest.pk == version_detail.version.pk
    moves = outdated.moved_references(version_detail.version) if is_newest else ()
    return {"moves": moves[:MAX_MOVES], "more_moves": max(len(moves) - MAX_MOVES, 0)}


def _snippets(request: HttpRequest, resolution: ResolvedReference, tool: Tool) -> dict[str, Any]:
    """Return the snippets of a tool, and tabs for all tools that support the target."""
    tools = TOOLS.values() if resolution.version.size <= exporting.MAX_EAGER_SIZE else [tool]
    renderings = exporting.render_each(
        resolution, [EXPORT_FORMATS[other.format] for other in tools]
    )
    refusals = {name: value for name, value in renderings.items() if isinstance(value, Refused)}
    pinned, floating = (
        f"{resolution.version.tag.text}@{resolution.digest}",
        resolution.version.tag.text,
    )
    supported = [other for other in TOOLS.values() if other.format not in refusals]
    return {
        "tool": tool,
        "tabs": [
            (other.title, _tool_url(resolution, other), other is tool)
            for other in TOOLS.values()
            if other is tool or other in supported
        ],
        "downloads": downloads(pinned, resolution.version.tag.text, supported),
        "refusal": refusals.get(tool.format),
        "pinned": tool.snippet(ExportLink.of(request, pinned, tool.format)),
        "floating": tool.snippet(ExportLink.of(request, floating, tool.format)),
    }


def _tool_url(resolution: ResolvedReference, tool: Tool) -> str:
    path = reverse("tag", args=[resolution.reference])
    return path if tool is snippets.DEFAULT else f"{path}?take={tool.name}"


def _origins(version: Version) -> Mapping[str, int]:
    """Return the number of values that each version set, most first; "" is this version."""
    provenance: dict[str, str | None] = json.loads(version.provenance)
    return dict(Counter(origin or "" for origin in provenance.values()).most_common())


def _versions(overview: TagOverview, limit: int) -> dict[str, Any]:
    return {
        "overview": overview,
        "version_count": overview.version_count,
        "versions": [
            (version, MEANINGS[detail.bump_of(version.number)])
            for version in overview.versions[:limit]
        ],
    }


def _group_lints(lints: Iterable[Fault]) -> list[tuple[Fault, list[str]]]:
    """Return the lints that differ by more than their pointers, each with all its pointers.

    Those of several devices are taken together. A lint of the whole target has no pointers.
    """
    groups: dict[Fault, list[str]] = defaultdict(list)
    for lint in lints:
        groups[replace(lint, pointer="")].append(lint.pointer)
    return [(lint, [pointer for pointer in group if pointer]) for lint, group in groups.items()]
