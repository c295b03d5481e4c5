"""The page that says whether code built for one target runs on the machine of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.domain.errors import Refused
from registry.domain.reference import Pair, Reference
from registry.http import compatibility_options
from registry.http.compatibility_options import (
    COMPILER,
    COMPILERS,
    DRIVER,
    SHIPS,
    STRICT,
    TOOLKIT,
)
from registry.services.versions import comparing, compatibility
from registry.services.versions.compatibility import Judgement
from registry.services.versions.runners import Direction
from registry.web.core import error_pages
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.core.reference_fields import ReferenceInput, reference_fields
from registry.web.versions.verdict_texts import (
    CONDITION_HEADINGS,
    HEADLINES,
    WORDS,
    condition_texts,
)
from ttag_rules.compatibility.options import FileForm
from ttag_rules.compatibility.verdicts import Dimension
from ttag_rules.names import EXPECTED

PAGE = "registry/runs_on.html"
BUILT_FOR, MACHINE = "built_for", "machine"
SIDES = (BUILT_FOR, MACHINE)
TOPICS = {
    Dimension.LOADER: "Loading and calling",
    Dimension.EMITTED: "Instructions that a compiler uses",
    Dimension.GUARDED: "Instructions that only intrinsics use",
    Dimension.VECTOR_LENGTH: "Length of vectors",
    Dimension.DEVICES: "Devices",
    Dimension.DEVICE_CODE: "Device code",
    Dimension.FLOOR: "Least version",
}


@dataclass(frozen=True, slots=True)
class Question:
    """The form as it was filled in."""

    texts: tuple[str, str]
    options: Mapping[str, str]

    @classmethod
    def of(cls, request: HttpRequest) -> Question:
        """Return the question of a query string; it may have several `ships`."""
        built_for, machine = (request.GET.get(name, "").strip() for name in SIDES)
        options = {name: request.GET.get(name, "").strip() for name in compatibility_options.NAMES}
        options[SHIPS] = ",".join(filter(None, request.GET.getlist(SHIPS)))
        return cls((built_for, machine), options)

    @property
    def query(self) -> dict[str, str]:
        """The options that are stated, as parameters."""
        return {name: value for name, value in self.options.items() if value}

    def url(self, texts: tuple[str, str]) -> str:
        """Return the URL of the same question about other targets."""
        sides = dict(zip(SIDES, texts, strict=True))
        return reverse("runs-on", query={**sides, **self.query})

    def fields(self, refusals: Mapping[str, Refused] | None = None) -> list[ReferenceInput]:
        """Return the two fields with their errors; suggestions link to an answer."""
        built_for, machine = self.texts

        def url(index: int, text: str) -> str:
            return self.url((text, machine) if index == 0 else (built_for, text))

        return reference_fields(SIDES, self.texts, refusals or {}, url=url)

    def lists(self, fields: list[ReferenceInput]) -> list[tuple[str, Direction, str]]:
        """Return each valid target with the direction of its list, and the list's URL."""
        directions = (Direction.MACHINES, Direction.TARGETS)
        return [
            (field.text, direction, self._list_url(field.text, direction))
            for field, direction in zip(fields, directions, strict=True)
            if field.text and not field.error
        ]

    def _list_url(self, text: str, direction: Direction) -> str:
        query = {"direction": direction.value, **self.query}
        return reverse("runners", args=[Reference.parse(text)], query=query)


@public_page
@takes(*SIDES, *compatibility_options.NAMES, several={SHIPS})
def runs_on(request: HttpRequest) -> HttpResponse:
    """Show the form; with both targets, the answer above it."""
    question = Question.of(request)
    context = _form(question, question.fields())
    if not all(question.texts):
        return render(request, PAGE, context)
    try:
        options = compatibility_options.read_query(question.options)
        pair = Pair(*map(Reference.parse, question.texts))
        judgement = compatibility.judge_pair(pair, options)
    except comparing.UnresolvedReferences as refusal:
        context = _form(question, question.fields(refusal.refusals))
        return error_pages.refusal_page(request, refusal, template=PAGE, **context)
    except Refused as refusal:
        return error_pages.refusal_page(request, refusal, template=PAGE, **context)
    return render(request, PAGE, context | _answer(question, pair, judgement))


def _form(question: Question, fields: list[ReferenceInput]) -> dict[str, Any]:
    ships = question.options[SHIPS].split(",")
    return {
        "section": "compare",
        "fields": fields,
        "expected": EXPECTED,
        "forms": [(form.value, form.value in ships) for form in FileForm],
        "toolkit": question.options[TOOLKIT],
        "driver": question.options[DRIVER],
        "compilers": [(each, each == question.options[COMPILER]) for each in COMPILERS],
        "strict": question.options[STRICT] == "true",
        "option_errors": compatibility_options.query_errors(question.options),
        "has_options": bool(question.query),
        "lists": question.lists(fields),
    }


def _answer(question: Question, pair: Pair, judgement: Judgement) -> dict[str, Any]:
    verdict = judgement.verdict
    return {
        "judgement": judgement,
        "answer": verdict.answer,
        "headline": HEADLINES[verdict.answer],
        "rows": [
            (TOPICS[finding.dimension], WORDS[finding.answer], finding)
            for finding in verdict.findings
        ],
        "conditions": condition_texts(verdict.conditions),
        "condition_heading": CONDITION_HEADINGS.get(verdict.answer),
        "swapped_url": question.url((question.texts[1], question.texts[0])),
        "json_url": reverse("api:runs-on", args=[pair], query=question.query),
        "compare_url": reverse("compare", query={"tag": list(question.texts)}),
    }
