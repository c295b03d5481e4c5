"""A revision of a kind as a curator writes it: looked at, then put in force as it was seen."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from registry.domain import document
from registry.domain.errors import Code, Refused
from registry.models import KindRevision
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.text_diff import DiffLine, diff_lines, format_json
from registry.services.core.transactions import authorized_write
from registry.services.kinds import kinds
from registry.services.kinds.revision_impact import RevisionPreview

FIRST_WORD = re.compile(r"(?:option )?([^\s,]+)")


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about a schema, and the line of the text that it is about; 0 for none."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class SchemaDraft:
    """A text, what putting it in force would do, and how it differs from the schema in force."""

    text: str
    preview: RevisionPreview
    problems: tuple[Remark, ...]
    changes: tuple[Remark, ...]
    lines: tuple[DiffLine, ...]

    @property
    def seen(self) -> int:
        """The revision in force when it was looked at; 0 for a new kind."""
        return self.preview.in_force


def preview_schema(name: str, text: str, *, actor: Actor | None) -> SchemaDraft:
    """What a text would do as a kind's schema; nothing is written.

    Raises `Refused` (JSON_INVALID, with line and column, TOO_LARGE, TOO_DEEP) for what is no JSON
    object, UNAUTHENTICATED and FORBIDDEN for who could not put it in force.
    """
    permissions.require(actor, Action.REVISE_KIND)
    source = _parsed(text)
    preview = kinds.preview_revision(name, source)
    return SchemaDraft(
        text=text,
        preview=preview,
        problems=tuple(_remark(problem, text) for problem in preview.problems),
        changes=tuple(_remark(str(change), text) for change in preview.changes),
        lines=tuple(diff_lines(current_schema(name), format_json(json.dumps(source)))),
    )


def current_schema(name: str) -> str:
    """The schema in force as curators read and write it; empty where there is none."""
    known = kinds.current_kinds().kinds
    return format_json(json.dumps(known[name].source)) if name in known else ""


def put_in_force(name: str, text: str, *, seen: int, actor: Actor | None) -> KindRevision:
    """Put in force what was looked at while the revision `seen` was in force.

    Everything is computed anew. Raises `Refused`: PRECONDITION_FAILED where somebody else revised
    the kind meanwhile, NOTHING_CHANGED, and as `look` and `kinds.revise` do.
    """
    permission = permissions.require(actor, Action.REVISE_KIND)
    source = _parsed(text)
    with authorized_write(permission):
        known = kinds.current_kinds().kinds
        today = known[name].revision if name in known else 0
        if today != seen:
            raise Refused(
                Code.PRECONDITION_FAILED,
                f"Somebody revised {name} meanwhile: revision {today} is in force, you looked at "
                f"revision {seen}. Look again at what yours would change.",
            )
        revision = kinds.revise_kind(name, source, actor=actor)
        if revision is None:
            raise Refused(Code.NOTHING_CHANGED, f"This is the schema of {name} in force.")
    return revision


def _parsed(text: str) -> dict[str, Any]:
    source = document.parse_json(text)
    if not isinstance(source, dict):
        raise Refused(Code.JSON_INVALID, "A schema of a kind is a JSON object.")
    return source


def _remark(sentence: str, text: str) -> Remark:
    """Where the option that a sentence begins with is written."""
    named = FIRST_WORD.match(sentence)
    key = json.dumps(named[1], ensure_ascii=False) if named else ""
    found = re.search(rf"{re.escape(key)}\s*:", text) if key else None
    return Remark(sentence, text.count("\n", 0, found.start()) + 1 if found else 0)
