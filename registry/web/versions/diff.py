"""The page that compares two versions and shows the meaning of an upgrade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from registry.domain.bump_meanings import MEANINGS
from registry.domain.errors import Refused
from registry.domain.reference import PAIR_SPLIT, Pair
from registry.domain.version_number import Bump
from registry.services.versions import comparing
from registry.services.versions.comparing import Comparison, SelectedPair
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.error_pages import Suggestion
from registry.web.core.parameters import takes
from registry.web.core.reference_fields import ReferenceInput, reference_fields
from registry.web.versions.diff_rows import comparison_changes, key_rows
from ttag_rules.names import EXPECTED, PAIR_SEPARATOR

FORM = "registry/diff/form.html"
MAX_KEYS = 30  # rows; the API has all of them
MAX_LEAVES = 6  # of one tuning key
SAME = "SAME"  # in place of a bump


@csrf_exempt
@takes("old", "new")
def diff(request: HttpRequest, pair: Pair | Refused) -> HttpResponse:
    """Show the differences between two versions.

    An invalid pair is passed on as a positional argument, to get the form with its errors.
    """
    return _diff(request, pair)


@public_page
def _diff(request: HttpRequest, pair: Pair | Refused) -> HttpResponse:
    if isinstance(pair, Refused):
        return _form(request, pair)
    try:
        selected = comparing.select_pair(pair)
    except comparing.UnresolvedReferences as refusal:
        fields = _fields((str(pair.old), str(pair.new)), refusal.refusals)
        return _form_errors(request, refusal, fields)
    return render(request, "registry/diff/page.html", _context(selected, pair))


def _form(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Show the form; redirect to the diff if it is filled in; show errors if it is invalid."""
    old, new = _input(request)
    fields = _fields((old, new))
    if not (old or new):
        return render(request, FORM, {"fields": fields, "section": "compare"})
    if "old" in request.GET and old and new and not any(field.error for field in fields):
        return HttpResponseRedirect(reverse("diff", args=[PAIR_SEPARATOR.join((old, new))]))
    return _form_errors(request, refusal, fields)


def _form_errors(
    request: HttpRequest, refusal: Refused, fields: list[ReferenceInput]
) -> HttpResponse:
    """Return the form with its input and errors."""
    pairs = [text for text in refusal.suggestions if PAIR_SEPARATOR in text]
    return error_pages.refusal_page(
        request,
        refusal,
        template=FORM,
        expected=EXPECTED,
        fields=fields,
        suggestions=[Suggestion(text, reverse("diff", args=[text])) for text in pairs],
        section="compare",
    )


def _input(request: HttpRequest) -> tuple[str, str]:
    """Return both sides from the form or the path, not validated."""
    if "old" in request.GET or "new" in request.GET:
        return request.GET.get("old", "").strip(), request.GET.get("new", "").strip()
    path = request.path_info.removeprefix(reverse("diff", args=[""]))
    old, *rest = PAIR_SPLIT.split(path, maxsplit=1)
    return old, rest[0] if rest else ""


def _fields(
    texts: tuple[str, str], refusals: Mapping[str, Refused] | None = None
) -> list[ReferenceInput]:
    """Return the two fields with their errors; suggestions link to a diff."""

    def url(index: int, text: str) -> str:
        sides = [text, texts[1]] if index == 0 else [texts[0], text]
        return reverse("diff", args=[PAIR_SEPARATOR.join(sides)])

    return reference_fields(("old", "new"), texts, refusals or {}, url=url)


def _context(selected: SelectedPair, pair: Pair) -> dict[str, Any]:
    return {
        **selected.derive(_differences),
        "section": "compare",
        "pair": pair,
        "old": selected.old,
        "new": selected.new,
        "sides": (("From", selected.old), ("To", selected.new)),
        "fields": _fields((str(pair.old), str(pair.new))),
        "swapped": Pair(pair.new, pair.old),
        "compare_url": reverse("compare", query={"tag": [str(pair.old), str(pair.new)]}),
        "max_leaves": MAX_LEAVES,
    }


def _differences(comparison: Comparison) -> dict[str, Any]:
    """Return what the page shows of a comparison, for any status of the versions."""
    consumers = Counter(name for change in comparison.changes for name in change.consumers)
    rows = list(key_rows(comparison.keys))
    return {
        "is_same_version": comparison.is_same_version,
        "mixins": comparison.mixins,
        "builds": comparison.builds,
        "bump": comparison.bump or SAME,
        "meaning": _meaning(comparison),
        **comparison_changes(comparison),
        "consumers": sorted(consumers.items(), key=lambda item: (-item[1], item[0])),
        "tuning_change_count": sum(change.affects_tuning for change in comparison.changes),
        "key_counts": {
            word: sum(key.count for key in keys)
            for word, keys in (
                ("kept", comparison.keys.kept),
                ("lost", comparison.keys.lost),
                ("new", comparison.keys.new),
            )
        },
        "keys": rows[:MAX_KEYS],
        "key_count": len(rows),
    }


def _meaning(comparison: Comparison) -> str:
    """Return what upgrading from the old version to the new one means."""
    if comparison.is_same_version:
        return "both references resolve to the same version"
    if comparison.bump is None:
        return "source, lineage and target are the same: nothing to do"
    if comparison.mixins == 1:
        return "a mixin is a patch for other targets: no tuning record carries over"
    if comparison.bump is Bump.MAJOR and comparison.mixins:
        return "options that affect tuning differ"
    if not comparison.changes and comparison.old.version.digest != comparison.new.version.digest:
        return f"only objects without a value differ: {MEANINGS[comparison.bump]}"
    if not comparison.changes:
        return "source or lineage differ, but the targets are the same: nothing to do"
    return MEANINGS[comparison.bump]
