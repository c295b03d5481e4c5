"""Loads the shipped kinds, except those that others have revised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from registry.domain.errors import TEMPORARY_CODES, Refused
from registry.models import Kind, KindRevision
from registry.services.catalogue.load_run import CatalogueItem, CatalogueLoad, adopt_hint
from registry.services.core import redaction_marks, shipped_facts
from registry.services.kinds import kinds

Schemas = Mapping[str, Mapping[str, Any]]


def load_kinds(loading: CatalogueLoad) -> None:
    """Revise the kinds that differ from the catalogue, together; skip those that others revised.

    Raises `Refused` if a kind to adopt cannot be revised.
    """
    pending: dict[str, Mapping[str, Any]] = {}
    newest_revisions = _newest_revisions()
    redacted = redaction_marks.redacted_rows(KindRevision._meta.label_lower)
    for name, schema in shipped_facts.kinds().items():
        newest = newest_revisions.get(name)
        if newest and newest.digest == kinds.schema_digest(schema):
            continue
        if newest is None or loading.should_adopt(name):
            pending[name] = schema
        elif newest.pk in redacted:
            reason = _skip_reason(newest, "was redacted")
            loading.skip(name, reason, *_notes(loading, {name: schema}))
        elif newest.author_id != loading.account.pk:
            state = f"was made by {newest.author}; {_shipped_as(newest.kind, schema)}"
            reason = _skip_reason(newest, state)
            loading.skip(name, reason, *_notes(loading, {name: schema}))
        else:
            pending[name] = schema
    _revise(loading, pending)


def _newest_revisions() -> dict[str, KindRevision]:
    newest = KindRevision.objects.newest().select_related("kind", "author").defer("source")
    return {revision.kind.name: revision for revision in newest}


def _skip_reason(newest: KindRevision, state: str) -> str:
    name, number = newest.kind.name, newest.number
    effect = f"makes the shipped schema revision {number + 1}"
    return f"Revision {number} of the kind {name} {state}. {adopt_hint(name, effect)}"


def _shipped_as(kind: Kind, schema: Mapping[str, Any]) -> str:
    """Return a clause that says whether the shipped schema was ever in force."""
    same = kind.revisions.filter(digest=kinds.schema_digest(schema)).order_by("-number").first()
    return f"the shipped schema was {f'revision {same.number}' if same else 'never in force'}"


def _revise(loading: CatalogueLoad, pending: Schemas) -> None:
    """Revise all kinds together; if that fails, one by one."""
    notes = {name: _notes(loading, {name: schema}) for name, schema in pending.items()}
    refused = _revise_together(loading, pending, notes)
    progress = len(pending) > 1
    while refused and progress:  # one may depend on another, if an option moves
        left: dict[str, Refused] = {}
        for name in refused:
            left |= _revise_together(loading, {name: pending[name]}, notes)
        progress = len(left) < len(refused)
        refused = left
    for name, refusal in refused.items():
        loading.skip_or_raise(
            name,
            refusal,
            f"The kind {name} was not revised. {refusal.detail} Publish versions that are valid "
            "under both schemas, or yank those that are not, then load again.",
        )


def _revise_together(
    loading: CatalogueLoad, schemas: Schemas, notes: Mapping[str, tuple[str, ...]]
) -> dict[str, Refused]:
    """Revise some kinds together; return the error of each if that fails."""
    if not schemas:
        return {}
    try:
        revisions = kinds.revise_kinds(schemas, actor=loading.actor)
    except Refused as refusal:
        if refusal.code in TEMPORARY_CODES:
            raise
        return dict.fromkeys(schemas, refusal)
    for revision in revisions:
        name = revision.kind.name
        loading.add_change(CatalogueItem.KIND, f"{name}, revision {revision.number}", *notes[name])
    return {}


def _notes(loading: CatalogueLoad, schemas: Schemas) -> tuple[str, ...]:
    """Return previews of the revisions of existing kinds, if the load is a plan."""
    if not loading.is_plan:
        return ()
    previews = kinds.preview_revisions(schemas).values()
    return tuple(
        line for preview in previews if preview.current_number for line in preview.sentences
    )
