"""Dry runs: the result of publishing a body, or the errors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.checks.target_notes import target_notes
from registry.domain.diff import Change
from registry.domain.errors import Fault, Refused
from registry.domain.importing import Imported, Note
from registry.services.versions.drafting import Draft
from registry.services.versions.impact import Impact
from registry.services.versions.near_duplicates import NearDuplicate

IMPACT, NEAR, TUNING, BODY = "impact", "near", "tuning", "body"  # optional members


@dataclass(frozen=True, slots=True)
class DryRun:
    """A draft or an error, with the extras that the request includes.

    `imported` is the body that an importer converted. Extras are null if the body is invalid.
    """

    draft: Draft | None = None
    refusal: Refused | None = None
    lints: Sequence[Fault] = ()
    imported: Imported | None = None
    include: Collection[str] = ()
    impact: Impact | None = None
    near: Sequence[NearDuplicate] | None = None
    tuning: Mapping[str, dict[str, Any]] | None = None

    @property
    def is_valid(self) -> bool:
        """True if the body can be published."""
        return self.draft is not None

    @property
    def errors(self) -> tuple[Fault, ...]:
        """Every fault of the body."""
        return self.refusal.errors if self.refusal else ()

    @property
    def diff(self) -> tuple[Change, ...]:
        """The leaves that differ from the newest version."""
        return self.draft.diff if self.draft else ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the importer, then those on the target."""
        imported = self.imported.notes if self.imported else ()
        target = self.draft.resolution.target if self.draft else {}
        return (*imported, *target_notes(target))

    @property
    def body(self) -> dict[str, Any] | None:
        """The body from the importer, if any."""
        return self.imported.body if self.imported else None

    @property
    def omitted_members(self) -> set[str]:
        """The optional members that the response does not have."""
        included = {*self.include, BODY} if self.imported else {*self.include}
        return {IMPACT, NEAR, TUNING, BODY} - included
