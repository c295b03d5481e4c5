"""Second thoughts."""

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Event, User, Withdrawal
from registry.services import withdrawing
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def unyank(reference: str, actor: User) -> Withdrawal:
    return withdrawing.unyank(Reference.parse(reference), reason="was right", actor=actor)


def test_yank_and_unyank_are_rows_and_events(alice: User) -> None:
    version = publish("acme/board", BOARD)
    yank("acme/board@1.0.0")
    unyank("acme/board@1.0.0", alice)
    yank("acme/board@1.0.0")
    rows = version.withdrawals.order_by("sequence").values_list("sequence", "yanked")
    assert list(rows) == [(1, True), (2, False), (3, True)]
    actions = Event.objects.order_by("-number").values_list("action", flat=True)[:3]
    assert list(actions) == ["version.yanked", "version.unyanked", "version.yanked"]


@pytest.mark.parametrize("reason", ["", "  ", "bell \x07", "x" * 501])
def test_reason_is_needed(alice: User, reason: str) -> None:
    publish("acme/board", BOARD)
    with pytest.raises(Refused) as refused:
        withdrawing.yank(Reference.parse("acme/board@1.0.0"), reason=reason, actor=alice)
    assert refused.value.code == Code.REQUEST_INVALID
    assert refused.value.faults[0].pointer == "/reason"
    assert not Withdrawal.objects.exists()


@pytest.mark.parametrize("reference", ["acme/board", "acme/board@1", "acme/board@1.0"])
def test_floating_reference_names_nothing_to_yank(reference: str) -> None:
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


def test_unyank_is_refused_where_a_later_version_of_the_major_lacks_a_key(alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"host": {"kind": "c"}})
    yank("acme/board@1.1.0")
    publish("acme/board", BOARD | {"runtime": "cpp"})
    with pytest.raises(Refused) as refused:
        unyank("acme/board@1.1.0", alice)
    assert refused.value.code == Code.CONFLICT
    assert "acme/board@1.2.0" in refused.value.detail


def test_deprecation_names_known_tags_only(alice: User) -> None:
    publish("acme/board", BOARD)
    board, other = Tag.parse("acme/board"), Tag.parse("acme/bord")
    for call in (
        lambda: withdrawing.deprecate(other, reason="x", actor=alice),
        lambda: withdrawing.deprecate(board, reason="x", actor=alice, successor=other),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.code == Code.TAG_UNKNOWN
        assert "acme/board" in refused.value.suggestions


def test_deprecation_in_conflict(alice: User) -> None:
    publish("acme/board", BOARD)
    board = Tag.parse("acme/board")
    with pytest.raises(Refused, match="not deprecated"):
        withdrawing.undeprecate(board, reason="x", actor=alice)
    with pytest.raises(Refused, match="succeed itself"):
        withdrawing.deprecate(board, reason="x", actor=alice, successor=board)
    withdrawing.deprecate(board, reason="x", actor=alice)
    with pytest.raises(Refused, match="already"):
        withdrawing.deprecate(board, reason="x", actor=alice)


def test_unyank_that_would_make_a_tag_from_itself_is_refused(alice: User) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    publish("acme/a", {"tag": "acme/b"})
    yank("acme/a@1.0.1")
    publish("acme/b", {"tag": "acme/a", "runtime": "cpp"})
    with pytest.raises(Refused) as refused:
        unyank("acme/a@1.0.1", alice)
    assert refused.value.code == Code.CYCLE
    assert Withdrawal.objects.count() == 1
