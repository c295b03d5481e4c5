"""The context of a tag's page about related tags and people: variants, family, credits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from registry.domain.descriptions.descriptions import BACK_ENDS, VARIANTS, describe
from registry.domain.descriptions.purposes import purpose
from registry.domain.document import Json
from registry.domain.search.attributes import target_facts
from registry.domain.search.peers import neighbours
from registry.services.tags.detail import VersionDetail
from registry.services.tags.peers import Peers
from registry.services.tags.relations import find_relations
from registry.services.tags.variants import VariantTag
from registry.services.versions.resolving import ResolvedReference
from registry.web.tags.fact_bars import fact_bars
from registry.web.tags.members_table import members_table
from registry.web.versions.fact_groups import Machine
from registry.web.versions.snippets import Tool

MAX_FACTS = 12
KEY = re.compile(r"[^a-z0-9]+")  # what the key of a BibTeX entry must not hold


def about(
    request: HttpRequest, version_detail: VersionDetail, target: Json, machine: Machine | None
) -> dict[str, Any]:
    """Return the template context about a version's place among other tags.

    Raises `Refused` if the order or the page of a family's members does not exist.
    """
    version, reference = version_detail.version, version_detail.answer.reference
    relations = find_relations(version, target_facts(target), _category(target))
    variants, peers = relations.variants, relations.peers
    names = [tag.text.partition(":")[2] for tag in variants if tag.tag == tag.text]
    is_family = version.tag.is_family
    facts = fact_bars(machine.facts[:MAX_FACTS], peers.tags) if machine else []
    return {
        "description": describe(target, is_family=is_family, variants=names),
        "purpose": purpose(target, is_family=is_family),
        "variants": [(tag, _part(tag)) for tag in variants] if len(variants) > 1 else (),
        "facts": facts,
        "has_bars": any(share for _, share, _ in facts),
        "family": "" if is_family else peers.family,
        "peer_count": len(peers.tags),
        "members": members_table(reference, peers, request.GET) if is_family else None,
        **(_comparisons(version.tag.text, peers) if not is_family else {}),
        "credits": relations.credits,
        "predecessors": relations.predecessors,
        **_citation(request, version_detail.answer),
    }


def _category(target: Json) -> str:
    """Return the category of the root's hardware; empty if it has none."""
    hardware = target.get("hardware") if isinstance(target, dict) else None
    category = hardware.get("category") if isinstance(hardware, dict) else None
    return category if isinstance(category, str) else ""


def _part(tag: VariantTag) -> str:
    """Return the part of the machine that a tag builds for; empty if that is not known."""
    part = VARIANTS.get(tag.text.partition(":")[2])
    return part or " ".join(BACK_ENDS.get(tag.kind, ()))


def _comparisons(tag: str, peers: Peers) -> dict[str, Any]:
    """Return links to comparisons with the nearest tags, one by one and all together."""
    others = neighbours(peers.tags, tag)
    return {
        "compare": [(other, _compare_url(tag, other)) for other in others],
        "compare_all": _compare_url(tag, *others) if len(others) > 1 else "",
    }


def _compare_url(*tags: str) -> str:
    return reverse("compare", query=[("tag", tag) for tag in tags])


def downloads(pinned: str, tag: str, tools: Sequence[Tool]) -> list[tuple[str, str, str]]:
    """Return title, URL and file name for each tool that reads a file; `pinned` is a version."""
    path, stem = reverse("api:resolve", args=[pinned]), re.sub(r"[/:]", "-", tag)
    return [
        (tool.file_title, f"{path}?format={tool.format}", f"{stem}.{tool.extension}")
        for tool in tools
        if tool.extension
    ]


def _citation(request: HttpRequest, answer: ResolvedReference) -> dict[str, str]:
    """Return the citation of a version, by its digest, which cannot come to mean another one."""
    version = answer.version
    url = request.build_absolute_uri(reverse("tag", args=[answer.exact]))
    published = version.published.date().isoformat()
    key = KEY.sub("-", answer.exact.lower())
    return {
        "citation": f"{answer.exact} ({answer.digest}), Target Tag Registry, {published}. {url}",
        "bibtex": f"@misc{{{key},\n  title = {{{answer.exact}}},\n"
        f"  howpublished = {{Target Tag Registry}},\n  year = {{{published[:4]}}},\n"
        f"  note = {{{answer.digest}}},\n  url = {{{url}}}\n}}",
    }
