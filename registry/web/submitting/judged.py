"""A form looked at: the draft that it would be, or everything that stands against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from registry.domain import document, prose
from registry.domain.errors import Refused, refuse_all
from registry.domain.reference import Tag as TagName
from registry.services import checking, naming, publishing
from registry.services.checking import CheckedBody
from registry.services.drafting import Draft
from registry.services.reviewing.turns import MAX_TEXT
from registry.web.submitting import bodies
from registry.web.submitting.typed import Typed

T = TypeVar("T")


class Part(StrEnum):
    """Which part of a form a refusal is about; its pointers count from there."""

    TAG = "tag"
    SAID = "said"  # message, sources, what is different
    BODY = "body"
    WHOLE = "whole"  # what the parts are together, and today


@dataclass(slots=True)
class Judged:
    """What became of a form. `checked` and `draft` are None where something is refused."""

    tag: TagName | None = None
    source: str | None = None
    checked: CheckedBody | None = None
    moved: str = ""  # how the tag is not what the form was begun over
    refusals: list[tuple[Part, Refused]] = field(default_factory=list)

    def attempt(self, part: Part, answer: Callable[[], T]) -> T | None:
        """What is answered; None where it is refused, which is kept."""
        try:
            return answer()
        except Refused as refusal:
            self.refusals.append((part, refusal))
            return None

    @property
    def draft(self) -> Draft | None:
        """What the body would be, once published."""
        return self.checked.draft if self.checked else None

    @property
    def refusal(self) -> Refused | None:
        """The first of what stands against it."""
        return self.refusals[0][1] if self.refusals else None


def judge(typed: Typed) -> Judged:
    """Look at all parts of a form. Nothing is written."""
    found = Judged()
    found.tag = found.attempt(Part.TAG, lambda: _name(typed))
    found.attempt(Part.SAID, lambda: _check_said(typed))
    found.source = found.attempt(Part.BODY, lambda: bodies.source_of(typed))
    tag, source = found.tag, found.source
    if source is not None and tag is not None:
        found.checked = found.attempt(Part.BODY, lambda: checking.check_for_writing(tag, source))
    elif source is not None:  # of what it refers to nothing can be said for no tag
        found.attempt(Part.BODY, lambda: document.parse(source))
    if found.refusals or found.checked is None:
        found.checked = None
        return found
    try:
        publishing.refuse_stale(found.checked.history, typed.expected)
    except Refused as refusal:
        found.moved = refusal.detail
    return found


def refused(part: Part, refusal: Refused) -> Judged:
    """A form of which one thing is known."""
    return Judged(refusals=[(part, refusal)])


def _name(typed: Typed) -> TagName:
    name = typed.name
    naming.tag_named(name)
    return name


def _check_said(typed: Typed) -> None:
    publishing.check_message(prose.tidy(typed.message), typed.links)
    refuse_all(prose.faults(prose.tidy(typed.text), "/text", most=MAX_TEXT, lines=True))
