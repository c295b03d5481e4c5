"""Dry runs: the result of publishing a body, or the errors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.diff import Change
from registry.domain.errors import Fault, Refused
from registry.domain.importing import Imported, Note
from registry.services.versions.drafting import Draft
from registry.services.versions.impact import Impact
from registry.services.versions.near_duplicates import NearDuplicate

IMPACT, NEAR, BODY = "impact", "near", "body"  # members that stand only where they are asked for


@dataclass(frozen=True, slots=True)
class DryRun:
    """A draft or an error, with the extras that the request includes.

    `imported` is what an importer made of another description. What is included is null where the
    body is refused.
    """

    draft: Draft | None = None
    refusal: Refused | None = None
    lints: Sequence[Fault] = ()
    imported: Imported | None = None
    include: Collection[str] = ()
    impact: Impact | None = None
    near: Sequence[NearDuplicate] | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the body can be published."""
        return self.draft is not None

    @property
    def errors(self) -> tuple[Fault, ...]:
        """Every fault of the body."""
        return self.refusal.errors if self.refusal else ()

    @property
    def diff(self) -> tuple[Change, ...]:
        """The leaves that differ from the version compared with."""
        return self.draft.diff if self.draft else ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the importer left out or moved."""
        return self.imported.notes if self.imported else ()

    @property
    def body(self) -> dict[str, Any] | None:
        """The body that the importer made."""
        return self.imported.body if self.imported else None

    @property
    def left_out(self) -> set[str]:
        """The members that the answer does not have."""
        asked = {*self.include, BODY} if self.imported else {*self.include}
        return {IMPACT, NEAR, BODY} - asked
