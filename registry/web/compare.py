"""Up to five targets side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import BETWEEN, EXPECTED, Reference
from registry.services import kinds
from registry.services.reading import comparing
from registry.services.resolving import Answer
from registry.web import errors
from registry.web.asked import Field, fields
from registry.web.columns import Column, table
from registry.web.page import page
from registry.web.summary import summary

MOST_TAGS = 5  # more do not fit beside each other
MOST_KEPT = 10  # fields of a form that is handed back
DIFFERENCES = "differences"
FORM = "registry/compare/form.html"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be compared. All of it stands in the query string, each text once."""

    texts: tuple[str, ...]
    only: str

    @classmethod
    def of(cls, request: HttpRequest) -> Asked:
        """Read a query string: empty fields of the form do not count."""
        texts = (text.strip() for text in request.GET.getlist("tag"))
        return cls(tuple(dict.fromkeys(filter(None, texts))), request.GET.get("only", ""))

    @property
    def only_differences(self) -> bool:
        """Whether rows are left out that are the same in every column."""
        return self.only == DIFFERENCES

    def url(self, texts: Sequence[str], only: str | None = None) -> str:
        """The page about other texts, or with other rows."""
        query = [("tag", text) for text in texts]
        if only if only is not None else self.only_differences:
            query.append(("only", DIFFERENCES))
        return reverse("compare", query=query)

    def problem(self) -> Refused | None:
        """What is wrong with it before anything is looked up."""
        if len(self.texts) > MOST_TAGS:
            return Refused(
                Code.REQUEST_INVALID,
                f"{len(self.texts)} tags do not fit side by side: at most {MOST_TAGS}. "
                "Leave out some of them.",
            )
        if self.only not in ("", DIFFERENCES):
            return Refused(
                Code.FILTER_INVALID,
                f"only={echo(self.only)} says nothing: expected only={DIFFERENCES}, or no only.",
            )
        return None


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column."""

    answer: Answer
    summary: str
    without: str
    diff: str  # what changes from the first column; empty in the first


@page
def compare(request: HttpRequest) -> HttpResponse:
    """Targets side by side, all attributes or only those that differ."""
    asked = Asked.of(request)
    if problem := asked.problem():
        return _refused(request, asked, problem)
    try:
        references = [Reference.parse(text) for text in asked.texts]
        answers = comparing.side_by_side(references)
    except comparing.Unanswered as refusal:
        return _refused(request, asked, refusal, refusal.refusals)
    except Refused as refusal:
        return _refused(request, asked, refusal)
    if not answers:
        empty = [Field("tag", ""), Field("tag", "")]
        return render(request, FORM, {"fields": empty, "most": MOST_TAGS, "section": "compare"})
    return render(request, "registry/compare/page.html", _context(asked, answers))


def _context(asked: Asked, answers: Sequence[Answer]) -> dict[str, Any]:
    shown = [str(answer.reference) for answer in answers]
    columns = [
        Column(json.loads(answer.target), json.loads(answer.tuning_keys)) for answer in answers
    ]
    known = kinds.current().kinds
    found = table(columns, known, only_differences=asked.only_differences)
    return {
        "section": "compare",
        "asked": asked,
        "heads": _heads(asked, answers, columns),
        "is_short": len(answers) < len(asked.texts),
        "count": len(answers),
        "span": len(answers) + 1,
        "most": MOST_TAGS,
        "marked": len(answers) > 1 and not asked.only_differences,
        "table": found,
        "wanted": found.differing if asked.only_differences else found.count,
        "all_url": asked.url(shown, ""),
        "only_url": asked.url(shown, DIFFERENCES),
    }


def _heads(asked: Asked, answers: Sequence[Answer], columns: Sequence[Column]) -> list[Head]:
    texts = [str(answer.reference) for answer in answers]
    return [
        Head(
            answer,
            summary(column.target),
            asked.url([other for other in texts if other != text]),
            BETWEEN.join((texts[0], text)) if text != texts[0] else "",
        )
        for text, answer, column in zip(texts, answers, columns, strict=True)
    ]


def _refused(
    request: HttpRequest,
    asked: Asked,
    refusal: Refused,
    refusals: Mapping[str, Refused] | None = None,
) -> HttpResponse:
    """The form with all that was typed, what is wrong with it, and links that leave one out."""
    texts = asked.texts[:MOST_KEPT]

    def with_another(at: int, text: str) -> str:
        return asked.url([text if place == at else other for place, other in enumerate(texts)])

    typed = fields(["tag"] * len(texts), texts, refusals or {}, url=with_another)
    leaving = [
        (text, asked.url([other for other in texts if other != text]))
        for text in (texts if len(texts) > 1 else ())
    ]
    context = {
        "fields": typed or [Field("tag", ""), Field("tag", "")],
        "leaving": leaving,
        "left_out": len(asked.texts) - len(texts),
        "asked": asked,
        "most": MOST_TAGS,
        "section": "compare",
    }
    return errors.refused(request, refusal, template=FORM, expected=EXPECTED, **context)
