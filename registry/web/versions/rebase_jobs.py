"""A rebase under way: which tags wait, which followed, which did not, kept in a session.

Each request does a part of it. A part done twice does no harm: what followed is up to date.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any

from registry.domain.reference import Tag as TagName
from registry.services.core.permissions import Actor
from registry.services.versions import rebasing

BATCH_SIZE = 100  # tags of one request: a second or two
MAX_TAGS = 1000  # tags of one rebase: their names have to stay in a session
KEY = "rebase"


@dataclass(slots=True)
class RebaseJob:
    """Dependents of a tag made to follow it, parents first."""

    root: str
    waiting: list[str]
    published: list[str] = field(default_factory=list)  # exact references
    skipped: list[list[str]] = field(default_factory=list)  # a tag, and why

    @classmethod
    def begin(cls, root: str, names: Collection[TagName]) -> RebaseJob:
        """One that has done nothing yet. Raises `Refused` (TAG_UNKNOWN)."""
        return cls(root, rebasing.sort_by_dependency(names))

    @classmethod
    def under_way(cls, session: Any, root: str) -> RebaseJob | None:
        """The one that a session has for a tag, if it has."""
        kept = session.get(KEY)
        return cls(**kept) if kept and kept["root"] == root else None

    @property
    def done(self) -> int:
        """How many tags need not be looked at again."""
        return len(self.published) + len(self.skipped)

    @property
    def total(self) -> int:
        """How many there are."""
        return self.done + len(self.waiting)

    def advance(self, actor: Actor) -> None:
        """Do the next part. Raises `Refused` (BUSY), and then nothing of it is forgotten."""
        names = [TagName.parse(text) for text in self.waiting[:BATCH_SIZE]]
        outcome = rebasing.update_all(names, actor=actor)
        self.published += outcome.exact
        self.skipped += [list(each) for each in outcome.skipped]
        self.waiting = self.waiting[BATCH_SIZE:]

    def keep(self, session: Any) -> None:
        """Remember it for the next request."""
        session[KEY] = asdict(self)


def forget_job(session: Any) -> None:
    """Let a job go; what was published stays."""
    session.pop(KEY, None)
