"""The page of the first step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from registry.domain.importers import IMPORTERS
from registry.services.kinds import kinds
from registry.web.core import error_pages
from registry.web.proposals.submit import pasted_text
from registry.web.proposals.submit.form_state import FormState, Step
from registry.web.proposals.submit.inputs import (
    Choices,
    Input,
    link_errors,
    suggest_tags,
    with_errors,
)
from registry.web.proposals.submit.start_form import FIELDS, LABELS

TEMPLATE = "registry/submit/start.html"
FORMATS = {
    pasted_text.DETECT: "Detect automatically",
    pasted_text.REGISTRY_JSON: "The registry's own JSON",
    **{name: importer.summary for name, importer in IMPORTERS.items()},
}
TAG_HELP = mark_safe(
    "<code>namespace/name</code> or <code>namespace/name:variant</code>, such as "
    "<code>nvidia/jetson-nano:cuda</code>. For an existing tag, the form starts from its newest "
    "body."
)
KIND_HELP = (
    "What generates the code: <code>llvm</code> for processors, <code>cuda</code>, "
    "<code>rocm</code>, <code>metal</code> or <code>vulkan</code> for GPUs. It determines the "
    'fields of the form. <a href="{}">All kinds</a>'
)
PARENT_HELP = mark_safe(
    "A tag to inherit from, such as <code>nvidia/nvidia-a100@1</code>. Separate several with "
    "commas; mixins, which are patches for other targets, come after the first."
)
SOURCE_HELP = (
    "A TVM target in JSON or Python, a TVM command line, a split configuration, a command line of "
    "a compiler such as clang or nvcc, flags of IREE, or the registry's own JSON."
)


def render_start(request: HttpRequest, state: FormState) -> HttpResponse:
    """Render the page of the first step, with its errors if it was refused."""
    inputs = with_errors(_inputs(state), state.problems)
    tag = state.values["tag"]
    context: dict[str, Any] = {
        "state": state,
        "tag": inputs["tag"],
        "options": [
            (name, label, [inputs[field] for field in FIELDS[name]])
            for name, label in LABELS.items()
        ],
        "start_from": inputs["start_from"],
        "problems": link_errors(state.problems, inputs),
        "section": "submit",
        "steps": list(Step),
        "step": Step.FILL,
        "missing": state.missing_namespace(),
        "unqualified": "" if "/" in tag or state.refusals else tag,
    }
    if state.refusal is None:
        return render(request, TEMPLATE, context)
    return error_pages.refusal_page(request, state.refusal, template=TEMPLATE, **context)


def _inputs(state: FormState) -> Iterator[Input]:
    values, kind_help = state.values, format_html(KIND_HELP, reverse("kinds"))
    kinds = [*_offered_kinds(values["kind"])]
    yield Input("tag", "Tag", values["tag"], help=TAG_HELP, is_required=True)
    yield Input("start_from", "Start from", values["start_from"])
    yield Input("kind", "Kind of the target", values["kind"], choices=kinds, help=kind_help)
    suggested = suggest_tags(separator=",")
    yield Input("parent", "Parents", values["parent"], help=PARENT_HELP, attrs=suggested)
    yield Input("source", "Pasted text", values["source"], 6, help=SOURCE_HELP)
    yield Input("format", "Format", values["format"], choices=[*FORMATS.items()])


def _offered_kinds(chosen: str) -> Choices:
    """Return the kinds of targets for people, and the chosen one even if it is none of them."""
    names = {*kinds.current_kinds().kinds.offered} | ({chosen} - {""})
    return [("", "Choose a kind"), *((name, name) for name in sorted(names))]
