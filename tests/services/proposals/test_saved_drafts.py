"""Saved drafts keep unvalidated input, are private, and survive other tabs."""

from uuid import uuid4

import pytest

from registry.domain.errors import Code, Refused
from registry.models import Event, SavedDraft, User
from registry.services.core.permissions import Actor
from registry.services.proposals import saved_drafts

INCOMPLETE = {"target": ['{"kind": "ll']}
pytestmark = pytest.mark.usefixtures("acme")


def test_invalid_input_is_saved_unchanged(alice: User) -> None:
    before = Event.objects.count()
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    assert saved_drafts.draft_fields(saved_drafts.find_draft(draft.key, owner=alice)) == INCOMPLETE
    assert Event.objects.count() == before


def test_saving_again_replaces_the_draft(alice: User) -> None:
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    changed = {"target": ['{"kind": "llvm"}']}
    saved = saved_drafts.save_draft(
        changed, actor=Actor.operator(alice), tag="acme/board", key=draft.key, seen=draft.saves
    )
    assert (saved.key, saved.saves, saved.tag) == (draft.key, 2, "acme/board")
    assert SavedDraft.objects.count() == 1


def test_two_tabs_save_two_drafts(alice: User) -> None:
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    one, two = {"target": ["1"]}, {"target": ["2"]}
    saved_drafts.save_draft(one, actor=Actor.operator(alice), tag="acme/b", key=draft.key, seen=1)
    other = saved_drafts.save_draft(
        two, actor=Actor.operator(alice), tag="acme/b", key=draft.key, seen=1
    )
    assert other.key != draft.key
    drafts = (saved_drafts.find_draft(draft.key, owner=alice), other)
    assert [saved_drafts.draft_fields(saved) for saved in drafts] == [one, two]


def test_same_input_saved_twice_is_one_draft(alice: User) -> None:
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    for _ in range(2):
        saved_drafts.save_draft(
            INCOMPLETE, actor=Actor.operator(alice), tag="acme/b", key=draft.key, seen=0
        )
    assert SavedDraft.objects.count() == 1


def test_draft_of_another_user_is_unknown(alice: User) -> None:
    bob = User.objects.create_user("bob")
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    for key in (draft.key, uuid4()):
        with pytest.raises(Refused) as refused:
            saved_drafts.find_draft(key, owner=bob)
        assert refused.value.code == Code.DRAFT_UNKNOWN
    saved_drafts.save_draft(
        {"target": ["x"]}, actor=Actor.operator(bob), tag="", key=draft.key, seen=1
    )
    saved_drafts.delete_draft(draft.key, actor=Actor.operator(bob))
    assert saved_drafts.draft_fields(saved_drafts.find_draft(draft.key, owner=alice)) == INCOMPLETE


def test_draft_is_deleted(alice: User) -> None:
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    for _ in range(2):
        saved_drafts.delete_draft(draft.key, actor=Actor.operator(alice))
    assert not SavedDraft.objects.exists()


def test_size_and_number_are_limited(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused) as refused:
        saved_drafts.save_draft(
            {"target": ["x" * saved_drafts.MAX_DRAFT_SIZE]}, actor=Actor.operator(alice), tag=""
        )
    assert refused.value.code == Code.TOO_LARGE
    monkeypatch.setattr(saved_drafts, "MAX_DRAFTS", 1)
    draft = saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    with pytest.raises(Refused) as refused:
        saved_drafts.save_draft(INCOMPLETE, actor=Actor.operator(alice), tag="acme/b")
    assert refused.value.code == Code.CONFLICT
    saved_drafts.save_draft(
        {"target": ["y"]}, actor=Actor.operator(alice), tag="acme/b", key=draft.key, seen=1
    )
