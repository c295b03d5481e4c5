"""Yanking and deprecating."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Event, User, Withdrawal
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def unyank(reference: str, actor: User) -> Withdrawal:
    return yanking.unyank(
        Reference.parse(reference), reason="was right", actor=Actor.operator(actor)
    )


def test_yank_and_unyank_write_rows_and_events(alice: User) -> None:
    version = publish("acme/board", BOARD)
    yank("acme/board@1.0.0")
    unyank("acme/board@1.0.0", alice)
    yank("acme/board@1.0.0")
    rows = version.withdrawals.order_by("sequence").values_list("sequence", "yanked")
    assert list(rows) == [(1, True), (2, False), (3, True)]
    actions = Event.objects.order_by("-number").values_list("action", flat=True)[:3]
    assert list(actions) == ["version.yanked", "version.unyanked", "version.yanked"]


@pytest.mark.parametrize("reason", ["", "  ", "bell \x07", "two\nlines", "\u202ex", "x" * 501])
def test_reason_is_required(alice: User, reason: str) -> None:
    publish("acme/board", BOARD)
    with pytest.raises(Refused) as refused:
        yanking.yank(
            Reference.parse("acme/board@1.0.0"), reason=reason, actor=Actor.operator(alice)
        )
    assert refused.value.code == Code.REQUEST_INVALID
    assert refused.value.faults[0].pointer == "/reason"
    assert not Withdrawal.objects.exists()


def test_reason_is_stripped(alice: User) -> None:
    publish("acme/board", BOARD)
    yank("acme/board@1.0.0", " wrong figures \n")
    assert Withdrawal.objects.get().reason == "wrong figures"


def test_returned_withdrawal_needs_no_query(alice: User) -> None:
    publish("acme/board", BOARD)
    reference = Reference.parse("acme/board@1.0.0")
    withdrawal = yanking.yank(reference, reason="wrong figures", actor=Actor.operator(alice))
    with CaptureQueriesContext(connection) as captured:
        assert (withdrawal.version.exact, withdrawal.actor) == ("acme/board@1.0.0", alice)
    assert not captured


@pytest.mark.parametrize(
    "reference", ["acme/board", "acme/board@1", "acme/board@1.0", "acme/board@sha256:" + "0" * 64]
)
def test_reference_without_a_full_number_is_rejected(reference: str) -> None:
    publish("acme/board", BOARD)
    with pytest.raises(Refused) as refused:
        yank(reference)
    assert refused.value.code == Code.REFERENCE_INVALID


def test_yanking_twice_is_a_conflict(alice: User) -> None:
    publish("acme/board", BOARD)
    with pytest.raises(Refused) as refused:
        unyank("acme/board@1.0.0", alice)
    assert refused.value.code == Code.CONFLICT
    yank("acme/board@1.0.0")
    with pytest.raises(Refused) as refused:
        yank("acme/board@1.0.0")
    assert refused.value.code == Code.CONFLICT


def test_unyank_is_rejected_if_a_later_version_of_the_major_lacks_a_key(alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"host": {"kind": "c"}})
    yank("acme/board@1.1.0")
    publish("acme/board", BOARD | {"runtime": "cpp"})
    with pytest.raises(Refused) as refused:
        unyank("acme/board@1.1.0", alice)
    assert refused.value.code == Code.CONFLICT
    assert "acme/board@1.2.0" in refused.value.detail


def test_unyank_is_rejected_if_a_later_version_changed_a_leaf_without_a_key(alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"host": {"kind": "cuda"}})
    yank("acme/board@1.1.0")
    publish("acme/board", BOARD | {"host": {"kind": "cuda", "max_num_threads": 256}})
    with pytest.raises(Refused) as refused:
        unyank("acme/board@1.1.0", alice)
    assert refused.value.code == Code.CONFLICT
    assert "acme/board@1.2.0" in refused.value.detail


def test_deprecation_of_unknown_tags_is_rejected(alice: User) -> None:
    publish("acme/board", BOARD)
    board, other = Tag.parse("acme/board"), Tag.parse("acme/bord")
    for call in (
        lambda: deprecation.deprecate(other, reason="x", actor=Actor.operator(alice)),
        lambda: deprecation.deprecate(
            board, reason="x", actor=Actor.operator(alice), successor=other
        ),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.code == Code.TAG_UNKNOWN
        assert "acme/board" in refused.value.suggestions


def test_deprecating_twice_is_a_conflict(alice: User) -> None:
    publish("acme/board", BOARD)
    board = Tag.parse("acme/board")
    with pytest.raises(Refused, match="not deprecated"):
        deprecation.undeprecate(board, reason="x", actor=Actor.operator(alice))
    with pytest.raises(Refused, match="own successor"):
        deprecation.deprecate(board, reason="x", actor=Actor.operator(alice), successor=board)
    deprecation.deprecate(board, reason="x", actor=Actor.operator(alice))
    with pytest.raises(Refused, match="already"):
        deprecation.deprecate(board, reason="x", actor=Actor.operator(alice))


def test_unyank_that_would_close_a_cycle_is_rejected(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    publish("acme/a", {"tag": "acme/b"})
    yank("acme/a@1.0.1")
    publish("acme/b", {"tag": "acme/a", "runtime": "cpp"})
    with pytest.raises(Refused) as refused:
        unyank("acme/a@1.0.1", alice)
    assert refused.value.code == Code.CYCLE
    assert Withdrawal.objects.count() == 1


def test_yank_and_deprecation_through_an_alias_are_rejected(alice: User) -> None:
    """Otherwise, permission to point aliases in one namespace would extend to all others."""
    publish("acme/board", BOARD)
    aliases.point_alias("acme/alias", Reference.parse("acme/board"), actor=Actor.operator(alice))
    aliases.point_alias(
        "acme/first", Reference.parse("acme/board@1.0.0"), actor=Actor.operator(alice)
    )
    alias, board = Tag.parse("acme/alias"), Tag.parse("acme/board")
    before = Event.objects.count()
    for call in (
        lambda: yank("acme/alias@1.0.0"),
        lambda: yank("acme/first@1.0.0"),
        lambda: unyank("acme/alias@1.0.0", alice),
        lambda: deprecation.deprecate(alias, reason="x", actor=Actor.operator(alice)),
        lambda: deprecation.undeprecate(alias, reason="x", actor=Actor.operator(alice)),
        lambda: deprecation.deprecate(
            board, reason="x", actor=Actor.operator(alice), successor=alias
        ),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.code == Code.CONFLICT
        assert refused.value.suggestions == ("acme/board",)
    assert Event.objects.count() == before
