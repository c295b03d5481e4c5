"""Previews a revision of a kind, and creates it unless the kind has changed since."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from registry.domain import document
from registry.domain.errors import Code, Refused
from registry.models import KindRevision
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.text_diff import DiffLine, diff_lines, indented_json
from registry.services.core.transactions import authorized_write
from registry.services.kinds import kinds
from registry.services.kinds.revision_impact import RevisionPreview

FIRST_WORD = re.compile(r"(?:option )?([^\s,]+)")


@dataclass(frozen=True, slots=True)
class SchemaRemark:
    """A sentence about a schema, and the line it refers to; 0 for none."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class SchemaDraft:
    """The text of a new schema, its effects, and its differences from the current schema."""

    text: str
    preview: RevisionPreview
    problems: tuple[SchemaRemark, ...]
    changes: tuple[SchemaRemark, ...]
    lines: tuple[DiffLine, ...]

    @property
    def seen(self) -> int:
        """Return the number of the previewed kind's current revision; 0 for a new kind."""
        return self.preview.current_number


def preview_schema(name: str, text: str, *, actor: Actor | None) -> SchemaDraft:
    """Return the draft of a new schema, from its text. Writes nothing.

    Raises `Refused`: JSON_INVALID (with line and column), TOO_LARGE or TOO_DEEP if the text is not
    a JSON object, UNAUTHENTICATED or FORBIDDEN if the actor may not revise kinds.
    """
    permissions.require(actor, Action.REVISE_KIND)
    source = _parse(text)
    preview = kinds.preview_revision(name, source)
    return SchemaDraft(
        text=text,
        preview=preview,
        problems=tuple(_remark(problem, text) for problem in preview.problems),
        changes=tuple(_remark(str(change), text) for change in preview.changes),
        lines=tuple(diff_lines(current_schema(name), indented_json(json.dumps(source)))),
    )


def current_schema(name: str) -> str:
    """Return the current schema of a kind as indented JSON, or an empty text for a new kind."""
    current = kinds.current_kinds().kinds
    return indented_json(json.dumps(current[name].source)) if name in current else ""


def apply_schema(name: str, text: str, *, seen: int, actor: Actor | None) -> KindRevision:
    """Create a revision that was previewed while revision `seen` was current.

    Repeats all checks. Raises `Refused`: PRECONDITION_FAILED if the kind has been revised
    since, NOTHING_CHANGED, and as `preview_schema` and `kinds.revise_kind` do.
    """
    permission = permissions.require(actor, Action.REVISE_KIND)
    source = _parse(text)
    with authorized_write(permission):
        current = kinds.current_kinds().kinds
        number = current[name].revision if name in current else 0
        if number != seen:
            raise Refused(
                Code.PRECONDITION_FAILED,
                f"{name} has changed since your preview: the current revision is {number}, not "
                f"{seen}. Preview your changes again.",
            )
        revision = kinds.revise_kind(name, source, actor=actor)
        if revision is None:
            raise Refused(Code.NOTHING_CHANGED, f"This is the current schema of {name}.")
    return revision


def _parse(text: str) -> dict[str, Any]:
    source = document.parse_json(text)
    if not isinstance(source, dict):
        raise Refused(Code.JSON_INVALID, "The schema of a kind must be a JSON object.")
    return source


def _remark(sentence: str, text: str) -> SchemaRemark:
    """Return a sentence with the line of the option that it starts with."""
    word = FIRST_WORD.match(sentence)
    key = json.dumps(word[1], ensure_ascii=False) if word else ""
    match = re.search(rf"{re.escape(key)}\s*:", text) if key else None
    return SchemaRemark(sentence, text.count("\n", 0, match.start()) + 1 if match else 0)
