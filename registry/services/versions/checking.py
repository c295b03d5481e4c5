"""Dry runs of publishing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain import detection
from registry.domain.detection import read_source
from registry.domain.document import Json, canonical
from registry.domain.errors import Code, Refused, echo
from registry.domain.formats.tuning import MAX_PREIMAGES
from registry.domain.importers import IMPORTERS
from registry.domain.importing import Imported, Importer
from registry.domain.keys.tuning import preimages
from registry.domain.names.near_names import nearest_first
from registry.domain.reference import Tag as TagName
from registry.models import Version
from registry.services.event_log.appending import last_event_number
from registry.services.kinds import kinds
from registry.services.versions import tag_names
from registry.services.versions.drafting import Draft, create_draft, versions_of


@dataclass(frozen=True, slots=True)
class CheckedBody:
    """A draft that can be published or proposed without computing it again.

    `history` holds the tag's versions, `seen` the number of the last event, at the time.
    """

    draft: Draft
    history: Sequence[Version]
    seen: int

    def matches(self, tag: TagName, source: str) -> bool:
        """Return whether this is the draft of a body and tag."""
        return (self.draft.tag, self.draft.source) == (tag, source)


def check(tag: TagName, source: str, *, is_family: bool | None = None) -> Draft:
    """Return the draft of a body as the tag's next version.

    `is_family` is whether the tag will be a family; None for what it is now.
    The namespace need not exist, so that newcomers can check a body before they request one.
    Raises `Refused` with the faults of the first stage that finds any, or CONFLICT for an alias.
    """
    tag_names.find_tag(tag)
    return create_draft(source, tag, versions_of(tag), is_family=is_family)


def check_for_writing(tag: TagName, source: str) -> CheckedBody:
    """Return the draft of `check`, for publishing or proposing.

    Takes one more query than `check`. Raises `Refused` as `check` does.
    """
    seen = last_event_number()
    tag_names.find_tag(tag)
    history = versions_of(tag)
    return CheckedBody(create_draft(source, tag, history), history, seen)


def find_preimages(draft: Draft) -> Mapping[str, dict[str, Any]] | None:
    """Return what each tuning key digests, by the leaf's pointer.

    None if that is more than the format `tuning` would write.
    """
    by_leaf = preimages(draft.resolution.target, draft.current.kinds)
    size = sum(len(canonical(preimage)) for preimage in by_leaf.values())
    return by_leaf if size <= MAX_PREIMAGES else None


def find_importer(name: str) -> Importer:
    """Return an importer by name. Raises `Refused` (FORMAT_UNKNOWN), which lists the importers."""
    if name not in IMPORTERS:
        names = nearest_first(name, IMPORTERS)
        detail = f"There is no importer {echo(name)}; available: {', '.join(names)}."
        raise Refused(Code.FORMAT_UNKNOWN, detail, suggestions=names)
    return IMPORTERS[name]


def import_source(importer: Importer, source: Json) -> Imported:
    """Convert another description of a target into a body, which is not checked yet.

    Raises `Refused` with pointers into the source, and the importer that the source looks like.
    """
    return read_source(importer, source, kinds.current_kinds().kinds)


def detect_importer(source: Json) -> Importer:
    """Return the importer that a description looks like: a command line of TVM if none other."""
    name = detection.detect_importer(source, kinds.current_kinds().kinds)
    return IMPORTERS[name or detection.TVM_STRING]
