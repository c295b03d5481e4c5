"""Many plain proposals accepted at once, by staff."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms

from registry.acts.act import Act
from registry.services.reviewing import bulk
from registry.services.reviewing.bulk import Outcome, Pair, Ticked

PAIR = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)
MOST_ECHOED = 40  # characters of what is no pair


class Pairs(forms.Field):
    """Proposals that were ticked, each `number:revision`, the revision being what was seen."""

    widget = forms.MultipleHiddenInput
    default_error_messages = {"required": "Nothing is ticked: tick the proposals to accept."}

    def clean(self, value: Any) -> list[Pair]:
        """Each pair once, in the order of their numbers."""
        texts = list(dict.fromkeys(super().clean(value)))
        if len(texts) > bulk.MOST:
            raise forms.ValidationError(
                f"{len(texts)} proposals are ticked: at most {bulk.MOST} at once."
            )
        return sorted(map(_pair, texts), key=lambda pair: pair.number)


def _pair(text: str) -> Pair:
    found = PAIR.fullmatch(text)
    if found is None:
        raise forms.ValidationError(
            f"{text[:MOST_ECHOED]!r} is no proposal with its revision: expected as in 12:1."
        )
    return Pair(int(found[1]), int(found[2]))


class AcceptTicked(Act):
    """What is plain among the ticked, published. `outcome` is what came of it."""

    slug = "accept"
    button = "Accept the ticked"
    consequence = (
        "Each is published as its tag's next version, to the credit of who proposed it. What is no "
        "longer plain by then is passed over. What is published never changes."
    )
    ticked = Pairs()

    outcome: Outcome | None = None

    def look(self) -> Sequence[Ticked]:
        """What would become of each, for a page that asks once more."""
        return bulk.look(self.cleaned_data["ticked"], actor=self.actor)

    def perform(self) -> str:
        """Publish them."""
        self.outcome = bulk.accept_plain(self.cleaned_data["ticked"], actor=self.actor)
        return ""
