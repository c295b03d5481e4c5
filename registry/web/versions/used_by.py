"""The page of the dependents of a version or tag."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.choices import check_choice
from registry.domain.reference import Reference
from registry.services.core import cursors
from registry.services.versions import dependents
from registry.services.versions.dependents import Dependent
from registry.web.core.decorators import public_page
from registry.web.tags.sections import tag_sections
from registry.web.versions.lineage import shorten_pointer

MAX_ROWS = 50  # less than a page of the service


@dataclass(frozen=True, slots=True)
class Row:
    """A dependent, and the pointer of its first direct use."""

    dependent: Dependent
    pointer: str


@public_page
def used_by(request: HttpRequest, reference: Reference) -> HttpResponse:
    """List the dependents of a reference, each by its newest version or by all."""
    is_all, after = _is_all(request), cursors.decode_cursor(request.path, request.GET)
    page = dependents.find_dependents(reference, is_all=is_all, after=after)
    last = page.rows[MAX_ROWS - 1].version if len(page.rows) > MAX_ROWS else None
    key = [str(page.reference), last.tag.text, *last.number.parts] if last else None
    context = {
        **tag_sections(reference, page.reference, "used-by"),
        "rows": [_row(dependent) for dependent in page.rows[:MAX_ROWS]],
        "after": after[1] if after else "",
        "last": last,
        "next": cursors.next_url(request.path, request.GET, key),
        "is_all": is_all,
        "can_rebase": request.user.is_authenticated,
    }
    return render(request, "registry/used_by/page.html", context)


def _row(dependent: Dependent) -> Row:
    return Row(dependent, shorten_pointer(dependent.use.pointer) if dependent.use else "")


def _is_all(request: HttpRequest) -> bool:
    """Return whether all versions are requested. Raises `Refused` (FILTER_INVALID)."""
    text = request.GET.get("versions", "")
    if text:
        check_choice("versions", text, ["all"])
    return bool(text)
