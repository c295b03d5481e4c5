"""Bulk acceptance of proposals without open questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.proposals import bulk_review
from registry.services.proposals.bulk_review import SeenRevision, SelectedProposal

PAIR = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)
MAX_ECHOED = 40  # characters of an invalid value in its error


class SelectedProposalsField(forms.Field):
    """The selected proposals, each as `number:revision` with the revision that was seen."""

    widget = forms.MultipleHiddenInput
    default_error_messages = {"required": "Select the proposals to accept."}

    def clean(self, value: Any) -> list[SeenRevision]:
        """Return each pair once, ordered by number."""
        texts = list(dict.fromkeys(super().clean(value)))
        if len(texts) > bulk_review.MAX_SELECTED:
            raise forms.ValidationError(
                f"{len(texts)} proposals are selected: at most {bulk_review.MAX_SELECTED} at once."
            )
        return sorted(map(_pair, texts), key=lambda pair: pair.number)


def _pair(text: str) -> SeenRevision:
    match = PAIR.fullmatch(text)
    if match is None:
        raise forms.ValidationError(
            f"{text[:MAX_ECHOED]!r} is not a proposal with its revision, such as 12:1."
        )
    return SeenRevision(int(match[1]), int(match[2]))


class AcceptSelected(ActionForm):
    """Publish the selected proposals without open questions."""

    slug = "accept-selected"
    permission = Action.REVIEW
    button = "Accept and publish selected"
    consequence = (
        "Each proposal is published as its tag's next version and credited to its submitter. "
        "Proposals that need a closer look by then are skipped. Published versions never change."
    )
    selected = SelectedProposalsField()

    def candidates(self) -> Sequence[SelectedProposal]:
        """Evaluate the selected proposals for the confirmation page."""
        return bulk_review.evaluate(self.cleaned_data["selected"], actor=self.actor)

    @classmethod
    def perform(cls, *, selected: list[SeenRevision], actor: Actor) -> Outcome:
        return Outcome("", bulk_review.accept_plain(selected, actor=actor))
