"""Drafts: what somebody has typed and not submitted yet, right or wrong. Theirs alone, no event."""

from __future__ import annotations

import json
from collections.abc import Mapping
from uuid import UUID

from registry.domain.errors import Code, Refused
from registry.models import Proposal, SavedDraft, User
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import authorized_write

MAX_DRAFT_SIZE = (
    512 * 1024
)  # bytes as JSON: a body of 64 KiB, escaped, with its text as it was pasted
MAX_DRAFTS = 100  # of one account: who has more can drop some
Typed = Mapping[str, list[str]]  # a form's fields as they were typed


def save_draft(
    typed: Typed,
    *,
    actor: Actor | None,
    tag: str,
    key: UUID | None = None,
    seen: int = 0,
    proposal: Proposal | None = None,
) -> SavedDraft:
    """Keep what was typed: as a new draft, or in place of the draft `key` as it was `seen`.

    Where that has been saved elsewhere meanwhile, in another tab, this becomes a draft of its own:
    neither is lost. Raises `Refused`: TOO_LARGE, CONFLICT for too many drafts.
    """
    permission = permissions.require_own(actor, Action.SAVE_DRAFT)
    owner = permission.user
    text = json.dumps(typed, ensure_ascii=False, sort_keys=True)
    if len(text.encode()) > MAX_DRAFT_SIZE:
        raise Refused(Code.TOO_LARGE, f"A draft has at most {MAX_DRAFT_SIZE} bytes.")
    with authorized_write(permission):
        held = SavedDraft.objects.filter(pk=key, owner=owner).first() if key else None
        if held and (held.saves == seen or held.typed == text):
            held.tag, held.typed, held.saves = tag, text, held.saves + 1
            held.save()
            return held
        if SavedDraft.objects.filter(owner=owner).count() >= MAX_DRAFTS:
            raise Refused(
                Code.CONFLICT, f"{owner} has {MAX_DRAFTS} drafts; drop one to keep another."
            )
        return SavedDraft.objects.create(owner=owner, tag=tag, typed=text, proposal=proposal)


def find_draft(key: UUID, *, owner: User) -> SavedDraft:
    """One's own draft. Raises `Refused` (DRAFT_UNKNOWN), also for somebody else's."""
    found = SavedDraft.objects.select_related("proposal").filter(pk=key, owner=owner).first()
    if found is None:
        raise Refused(Code.DRAFT_UNKNOWN, "You have no such draft; it may be submitted already.")
    return found


def draft_fields(draft: SavedDraft) -> dict[str, list[str]]:
    """What was typed into a draft's form."""
    found: dict[str, list[str]] = json.loads(draft.typed)
    return found


def delete_draft(key: UUID, *, actor: Actor | None) -> None:
    """Throw a draft away; one that is not there is gone already."""
    permission = permissions.require_own(actor, Action.SAVE_DRAFT)
    with authorized_write(permission):
        SavedDraft.objects.filter(pk=key, owner=permission.user).delete()
