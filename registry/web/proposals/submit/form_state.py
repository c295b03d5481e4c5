"""The state of the form: what was typed, at which step, and what is wrong with it.

A request becomes a `FormState`, which gives a body; its evaluation adds errors; the page shows all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from registry.domain import body_form
from registry.domain.body_form import Start
from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Tag as TagName
from registry.models import SavedDraft
from registry.services.kinds import kinds
from registry.services.namespaces.lookup import require_namespace
from registry.services.search import near_names
from registry.services.versions import tag_names
from registry.web.core.json_blocks import format_json
from registry.web.proposals.submit import form_data
from registry.web.proposals.submit.form_data import FIELDS_MODE, JSON_MODE, PREFIX
from registry.web.proposals.submit.form_errors import FormError, Part, errors_of
from ttag_rules.version_number import VersionNumber

T = TypeVar("T")
DIGITS = re.compile(r"[1-9][0-9]{0,8}")


class Step(StrEnum):
    """The steps of a submission, in order, as their titles."""

    FILL = "Fill in"
    CHECK = "Check"
    PREVIEW = "Preview"
    SUBMIT = "Submit"


# Decision 160: one state, which every step of the form passes on.
@dataclass(slots=True)
class FormState:
    """The texts of the form by the names of their inputs, and what is known about them.

    `start` defines the guided fields; it is None if the body is JSON, and in the first step. The
    first of `refusals` determines the status of the page. `notes` are sentences about the origin of
    the input; `requested_group` is a group of fields to be open.
    """

    values: dict[str, str]
    start: Start | None = None
    step: Step = Step.FILL
    problems: list[FormError] = field(default_factory=list)
    refusals: list[Refused] = field(default_factory=list)
    notes: Sequence[str] = ()
    saved_draft: SavedDraft | None = None
    requested_group: str = ""

    @classmethod
    def read(cls, post: Mapping[str, str], saved_draft: SavedDraft | None = None) -> FormState:
        """Return the state for posted data or the fields of a draft.

        If the kind is unknown, the guided fields become JSON, so that no input is lost.
        """
        state = cls(form_data.parse_form(post), saved_draft=saved_draft)
        if state.values["mode"] == FIELDS_MODE:
            try:
                all_kinds, values = kinds.current_kinds().kinds, state.values
                start = body_form.start_of_role(all_kinds, values["role"], values["start_kind"])
                state.begin(start)
            except Refused as refusal:
                body = state.values["body"] or format_json({**state.texts})
                state.values = form_data.without_fields(state.values)
                state.values |= {"mode": JSON_MODE, "body": body}
                state.refuse(Part.FORM, refusal)
        return state

    def begin(self, start: Start) -> None:
        """Give the form the fields of a start; keep texts that have no field in it as JSON."""
        texts = self.texts
        adopted = body_form.adopt_texts(texts, start)
        for pointer in texts.keys() - adopted.keys():
            del self.values[PREFIX + pointer]
        self.values |= {PREFIX + pointer: text for pointer, text in adopted.items()}
        self.start = start

    @property
    def texts(self) -> dict[str, str]:
        """Return the texts of the guided fields by JSON pointer."""
        names = (name for name in self.values if name.startswith(PREFIX))
        return {name.removeprefix(PREFIX): self.values[name] for name in names}

    @property
    def tag_name(self) -> TagName:
        """Return the tag. Raises `Refused` (REFERENCE_INVALID) with similar names."""
        text = self.values["tag"]
        if not text:
            example = "namespace/name, such as nvidia/jetson-nano:cuda"
            raise Refused(Code.REQUEST_INVALID, f"Enter a name: {example}.")
        try:
            return TagName.parse(text)
        except Refused as refusal:
            near = near_names.similar_tags(text)
            raise Refused(refusal.code, refusal.detail, suggestions=near) from refusal

    def find_tag(self) -> TagName:
        """Return the tag, which may be new. Raises `Refused`, also for an alias."""
        name = self.tag_name
        tag_names.find_tag(name)
        return name

    def missing_namespace(self) -> dict[str, Any] | None:
        """Return the namespace of the tag if it does not exist, and near names. Two queries.

        None for a tag without a valid name, which has an error of its own, or one with versions.
        """
        if self.values.get("base"):
            return None
        try:
            name = TagName.parse(self.values["tag"]).namespace
        except Refused:
            return None
        try:
            require_namespace(name)
        except Refused as refusal:
            return {"name": name, "suggestions": refusal.suggestions}
        return None

    @property
    def base_version(self) -> VersionNumber | None:
        """Return the version last published when the form was opened. Raises `Refused`."""
        base = self.values["base"]
        try:
            return VersionNumber.parse(base) if base else None
        except ValueError:
            raise Refused(
                Code.REQUEST_INVALID, f"{echo(base)} is not a version number such as 1.2.0."
            ) from None

    @property
    def source_urls(self) -> list[str]:
        """Return the URLs of the sources."""
        return [line.strip() for line in self.values["sources"].splitlines() if line.strip()]

    @property
    def proposal_number(self) -> int:
        """Return the number of the proposal to revise; 0 for a new one."""
        return parse_number(self.values["proposal"])

    @property
    def seen_revision(self) -> int:
        """Return the newest revision of the proposal when the form was opened."""
        return parse_number(self.values["seen"])

    @property
    def refusal(self) -> Refused | None:
        """Return the first refusal, if any."""
        return self.refusals[0] if self.refusals else None

    def renew_key(self) -> None:
        """Give the form a new key after a conflict: the old one belongs to another proposal."""
        if self.refusal and self.refusal.code is Code.CONFLICT:
            self.values["key"] = form_data.new_key()

    def attempt(self, part: Part, function: Callable[[], T]) -> T | None:
        """Call a function and return its result; on a refusal add errors and return None."""
        try:
            return function()
        except Refused as refusal:
            self.refuse(part, refusal)
            return None

    def refuse(self, part: Part, refusal: Refused) -> None:
        """Add the errors for a refusal; of the body, none to a field that already has one."""
        self.refusals.append(refusal)
        invalid = {problem.name for problem in self.problems} if part is Part.BODY else set()
        self.problems += (
            error
            for error in errors_of(part, refusal, self.values, self.start)
            if not error.name or error.name not in invalid
        )


def parse_number(text: str) -> int:
    """Return a positive number from a form or a URL; 0 for anything else."""
    return int(text) if DIGITS.fullmatch(text) else 0
