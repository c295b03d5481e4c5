"""The page that compares up to five targets side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import EXPECTED, PAIR_SEPARATOR, Reference
from registry.services.kinds import kinds
from registry.services.versions import comparing
from registry.services.versions.resolving import ResolvedReference
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.reference_fields import ReferenceField, reference_fields
from registry.web.tags.summary import summary
from registry.web.versions.comparison_table import Column, comparison_table

MAX_TAGS = 5  # more do not fit beside each other
MAX_FIELDS = 10  # fields of a form that is handed back
DIFFERENCES = "differences"
FORM = "registry/compare/form.html"


@dataclass(frozen=True, slots=True)
class ComparisonQuery:
    """The references to compare, each once, and whether to show only differences."""

    texts: tuple[str, ...]
    only: str

    @classmethod
    def of(cls, request: HttpRequest) -> ComparisonQuery:
        """Parse a query string; empty form fields are ignored."""
        texts = (text.strip() for text in request.GET.getlist("tag"))
        return cls(tuple(dict.fromkeys(filter(None, texts))), request.GET.get("only", ""))

    @property
    def only_differences(self) -> bool:
        """Return whether rows are hidden that are equal in every column."""
        return self.only == DIFFERENCES

    def url(self, texts: Sequence[str], only: str | None = None) -> str:
        """Return the URL of a comparison of other references, or with other rows."""
        query = [("tag", text) for text in texts]
        if only if only is not None else self.only_differences:
            query.append(("only", DIFFERENCES))
        return reverse("compare", query=query)

    def problem(self) -> Refused | None:
        """Return the refusal if the query is invalid on its face, else None."""
        if len(self.texts) > MAX_TAGS:
            return Refused(
                Code.REQUEST_INVALID,
                f"{len(self.texts)} tags do not fit side by side: at most {MAX_TAGS}. "
                "Leave out some of them.",
            )
        if self.only not in ("", DIFFERENCES):
            return Refused(
                Code.FILTER_INVALID,
                f"only={echo(self.only)} is not understood: expected only={DIFFERENCES}, or none.",
            )
        return None


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a column."""

    answer: ResolvedReference
    summary: str
    without: str
    diff: str  # what changes from the first column; empty in the first


@public_page
def compare(request: HttpRequest) -> HttpResponse:
    """Show targets side by side, with all attributes or only those that differ."""
    asked = ComparisonQuery.of(request)
    if problem := asked.problem():
        return _form_with_errors(request, asked, problem)
    try:
        references = [Reference.parse(text) for text in asked.texts]
        answers = comparing.load_targets(references)
    except comparing.UnresolvedReferences as refusal:
        return _form_with_errors(request, asked, refusal, refusal.refusals)
    except Refused as refusal:
        return _form_with_errors(request, asked, refusal)
    if not answers:
        empty = [ReferenceField("tag", ""), ReferenceField("tag", "")]
        return render(request, FORM, {"fields": empty, "most": MAX_TAGS, "section": "compare"})
    return render(request, "registry/compare/page.html", _context(asked, answers))


def _context(asked: ComparisonQuery, answers: Sequence[ResolvedReference]) -> dict[str, Any]:
    shown = [str(answer.reference) for answer in answers]
    columns = [
        Column(json.loads(answer.target), json.loads(answer.tuning_keys)) for answer in answers
    ]
    known = kinds.current_kinds().kinds
    found = comparison_table(columns, known, only_differences=asked.only_differences)
    return {
        "section": "compare",
        "asked": asked,
        "heads": _heads(asked, answers, columns),
        "is_short": len(answers) < len(asked.texts),
        "count": len(answers),
        "span": len(answers) + 1,
        "most": MAX_TAGS,
        "marked": len(answers) > 1 and not asked.only_differences,
        "table": found,
        "wanted": found.differing if asked.only_differences else found.count,
        "all_url": asked.url(shown, ""),
        "only_url": asked.url(shown, DIFFERENCES),
    }


def _heads(
    asked: ComparisonQuery, answers: Sequence[ResolvedReference], columns: Sequence[Column]
) -> list[Head]:
    texts = [str(answer.reference) for answer in answers]
    return [
        Head(
            answer,
            summary(column.target),
            asked.url([other for other in texts if other != text]),
            PAIR_SEPARATOR.join((texts[0], text)) if text != texts[0] else "",
        )
        for text, answer, column in zip(texts, answers, columns, strict=True)
    ]


def _form_with_errors(
    request: HttpRequest,
    asked: ComparisonQuery,
    refusal: Refused,
    refusals: Mapping[str, Refused] | None = None,
) -> HttpResponse:
    """Return the form with all input, its errors, and links that leave one reference out."""
    texts = asked.texts[:MAX_FIELDS]

    def with_another(at: int, text: str) -> str:
        return asked.url([text if place == at else other for place, other in enumerate(texts)])

    typed = reference_fields(["tag"] * len(texts), texts, refusals or {}, url=with_another)
    leaving = [
        (text, asked.url([other for other in texts if other != text]))
        for text in (texts if len(texts) > 1 else ())
    ]
    context = {
        "fields": typed or [ReferenceField("tag", ""), ReferenceField("tag", "")],
        "leaving": leaving,
        "left_out": len(asked.texts) - len(texts),
        "asked": asked,
        "most": MAX_TAGS,
        "section": "compare",
    }
    return error_pages.refusal_page(request, refusal, template=FORM, expected=EXPECTED, **context)
