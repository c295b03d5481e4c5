"""The small form that reports a wrong fact about a machine; it makes a proposal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from registry.domain.reference import Reference
from registry.http import limiter
from registry.http.signed_in import user_of
from registry.models import Tag
from registry.services.core.permissions import Actor
from registry.services.proposals import fact_corrections
from registry.services.proposals.fact_corrections import Correction, Fact
from registry.services.tags import status
from registry.web.core import error_pages, stashed_forms
from registry.web.core.decorators import private_page, returnable
from registry.web.core.parameters import takes
from registry.web.core.units import label
from registry.web.proposals.submit import form_data
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.form_state import FormState
from registry.web.proposals.submit.guided_inputs import line_count
from registry.web.proposals.submit.inputs import Input, link_errors, with_errors
from registry.web.versions.values import TargetValue

TEMPLATE = "registry/proposals/report.html"
TEXTS = ("fact", "value", "source", "comment", "key")
CHOOSE = "Choose a fact"
VALUE_HELP = "A number with its unit, such as 4 GiB or 1.5 GHz, or a text. One per line of several."
SOURCE_HELP = "The https URL of a page that states the right value, such as a data sheet."
COMMENT_HELP = "Optional. It is shown with the new version, publicly and permanently."


@returnable
@takes(*TEXTS)
def report_fact(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """Report a wrong fact of a tag: the fact, its right value, a source and a comment.

    Sending needs an account; the input is kept while one signs in.
    """
    return (_post if request.method == "POST" else _show)(request, **kwargs)


@private_page
def _show(request: HttpRequest, reference: Reference) -> HttpResponse:
    tag = status.tag_named(reference)
    if tag.text != str(reference):
        fact = request.GET.get("fact", "")
        return redirect(reverse("report-fact", args=[tag.text], query={"fact": fact}))
    texts = stashed_forms.take_stashed(request) or request.GET
    return _page(request, _state(tag, texts))


@private_page
def _post(request: HttpRequest, reference: Reference) -> HttpResponse:
    state = _state(status.tag_named(reference), request.POST)
    correction = state.attempt(Part.FIELDS, lambda: _correction(request, state))
    if correction is None:
        return _page(request, state)
    if not request.user.is_authenticated:
        return stashed_forms.sign_in_first(request, is_counted=True)
    actor, key = Actor(user_of(request)), state.values["key"]
    correct = partial(fact_corrections.correct_fact, correction, key=key, actor=actor)
    if (proposal := state.attempt(Part.FIELDS, correct)) is None:
        state.renew_key()
        return _page(request, state)
    messages.success(request, "Thank you. Reviewers will compare the source.")
    return redirect("proposal", proposal.pk)


def _state(tag: Tag, texts: Mapping[str, str]) -> FormState:
    values = form_data.normalized(texts, TEXTS)
    values |= {"tag": tag.text, "key": form_data.valid_key(values["key"])}
    return FormState(values)


def _correction(request: HttpRequest, state: FormState) -> Correction:
    limiter.count_request(request, account=request.user.pk, is_preview=False, is_page=True)
    values = state.values
    return fact_corrections.correction_of(
        state.tag_name,
        name=values["fact"],
        value=values["value"],
        source=values["source"],
        comment=values["comment"],
    )


def _page(request: HttpRequest, state: FormState) -> HttpResponse:
    facts = fact_corrections.stated_facts(state.tag_name)
    inputs = _inputs(state, facts)
    context = {
        "tag": state.values["tag"],
        "inputs": inputs.values(),
        "facts": facts,
        "key": state.values["key"],
        "heading": "Not sent",
        "problems": link_errors(state.problems, inputs),
    }
    if state.refusal is None:
        return render(request, TEMPLATE, context)
    return error_pages.refusal_page(request, state.refusal, template=TEMPLATE, **context)


def _inputs(state: FormState, facts: dict[str, Fact]) -> dict[str, Input]:
    values, name = state.values, state.values["fact"]
    choices = [("", CHOOSE), *((name, f"{_label(name)}: {_text(facts[name])}") for name in facts)]
    fields = [facts[name].field] if name in facts else [fact.field for fact in facts.values()]
    unit = fields[0].unit if name in facts else ""
    lines = max((line_count(field.widget, values["value"]) for field in fields), default=0)
    inputs = (
        Input("fact", "Wrong fact", name, choices=choices),
        Input(
            "value",
            "Right value",
            values["value"],
            lines,
            unit=unit,
            help=VALUE_HELP,
            is_required=True,
        ),
        Input("source", "Source", values["source"], help=SOURCE_HELP, is_required=True),
        Input("comment", "Comment", values["comment"], 3, help=COMMENT_HELP, is_name=False),
    )
    return with_errors(inputs, state.problems)


def _label(name: str) -> str:
    option, *members = name.split("/")
    return label(option, *members)


def _text(fact: Fact) -> str:
    return TargetValue("", "", fact.value, unit=fact.field.unit).readable
