"""The context of a tag's page about related tags and people: variants, family, credits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from registry.domain.descriptions.architecture_names import text_option
from registry.domain.descriptions.descriptions import BACK_ENDS, VARIANTS, describe
from registry.domain.descriptions.purposes import purpose
from registry.domain.document import Json
from registry.domain.kinds.hardware import hardware_of
from registry.domain.kinds.kinds import Kinds
from registry.domain.search.attributes import target_facts
from registry.models import Version
from registry.services.core.paging import Page
from registry.services.tags.detail import VersionDetail
from registry.services.tags.relations import Relations, find_relations, own_names
from registry.services.tags.variants import VariantTag
from registry.services.versions.resolving import ResolvedReference
from registry.web.tags.machine_facts import machine_facts
from registry.web.tags.members_table import members_table
from registry.web.tags.siblings import product_forms, siblings, variant_columns
from registry.web.versions.snippets import Tool

KEY = re.compile(r"[^a-z0-9]+")  # what the key of a BibTeX entry must not hold


def about(
    request: HttpRequest, version_detail: VersionDetail, target: Json, kinds: Kinds
) -> dict[str, Any]:
    """Return the template context about a version's place among other tags.

    Raises `Refused` if the order or the page of a family's members does not exist.
    """
    version, overview = version_detail.version, version_detail.overview
    category = text_option(hardware_of(target), "category")
    relations = find_relations(overview, version, target_facts(target), category)
    return {
        **_sentences(version, target, relations),
        **_variants(relations.variants),
        **_machine(version_detail, target, relations, kinds),
        "forms": product_forms(own_names(overview), target, relations),
        "has_more_names": relations.longer_names.next_key is not None,
        **_family(request, version_detail, target, relations),
        "credits": relations.credits,
        "predecessors": relations.predecessors.rows,
        "has_more_predecessors": relations.predecessors.next_key is not None,
        **_citation(request, version_detail.answer),
    }


def _sentences(version: Version, target: Json, relations: Relations) -> dict[str, str]:
    """Return what a target is and when to use it."""
    is_family, machine = version.tag.is_family, hardware_of(relations.machine)
    own, in_use = version.tag.text, (tag for tag in relations.variants.rows if tag.tag == tag.text)
    names = [tag.text.partition(":")[2] for tag in in_use if ":" in tag.text and tag.text != own]
    return {
        "description": describe(target, is_family=is_family, variants=names, machine=machine),
        "purpose": purpose(target, is_family=is_family),
    }


def _machine(
    version_detail: VersionDetail, target: Json, relations: Relations, kinds: Kinds
) -> dict[str, Any]:
    """Return the facts of the machine, and the tag that states them if it is another one."""
    whole, peers = relations.machine, relations.peers.tags
    is_family = version_detail.version.tag.is_family
    return {
        "machine": machine_facts(target, whole, kinds, peers, is_family=is_family),
        "machine_tag": version_detail.overview.name.name if hardware_of(whole) else "",
    }


def _family(
    request: HttpRequest, version_detail: VersionDetail, target: Json, relations: Relations
) -> dict[str, Any]:
    """Return the members of a family, or the siblings of a tag and the family of both."""
    tag, peers = version_detail.version.tag, relations.peers
    if tag.is_family:
        members = members_table(version_detail.answer.reference, peers, request.GET)
        return {"members": members, "family": "", "peer_count": len(peers.tags)}
    return {
        "siblings": siblings(tag.text, target, relations),
        "family": peers.family,
        "peer_count": len(peers.tags),
    }


def _variants(page: Page[VariantTag]) -> dict[str, Any]:
    """Return the variants with their parts and what they state differently; none of a lone tag."""
    variants = page.rows
    columns = variant_columns(variants)
    rows = [
        (tag, _part(tag), [cells[index] for cells in columns.values()])
        for index, tag in enumerate(variants)
    ]
    return {
        "variant_columns": [*columns],
        "variants": rows if len(rows) > 1 else (),
        "has_more_variants": page.next_key is not None,
    }


def _part(tag: VariantTag) -> str:
    """Return the part of the machine that a tag builds for; empty if that is not known."""
    part = VARIANTS.get(tag.text.partition(":")[2])
    return part or " ".join(BACK_ENDS.get(tag.kind, ()))


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
