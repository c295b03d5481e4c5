"""A tag's page: one version of it, resolved, with where every value comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.errors import Code, Refused
from registry.domain.number import Bump
from registry.domain.reference import Reference
from registry.models import Version
from registry.services import kinds
from registry.services.reading import browsing
from registry.services.reading.browsing import Profile, Sheet
from registry.web import errors, values
from registry.web.code import code, layout
from registry.web.dates import Moment
from registry.web.page import page
from registry.web.snippets import curl
from registry.web.summary import summary

MOST = 40  # rows of versions, dependencies, lineage, tuning keys; the API has all of them
MEANINGS = {
    Bump.FIRST: "the first",
    Bump.MAJOR: "some tuning records no longer match",
    Bump.MINOR: "rebuild, keep the tuning records",
    Bump.PATCH: "nothing to do",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A version in the list of a tag's versions."""

    version: Version
    published: Moment
    meaning: str


@page
def tag(request: HttpRequest, reference: Reference) -> HttpResponse:
    """The version that a reference asks for; where there is none, those that there are."""
    try:
        sheet = browsing.sheet(reference)
    except Refused as refusal:
        if refusal.code is not Code.VERSION_UNKNOWN:
            raise
        profile = browsing.profile(reference.text)
        return errors.refused(request, refusal, near=[], **_versions(profile))
    return render(request, "registry/tag/page.html", _context(request, sheet))


def _context(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    answer, version = sheet.answer, sheet.version
    target, in_force = json.loads(version.target), kinds.current().kinds
    groups = values.groups(target, json.loads(version.provenance), in_force)
    keys = json.loads(version.tuning_keys)
    return {
        "sheet": sheet,
        "answer": answer,
        "version": version,
        "asked": answer.reference,
        "summary": summary(target),
        "published": Moment(version.published),
        "pinned": curl(request, f"{version.tag.text}@{version.digest}"),
        "floating": curl(request, version.tag.text),
        "target": code(layout(target)),
        "groups": values.first(groups),
        "value_count": sum(len(group.values) for group in groups),
        "values_shown": values.MAX_VALUES,
        "machines": values.machines(target, in_force),
        "tuning_keys": list(islice(keys.items(), MOST)),
        "tuning_key_count": len(keys),
        "dependencies": json.loads(version.dependencies),
        "lineage": json.loads(version.lineage),
        "most": MOST,
        "source": code(version.source),
        "sources": browsing.sources_of(version),
        **_versions(sheet.profile),
    }


def _versions(profile: Profile) -> dict[str, Any]:
    return {
        "profile": profile,
        "version_count": len(profile.versions),
        "versions": [
            Row(version, Moment(version.published), MEANINGS[browsing.bump_of(version.number)])
            for version in profile.versions[:MOST]
        ],
    }
