"""The page of the dependents of a version or tag."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.domain.names.choices import check_choice
from registry.domain.reference import Reference
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit
from registry.services.versions import dependents
from registry.web.core.decorators import public_page
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes
from registry.web.versions.lineage import shorten_pointer
from registry.web.versions.sections import tag_sections

PAGE_SIZE = 50  # rows of a list, unless a limit is given


@public_page
@takes("versions", cursors.PARAMETER, LIMIT)
def used_by(request: HttpRequest, reference: Reference) -> HttpResponse:
    """List the dependents of a reference, each by its newest version or by all."""
    is_all, after = _is_all(request), cursors.decode_cursor(request.path, request.GET)
    limit = parse_limit(request.GET) or PAGE_SIZE
    page = dependents.find_dependents(reference, is_all=is_all, after=after, limit=limit)
    context = {
        **tag_sections(reference, page.reference, "used-by"),
        "rows": [
            (each, shorten_pointer(each.use.pointer) if each.use else "") for each in page.rows
        ],
        "after": after[1] if after else "",
        "last": page.rows[-1].version if page.next_key else None,
        **page_links(request, page.next_key),
        "is_all": is_all,
        "can_rebase": request.user.is_authenticated,
    }
    return render(request, "registry/used_by/page.html", context)


def _is_all(request: HttpRequest) -> bool:
    """Return whether all versions are requested. Raises `Refused` (FILTER_INVALID)."""
    text = request.GET.get("versions", "")
    if text:
        check_choice("versions", text, ["all"])
    return bool(text)
