"""What the form for a hardware profile holds, exactly as somebody typed it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.http import QueryDict

from registry.domain.errors import Code, Refused, echo
from registry.domain.number import Number
from registry.domain.reference import Tag as TagName
from registry.services.reviewing.saving import Typed as Fields
from registry.services.search import spelling
from registry.web.submitting import fields

BY_FIELDS, BY_JSON = "fields", "json"  # the two faces of one body
NOT_KEPT = ("csrfmiddlewaretoken", "do", "saves", "looked")  # of a draft: these are of one sending
DIGITS = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Typed:
    """A form's fields. `role` and `of` say which start the guided fields have; see `guided`.

    `base` is the version last published when the form was begun, `proposal` the number of the one
    that is revised, `seen` the revision of it that was; `looked` is the digest of the target that a
    preview showed.
    """

    tag: str = ""
    face: str = BY_FIELDS
    role: str = ""
    of: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    message: str = ""
    sources: str = ""
    base: str = ""
    proposal: str = ""
    seen: str = ""
    text: str = ""
    key: str = ""
    looked: str = ""

    @classmethod
    def read(cls, post: Mapping[str, str]) -> Typed:
        """What was sent. Browsers end lines in a way of their own; the registry does not."""

        def said(name: str) -> str:
            return post.get(name, "").replace("\r\n", "\n")

        return cls(
            tag=said("tag").strip(),
            face=BY_JSON if said("face") == BY_JSON else BY_FIELDS,
            role=said("role"),
            of=said("of"),
            texts=fields.texts(post),
            body=said("body"),
            message=said("message"),
            sources=said("sources"),
            base=said("base").strip(),
            proposal=said("proposal").strip(),
            seen=said("seen").strip(),
            text=said("text"),
            key=_key(said("key")),
            looked=said("looked"),
        )

    @property
    def name(self) -> TagName:
        """The tag. Raises `Refused` (REFERENCE_INVALID) with near names."""
        try:
            return TagName.parse(self.tag)
        except Refused as refusal:
            near = spelling.near(self.tag) if self.tag else ()
            raise Refused(
                refusal.code, refusal.detail, faults=refusal.faults, suggestions=near
            ) from refusal

    @property
    def expected(self) -> Number | None:
        """The version last published when the form was begun. Raises `Refused`."""
        try:
            return Number.parse(self.base) if self.base else None
        except ValueError:
            raise Refused(
                Code.REQUEST_INVALID, f"{echo(self.base)} is no version number, such as 1.2.0."
            ) from None

    @property
    def links(self) -> list[str]:
        """The pages that vouch for it, one a line."""
        return [line.strip() for line in self.sources.splitlines() if line.strip()]

    @property
    def revises(self) -> int:
        """The number of the proposal that it revises; 0 for none."""
        return number(self.proposal)

    @property
    def saw(self) -> int:
        """The number of the proposal's revision that was seen."""
        return number(self.seen)


def number(text: str) -> int:
    """A number as a form or an address says it; 0 for anything else."""
    return int(text) if DIGITS.fullmatch(text) else 0


def kept(post: QueryDict) -> Fields:
    """What a draft holds of what was sent."""
    return {name: post.getlist(name) for name in post if name not in NOT_KEPT}


def again(held: Fields) -> QueryDict:
    """What a draft holds, as if it were sent anew."""
    post = QueryDict(mutable=True)
    for name, values in held.items():
        post.setlist(name, values)
    return post


def _key(text: str) -> str:
    """What tells that a form is sent twice: its own, or a new one for a new form."""
    try:
        return str(UUID(text))
    except ValueError:
        return str(uuid4())
