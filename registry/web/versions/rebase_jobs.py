"""The state of a rebase, stored in the session: waiting, published and skipped tags.

Each request processes one batch. Repeating a batch is harmless, because its tags are then up to
date.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any

from registry.domain.reference import Tag as TagName
from registry.services.core.permissions import Actor
from registry.services.versions import rebasing

BATCH_SIZE = 100  # tags, which take a second or two
MAX_TAGS = 1000  # of one rebase; their names are stored in the session
KEY = "rebase"


@dataclass(slots=True)
class RebaseJob:
    """A job that rebases dependents of a tag, parents first."""

    root: str
    waiting: list[str]
    published: list[str] = field(default_factory=list)  # exact references
    skipped: list[list[str]] = field(default_factory=list)  # tag and reason

    @classmethod
    def create(cls, root: str, names: Collection[TagName]) -> RebaseJob:
        """Return a new job. Raises `Refused` (TAG_UNKNOWN)."""
        return cls(root, rebasing.sort_by_dependency(names))

    @classmethod
    def load(cls, session: Any, root: str) -> RebaseJob | None:
        """Return the session's job for a tag, if there is one."""
        state = session.get(KEY)
        return cls(**state) if state and state["root"] == root else None

    @property
    def done(self) -> int:
        """Return the number of processed tags."""
        return len(self.published) + len(self.skipped)

    @property
    def total(self) -> int:
        """Return the number of all tags of the job."""
        return self.done + len(self.waiting)

    def advance(self, actor: Actor) -> None:
        """Process the next batch. Raises `Refused` (BUSY) and then leaves all its tags waiting."""
        names = [TagName.parse(text) for text in self.waiting[:BATCH_SIZE]]
        outcome = rebasing.update_all(names, actor=actor)
        self.published += outcome.published
        self.skipped += [list(pair) for pair in outcome.skipped]
        self.waiting = self.waiting[BATCH_SIZE:]

    def save(self, session: Any) -> None:
        """Store the job in the session."""
        session[KEY] = asdict(self)


def forget_job(session: Any) -> None:
    """Remove the job from the session; published versions stay."""
    session.pop(KEY, None)
