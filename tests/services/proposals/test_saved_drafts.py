"""Saved drafts are stored as typed, private, and safe from other tabs."""

from uuid import uuid4

import pytest

from registry.domain.errors import Code, Refused
from registry.models import Event, SavedDraft, User
from registry.services.core.permissions import Actor
from registry.services.proposals import saved_drafts

HALF = {"target": ['{"kind": "ll']}
pytestmark = pytest.mark.usefixtures("acme")


def test_invalid_input_is_saved_as_typed(alice: User) -> None:
    before = Event.objects.count()
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    assert saved_drafts.draft_fields(saved_drafts.find_draft(made.key, owner=alice)) == HALF
    assert Event.objects.count() == before  # nobody else's business


def test_saving_again_replaces_the_draft(alice: User) -> None:
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    more = {"target": ['{"kind": "llvm"}']}
    again = saved_drafts.save_draft(
        more, actor=Actor.operator(alice), tag="acme/board", key=made.key, seen=made.saves
    )
    assert (again.key, again.saves, again.tag) == (made.key, 2, "acme/board")
    assert SavedDraft.objects.count() == 1


def test_two_tabs_save_two_drafts(alice: User) -> None:
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    one, two = {"target": ["1"]}, {"target": ["2"]}
    saved_drafts.save_draft(one, actor=Actor.operator(alice), tag="acme/b", key=made.key, seen=1)
    other = saved_drafts.save_draft(
        two, actor=Actor.operator(alice), tag="acme/b", key=made.key, seen=1
    )
    assert other.key != made.key
    assert [
        saved_drafts.draft_fields(each)
        for each in (saved_drafts.find_draft(made.key, owner=alice), other)
    ] == [
        one,
        two,
    ]


def test_same_text_saved_twice_is_one_draft(alice: User) -> None:
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    for _ in range(2):
        saved_drafts.save_draft(
            HALF, actor=Actor.operator(alice), tag="acme/b", key=made.key, seen=0
        )
    assert SavedDraft.objects.count() == 1


def test_draft_of_another_user_is_unknown(alice: User) -> None:
    bob = User.objects.create_user("bob")
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    for key in (made.key, uuid4()):
        with pytest.raises(Refused) as refused:
            saved_drafts.find_draft(key, owner=bob)
        assert refused.value.code == Code.DRAFT_UNKNOWN
    saved_drafts.save_draft(
        {"target": ["x"]}, actor=Actor.operator(bob), tag="", key=made.key, seen=1
    )
    saved_drafts.delete_draft(made.key, actor=Actor.operator(bob))
    assert saved_drafts.draft_fields(saved_drafts.find_draft(made.key, owner=alice)) == HALF


def test_deleted_draft_is_gone(alice: User) -> None:
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    for _ in range(2):
        saved_drafts.delete_draft(made.key, actor=Actor.operator(alice))
    assert not SavedDraft.objects.exists()


def test_size_and_number_are_limited(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused) as refused:
        saved_drafts.save_draft(
            {"target": ["x" * saved_drafts.MAX_DRAFT_SIZE]}, actor=Actor.operator(alice), tag=""
        )
    assert refused.value.code == Code.TOO_LARGE
    monkeypatch.setattr(saved_drafts, "MAX_DRAFTS", 1)
    made = saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    with pytest.raises(Refused) as refused:
        saved_drafts.save_draft(HALF, actor=Actor.operator(alice), tag="acme/b")
    assert refused.value.code == Code.CONFLICT
    saved_drafts.save_draft(
        {"target": ["y"]}, actor=Actor.operator(alice), tag="acme/b", key=made.key, seen=1
    )
