"""Bulk acceptance of proposals that raise no questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms

from registry.actions.action_form import ActionForm
from registry.services.proposals import bulk_review
from registry.services.proposals.bulk_review import BulkResult, Candidate, SeenRevision

PAIR = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)
MOST_ECHOED = 40  # characters of what is no pair


class SelectedProposalsField(forms.Field):
    """The selected proposals, each as `number:revision` with the revision that was seen."""

    widget = forms.MultipleHiddenInput
    default_error_messages = {"required": "Nothing is ticked: tick the proposals to accept."}

    def clean(self, value: Any) -> list[SeenRevision]:
        """Return each pair once, ordered by number."""
        texts = list(dict.fromkeys(super().clean(value)))
        if len(texts) > bulk_review.MAX_SELECTED:
            raise forms.ValidationError(
                f"{len(texts)} proposals are ticked: at most {bulk_review.MAX_SELECTED} at once."
            )
        return sorted(map(_pair, texts), key=lambda pair: pair.number)


def _pair(text: str) -> SeenRevision:
    found = PAIR.fullmatch(text)
    if found is None:
        raise forms.ValidationError(
            f"{text[:MOST_ECHOED]!r} is no proposal with its revision: expected as in 12:1."
        )
    return SeenRevision(int(found[1]), int(found[2]))


class AcceptSelected(ActionForm):
    """Publish the selected proposals that raise no questions; `outcome` holds the result."""

    slug = "accept"
    button = "Accept the ticked"
    consequence = (
        "Each is published as its tag's next version, to the credit of who proposed it. What is no "
        "longer plain by then is passed over. What is published never changes."
    )
    ticked = SelectedProposalsField()

    outcome: BulkResult | None = None

    def look(self) -> Sequence[Candidate]:
        """Evaluate the selected proposals for the confirmation page."""
        return bulk_review.evaluate(self.cleaned_data["ticked"], actor=self.actor)

    def perform(self) -> str:
        self.outcome = bulk_review.accept_plain(self.cleaned_data["ticked"], actor=self.actor)
        return ""
