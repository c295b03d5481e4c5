"""The diff of two versions: what differs, and what it means to upgrade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from registry.domain.errors import Refused
from registry.domain.reference import EXPECTED, PAIR_SEPARATOR, PAIR_SPLIT, Pair
from registry.domain.version_number import Bump
from registry.services.versions import comparing
from registry.services.versions.comparing import Comparison
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.reference_fields import ReferenceField, reference_fields
from registry.web.versions.bump_meanings import MEANINGS
from registry.web.versions.diff_rows import MAX_CHANGES, counts, diff_groups, key_rows

FORM = "registry/diff/form.html"
MAX_KEYS = 30  # rows; the API has all of them
MAX_LEAVES = 6  # of one tuning key
SAME = "SAME"  # beside the words of `Bump`, where there is none


@csrf_exempt
def diff(request: HttpRequest, pair: Pair | Refused) -> HttpResponse:
    """Show what differs between two versions.

    An invalid pair is passed on as a positional argument: it gets a form, not only an error.
    """
    return _diff(request, pair)


@public_page
def _diff(request: HttpRequest, pair: Pair | Refused) -> HttpResponse:
    if isinstance(pair, Refused):
        return _form(request, pair)
    try:
        found = comparing.compare_versions(pair)
    except comparing.UnresolvedReferences as refusal:
        asked = _fields((str(pair.old), str(pair.new)), refusal.refusals)
        return _form_errors(request, refusal, asked)
    return render(request, "registry/diff/page.html", _context(found, pair))


def _form(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Show the form; redirect to the diff if it is filled in; show errors if it is invalid."""
    old, new = _typed(request)
    asked = _fields((old, new))
    if not (old or new):
        return render(request, FORM, {"fields": asked, "section": "compare"})
    if "old" in request.GET and old and new and not any(field.refusal for field in asked):
        return HttpResponseRedirect(reverse("diff", args=[PAIR_SEPARATOR.join((old, new))]))
    return _form_errors(request, refusal, asked)


def _form_errors(
    request: HttpRequest, refusal: Refused, asked: list[ReferenceField]
) -> HttpResponse:
    """Return the form with all input and its errors."""
    return error_pages.refusal_page(
        request, refusal, template=FORM, expected=EXPECTED, fields=asked, section="compare"
    )


def _typed(request: HttpRequest) -> tuple[str, str]:
    """Return both sides as they were typed into the form or the path."""
    if "old" in request.GET or "new" in request.GET:
        return request.GET.get("old", "").strip(), request.GET.get("new", "").strip()
    path = request.path_info.removeprefix(reverse("diff", args=[""]))
    old, *rest = PAIR_SPLIT.split(path, maxsplit=1)
    return old, rest[0] if rest else ""


def _fields(
    typed: tuple[str, str], refusals: Mapping[str, Refused] | None = None
) -> list[ReferenceField]:
    """Return the two fields with their errors; suggestions link to a diff."""

    def url(at: int, text: str) -> str:
        sides = [text if at == side else typed[side] for side in (0, 1)]
        return reverse("diff", args=[PAIR_SEPARATOR.join(sides)])

    return reference_fields(("old", "new"), typed, refusals or {}, url=url)


def _context(found: Comparison, pair: Pair) -> dict[str, Any]:
    old, new = found.old, found.new
    consumers = Counter(name for change in found.changes for name in change.consumers)
    keys = list(key_rows(found.keys))
    return {
        "section": "compare",
        "pair": pair,
        "found": found,
        "sides": (("From", old), ("To", new)),
        "fields": _fields((str(pair.old), str(pair.new))),
        "bump": found.bump or SAME,
        "meaning": _meaning(found),
        "swapped": Pair(pair.new, pair.old),
        "compare_url": reverse("compare", query={"tag": [str(pair.old), str(pair.new)]}),
        "groups": diff_groups(found),
        "most_changes": MAX_CHANGES,
        "consumers": sorted(consumers.items(), key=lambda item: (-item[1], item[0])),
        "affecting": sum(change.affects_tuning for change in found.changes),
        "counts": counts(found.changes),
        "key_counts": {
            word: sum(key.count for key in of)
            for word, of in (
                ("kept", found.keys.kept),
                ("lost", found.keys.lost),
                ("new", found.keys.new),
            )
        },
        "keys": keys[:MAX_KEYS],
        "most_leaves": MAX_LEAVES,
        "key_count": len(keys),
    }


def _meaning(found: Comparison) -> str:
    """Return what it means to move from the old version to the new one, in a sentence."""
    if found.is_same_version:
        return "both references are answered by one version"
    if found.bump is None:
        return "source, lineage and target are the same: nothing to do"
    if found.mixins == 1:
        return "a mixin is a patch for other targets: no tuning record carries over"
    if found.bump is Bump.MAJOR and found.mixins:
        return "options differ that tuning depends on, wherever the mixin is applied"
    if not found.changes:
        return "the targets are the same, though not made alike: nothing to do"
    return MEANINGS[found.bump]
