"""Checks a hardware profile as if it were submitted now."""

from __future__ import annotations

from registry.domain import document, user_text
from registry.domain.errors import Refused
from registry.domain.reference import Tag as TagName
from registry.services.proposals import timeline
from registry.services.versions import checking, publishing, tag_names
from registry.services.versions.checking import CheckedBody
from registry.web.proposals.submit.form_errors import Part
from registry.web.proposals.submit.profile_form import ProfileForm


def evaluate(form: ProfileForm) -> CheckedBody | None:
    """Check all parts of a form and draft its body once, without writing.

    Adds refusals to the form as errors, and then returns None.
    """
    tag = form.attempt(Part.TAG, lambda: _tag(form))
    form.attempt(Part.FIELDS, lambda: _check_texts(form))
    source = form.attempt(Part.BODY, lambda: form.source)
    checked = None
    if source is not None and tag is not None:
        checked = form.attempt(Part.BODY, lambda: checking.check_for_writing(tag, source))
    elif source is not None:  # without a tag, its references cannot be checked
        form.attempt(Part.BODY, lambda: document.parse_json(source))
    return None if form.refusals else checked


def stale_message(form: ProfileForm, checked: CheckedBody) -> str:
    """Return how the tag has changed since the form was opened; empty if it has not."""
    try:
        publishing.refuse_stale(checked.history, form.base_version)
    except Refused as refusal:
        return refusal.detail
    return ""


def _tag(form: ProfileForm) -> TagName:
    name = form.tag_name
    tag_names.find_tag(name)
    return name


def _check_texts(form: ProfileForm) -> None:
    values = form.values
    publishing.check_message(user_text.normalize_text(values["message"]), form.source_urls)
    timeline.check_text(values["text"], needed=False)
