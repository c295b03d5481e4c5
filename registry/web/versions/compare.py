"""The page that compares up to five targets side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.domain.names.choices import InvalidChoice
from registry.domain.reference import Reference
from registry.services.core.memory_cache import cache
from registry.services.kinds import kinds
from registry.services.versions import comparing
from registry.services.versions.resolving import ResolvedReference
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.core.reference_fields import ReferenceInput, reference_fields
from registry.web.versions.comparison_table import ComparisonTable, comparison_table
from registry.web.versions.runs_on import SIDES
from registry.web.versions.summary import summary
from ttag_rules.names import EXPECTED, PAIR_SEPARATOR

MAX_TAGS = 5  # more do not fit side by side
MAX_FIELDS = 10  # of a form with errors
DIFFERENCES = "differences"
FORM = "registry/compare/form.html"


@dataclass(frozen=True, slots=True)
class ComparisonQuery:
    """The references to compare, each once, and whether to show only differences."""

    texts: tuple[str, ...]
    only: str

    @classmethod
    def parse(cls, request: HttpRequest) -> ComparisonQuery:
        """Parse a query string; empty form fields are ignored."""
        texts = (text.strip() for text in request.GET.getlist("tag"))
        return cls(tuple(dict.fromkeys(filter(None, texts))), request.GET.get("only", ""))

    @property
    def only_differences(self) -> bool:
        """Return whether to hide rows that are equal in every column."""
        return self.only == DIFFERENCES

    def url(self, texts: Sequence[str], only: str | None = None) -> str:
        """Return the URL of a comparison of these references."""
        query = [("tag", text) for text in texts]
        if only if only is not None else self.only_differences:
            query.append(("only", DIFFERENCES))
        return reverse("compare", query=query)

    def problem(self) -> Refused | None:
        """Return the error of an invalid query, else None."""
        if len(self.texts) > MAX_TAGS:
            return Refused(
                Code.REQUEST_INVALID,
                f"{len(self.texts)} tags do not fit side by side: at most {MAX_TAGS}. "
                "Leave out some of them.",
            )
        if self.only not in ("", DIFFERENCES):
            return InvalidChoice("only", self.only, [DIFFERENCES], code=Code.FILTER_INVALID)
        return None


@public_page
@takes("tag", "only", several={"tag"})
def compare(request: HttpRequest) -> HttpResponse:
    """Show targets side by side, with all attributes or only those that differ."""
    query = ComparisonQuery.parse(request)
    if problem := query.problem():
        return _form_with_errors(request, query, problem)
    try:
        references = [Reference.parse(text) for text in query.texts]
        resolutions = comparing.load_targets(references)
    except comparing.UnresolvedReferences as refusal:
        return _form_with_errors(request, query, refusal, refusal.refusals)
    except Refused as refusal:
        return _form_with_errors(request, query, refusal)
    if not resolutions:
        empty = [ReferenceInput("tag", ""), ReferenceInput("tag", "")]
        return render(request, FORM, {"fields": empty, "max_tags": MAX_TAGS, "section": "compare"})
    return render(request, "registry/compare/page.html", _context(query, resolutions))


def _context(query: ComparisonQuery, resolutions: Sequence[ResolvedReference]) -> dict[str, Any]:
    texts = [str(resolution.reference) for resolution in resolutions]
    table, summaries = _table(resolutions, only_differences=query.only_differences)
    return {
        "section": "compare",
        "query": query,
        "headers": _headers(query, resolutions, summaries),
        "has_duplicates": len(resolutions) < len(query.texts),
        "count": len(resolutions),
        "column_count": len(resolutions) + 1,
        "max_tags": MAX_TAGS,
        "marks_differences": len(resolutions) > 1 and not query.only_differences,
        "table": table,
        "row_count": table.differing if query.only_differences else table.count,
        "all_url": query.url(texts, ""),
        "runs_on_url": reverse("runs-on", query=dict(zip(SIDES, texts, strict=True)))
        if len(texts) == len(SIDES)
        else "",
        "only_url": query.url(texts, DIFFERENCES),
    }


def _table(
    resolutions: Sequence[ResolvedReference], *, only_differences: bool
) -> tuple[ComparisonTable, list[str]]:
    """Return the table and the summary of each target, computed once in each process. One query."""
    current = kinds.current_kinds()

    def compute() -> tuple[ComparisonTable, list[str]]:
        targets = [json.loads(resolution.target) for resolution in resolutions]
        keys = [json.loads(resolution.tuning_keys) for resolution in resolutions]
        table = comparison_table(targets, keys, current.kinds, only_differences=only_differences)
        return table, [summary(target) for target in targets]

    versions = [(side.version.pk, side.exact, side.digest) for side in resolutions]
    return cache.get_or_compute((__name__, only_differences, *versions, current.key), compute)


def _headers(
    query: ComparisonQuery, resolutions: Sequence[ResolvedReference], summaries: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the headers of the columns; all but the first link to a diff from the first."""
    texts = [str(resolution.reference) for resolution in resolutions]
    return [
        {
            "resolution": resolution,
            "summary": line,
            "remove_url": query.url([other for other in texts if other != text]),
            "diff_pair": PAIR_SEPARATOR.join((texts[0], text)) if text != texts[0] else "",
        }
        for text, resolution, line in zip(texts, resolutions, summaries, strict=True)
    ]


def _form_with_errors(
    request: HttpRequest,
    query: ComparisonQuery,
    refusal: Refused,
    refusals: Mapping[str, Refused] | None = None,
) -> HttpResponse:
    """Return the form with its input and errors, and links that remove one reference."""
    texts = query.texts[:MAX_FIELDS]

    def url_with(index: int, text: str) -> str:
        return query.url([*texts[:index], text, *texts[index + 1 :]])

    fields = reference_fields(["tag"] * len(texts), texts, refusals or {}, url=url_with)
    remove_links = [
        (text, query.url([other for other in texts if other != text]))
        for text in (texts if len(texts) > 1 else ())
    ]
    context = {
        "fields": fields or [ReferenceInput("tag", ""), ReferenceInput("tag", "")],
        "remove_links": remove_links,
        "hidden_count": len(query.texts) - len(texts),
        "query": query,
        "max_tags": MAX_TAGS,
        "section": "compare",
    }
    return error_pages.refusal_page(request, refusal, template=FORM, expected=EXPECTED, **context)
