"""The page that lists every version of a tag."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from registry.domain.bump_meanings import MEANINGS
from registry.domain.errors import Refused
from registry.domain.reference import Pair, Reference
from registry.http.signed_in import is_allowed
from registry.models import Version
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit
from registry.services.core.permission_rules import Action
from registry.services.tags import detail
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes
from registry.web.versions.sections import tag_sections
from ttag_rules.version_number import VersionNumber

PAGE_SIZE = 40  # rows of a list, unless a limit is given
MAX_MESSAGE = 400  # characters; the source page has all


@public_page
@takes(cursors.PARAMETER, LIMIT)
def versions(request: HttpRequest, reference: Reference) -> HttpResponse:
    """List the versions of a tag, highest number first."""
    if str(reference.selector):
        return redirect("versions", reference.text)
    try:
        after = cursors.decode_cursor(request.path, request.GET)
        size = parse_limit(request.GET) or PAGE_SIZE
    except Refused as refusal:
        suggestions = [Suggestion(f"{reference}, every version", request.path)]
        return error_pages.refusal_page(request, refusal, suggestions=suggestions)
    history = detail.version_history(reference.text, after=after, limit=size + 1)
    rows = history.page.rows  # and the predecessor of the last one
    newest = None if after else next((row for row in rows if not row.yanked), None)
    last = rows[size - 1].number if len(rows) > size else None
    context = {
        **tag_sections(reference, Reference(history.tag.text), "versions"),
        "rows": [
            {**_row(version, previous), "is_newest": version is newest}
            for version, previous in zip_longest(rows[:size], rows[1:])
        ],
        "max_message": MAX_MESSAGE,
        "can_yank": is_allowed(request, Action.YANK, Reference(history.tag.text)),
        "after": VersionNumber(*after) if after else None,
        "last": last,
        **page_links(request, last.parts if last else None),
    }
    return render(request, "registry/versions/page.html", context)


def _row(version: Version, previous: Version | None) -> dict[str, Any]:
    """Return a version and its predecessor by number, with what the bump between them means."""
    bump = detail.bump_of(version.number)
    references = (Reference.parse(each.exact) for each in (previous, version) if each)
    return {
        "version": version,
        "previous": previous,
        "bump": bump,
        "meaning": MEANINGS[bump],
        "pair": Pair(*references) if previous else None,  # for a diff
    }
