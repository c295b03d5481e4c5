"""What a form for a hardware profile would be if it were submitted now."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain import document, prose
from registry.domain.errors import Refused, refuse_all
from registry.domain.reference import Tag as TagName
from registry.services import checking, naming, publishing
from registry.services.checking import CheckedBody
from registry.services.drafting import Draft
from registry.services.reviewing.turns import MAX_TEXT
from registry.web.submitting.form_errors import Part
from registry.web.submitting.profile_form import ProfileForm


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The parts of a form that could be read; `checked` is None where anything is refused.

    `moved` says how the tag has changed since the form was begun.
    """

    tag: TagName | None = None
    source: str | None = None
    checked: CheckedBody | None = None
    moved: str = ""

    @property
    def draft(self) -> Draft | None:
        """What the body would be, once published."""
        return self.checked.draft if self.checked else None


def evaluate(form: ProfileForm) -> Evaluation:
    """Check all parts of a form, and add what is refused to its errors. Nothing is written."""
    tag = form.attempt(Part.TAG, lambda: _tag(form))
    form.attempt(Part.FIELDS, lambda: _check_texts(form))
    source = form.attempt(Part.BODY, lambda: form.source)
    checked = None
    if source is not None and tag is not None:
        checked = form.attempt(Part.BODY, lambda: checking.check_for_writing(tag, source))
    elif source is not None:  # without a tag, its references cannot be checked
        form.attempt(Part.BODY, lambda: document.parse(source))
    if form.refusals or checked is None:
        return Evaluation(tag, source)
    return Evaluation(tag, source, checked, _moved(form, checked))


def _tag(form: ProfileForm) -> TagName:
    name = form.tag_name
    naming.tag_named(name)
    return name


def _check_texts(form: ProfileForm) -> None:
    values = form.values
    publishing.check_message(prose.tidy(values["message"]), form.links)
    refuse_all(prose.faults(prose.tidy(values["text"]), "/text", most=MAX_TEXT, lines=True))


def _moved(form: ProfileForm, checked: CheckedBody) -> str:
    try:
        publishing.refuse_stale(checked.history, form.expected)
    except Refused as refusal:
        return refusal.detail
    return ""
