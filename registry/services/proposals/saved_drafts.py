"""Saved drafts: unsubmitted form data, which is private and leaves no events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from uuid import UUID

from registry.domain.errors import Code, Refused
from registry.models import Proposal, SavedDraft, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write

MAX_DRAFT_SIZE = 512 * 1024  # bytes of JSON; a body of 64 KiB may be escaped and stored twice
MAX_DRAFTS = 100  # of one account
FormData = Mapping[str, list[str]]  # the values of each field, unvalidated


def save_draft(
    form_data: FormData,
    *,
    actor: Actor | None,
    tag: str,
    key: UUID | None = None,
    seen: int = 0,
    proposal: Proposal | None = None,
) -> SavedDraft:
    """Save form fields as a new draft, or over the draft `key` if it is still as `seen`.

    If another tab has saved that draft meanwhile, a new one is created, so nothing is lost.
    Raises `Refused`: TOO_LARGE, CONFLICT if the account has too many drafts.
    """
    permission = permissions.require_own(actor, Action.SAVE_DRAFT)
    owner = permission.user
    text = json.dumps(form_data, ensure_ascii=False, sort_keys=True)
    if len(text.encode()) > MAX_DRAFT_SIZE:
        raise Refused(Code.TOO_LARGE, f"A draft has at most {MAX_DRAFT_SIZE} bytes.")
    with authorized_write(permission):
        draft = SavedDraft.objects.filter(pk=key, owner=owner).first() if key else None
        if draft and (draft.saves == seen or draft.form_data == text):
            draft.tag, draft.form_data, draft.saves = tag, text, draft.saves + 1
            draft.save()
            return draft
        if SavedDraft.objects.filter(owner=owner).count() >= MAX_DRAFTS:
            raise Refused(
                Code.CONFLICT, f"{owner} already has {MAX_DRAFTS} drafts; delete one first."
            )
        return SavedDraft.objects.create(owner=owner, tag=tag, form_data=text, proposal=proposal)


def find_draft(key: UUID, *, owner: User) -> SavedDraft:
    """Return the owner's draft. Raises `Refused` (DRAFT_UNKNOWN), also for other owners' drafts."""
    draft = SavedDraft.objects.select_related("proposal").filter(pk=key, owner=owner).first()
    if draft is None:
        raise Refused(Code.DRAFT_UNKNOWN, "You have no such draft; it may have been submitted.")
    return draft


def draft_fields(draft: SavedDraft) -> dict[str, list[str]]:
    """Return the form data of a draft."""
    form_data: dict[str, list[str]] = json.loads(draft.form_data)
    return form_data


def delete_draft(key: UUID, *, actor: Actor | None) -> None:
    """Delete a draft if it exists."""
    permission = permissions.require_own(actor, Action.SAVE_DRAFT)
    with authorized_write(permission):
        SavedDraft.objects.filter(pk=key, owner=permission.user).delete()
