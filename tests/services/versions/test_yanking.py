"""Yanking and deprecating."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Event, User, Version, Withdrawal
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import yanking
from tests.publishing import publish, row_counts, yank

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


@pytest.mark.parametrize("verb", ["yank", "unyank"])
def test_refusal_names_what_was_tried(verb: str) -> None:
    publish("acme/board", BOARD)
    actor = Actor(User.objects.create_user("bob"))
    with pytest.raises(Refused, match=f"^bob may not {verb} in acme") as refused:
        getattr(yanking, verb)(Reference.parse("acme/board@1.0.0"), reason="x", actor=actor)
    assert refused.value.code == Code.FORBIDDEN


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


def machine(leaves: str) -> dict[str, Any]:
    """Return a target with a leaf for each capital letter; small ones change the build only."""
    board = {**BOARD, "mtriple": "x86_64-unknown-linux-gnu"}
    devices = [{**board, "mcpu": name} for name in leaves if name.isupper()]
    flow = {"link-params": True} if "l" in leaves else {}
    hardware = {"cores": 8} if "h" in leaves else {}
    return {"kind": "composite", "devices": devices, "flow": flow, "hardware": hardware}


# Versions are published in order; `-` yanks one, `+` makes it active again.
UNYANKED = [
    ("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.0.1 Ah", "+1.1.0"),  # a patch below
    ("1.0.0 A", "1.1.0 Al", "-1.0.0", "+1.0.0"),
    ("1.0.0 A", "1.1.0 AB", "1.2.0 ABC", "-1.1.0", "+1.1.0"),
    ("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.2.0 AC", "-1.2.0", "+1.1.0"),
    ("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.2.0 AC", "-1.2.0", "+1.2.0"),
    ("1.0.0 A", "2.0.0 B", "-1.0.0", "+1.0.0"),  # another MAJOR
    ("1.0.0 A", "-1.0.0", "2.0.0 B", "-2.0.0", "3.0.0 C", "+2.0.0", "+1.0.0"),
    ("1.0.0 A", "1.1.0 AA", "-1.0.0", "-1.1.0", "+1.1.0", "+1.0.0"),  # leaves are counted
]
NOT_UNYANKED = [
    (("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.2.0 AC", "+1.1.0"), ("1.1.0", "1.2.0")),
    (
        ("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.2.0 AC", "-1.2.0", "+1.1.0", "+1.2.0"),
        ("1.1.0", "1.2.0"),  # both were yanked when the other one was published or unyanked
    ),
    (
        ("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.2.0 AC", "-1.2.0", "+1.2.0", "+1.1.0"),
        ("1.1.0", "1.2.0"),
    ),
    (
        ("1.0.0 A", "1.1.0 AB", "-1.1.0", "1.2.0 AC", "-1.2.0", "1.3.0 ABC", "+1.1.0", "+1.2.0"),
        ("1.1.0", "1.2.0"),  # though the newest has the records of both
    ),
    (("1.0.0 A", "1.1.0 AA", "-1.1.0", "1.2.0 Al", "+1.1.0"), ("1.1.0", "1.2.0")),
]


def run(steps: Iterable[str], actor: User) -> None:
    """Publish versions of a tag, yank and unyank them; the numbers must be those of the steps."""
    for step in steps:
        if step[0] in "+-":
            call = yanking.yank if step[0] == "-" else yanking.unyank
            reference = Reference.parse(f"acme/board@{step[1:]}")
            call(reference, reason="as planned", actor=Actor.operator(actor))
        else:
            number, leaves = step.split()
            assert str(publish("acme/board", machine(leaves)).number) == number


@pytest.mark.parametrize("steps", UNYANKED, ids=" ".join)
def test_unyank_is_allowed_if_neighbours_by_number_keep_all_records(
    alice: User, steps: tuple[str, ...]
) -> None:
    run(steps, alice)


@pytest.mark.parametrize(("steps", "neighbours"), NOT_UNYANKED, ids=str)
def test_unyank_is_rejected_if_a_neighbour_by_number_would_lose_records(
    alice: User, steps: tuple[str, ...], neighbours: tuple[str, str]
) -> None:
    run(steps[:-1], alice)
    before = row_counts()
    with pytest.raises(Refused) as refused:
        run(steps[-1:], alice)
    lower, higher = neighbours
    assert refused.value.code == Code.CONFLICT
    assert refused.value.detail == (
        f"acme/board@{higher} does not keep all tuning records of acme/board@{lower}, as @1 "
        f"promises while both are active. Publish the body of acme/board@{steps[-1][1:]} again "
        "instead: it gets a number of its own."
    )
    assert row_counts() == before


def test_unyank_compares_leaves_without_a_key_too(alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"host": {"kind": "llvm"}})
    yank("acme/board@1.1.0")
    publish("acme/board", BOARD | {"host": {"kind": "llvm", "num-cores": 4}})
    with pytest.raises(Refused, match=r"1\.2\.0 does not keep all tuning records of .*1\.1\.0"):
        unyank("acme/board@1.1.0", alice)


def test_unyank_takes_as_many_queries_in_a_long_line(alice: User) -> None:
    counts = []
    for _ in range(2):
        for _ in range(4):
            publish("acme/board", BOARD | {"hardware": {"cores": Version.objects.count()}})
        yank("acme/board@1.0.1")
        with CaptureQueriesContext(connection) as captured:
            unyank("acme/board@1.0.1", alice)
        counts.append(len(captured))
    assert counts[0] == counts[1]


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
