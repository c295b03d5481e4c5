"""Kinds in force."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import Event, KindRevision, User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish, yank
from tests.services.conftest import Meanwhile
from tests.services.kinds.schemas import with_at_most, with_option, without

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


@pytest.mark.usefixtures("acme")
def test_new_revision_is_in_force_at_once(alice: User) -> None:
    old = publish("acme/board", BOARD)
    revision = kinds.revise_kind("llvm", with_at_most(100), actor=Actor.operator(alice))
    assert revision is not None
    assert revision.number == 2
    with pytest.raises(Refused) as refused:
        publish("acme/other", BOARD | {"num-cores": 101})
    assert refused.value.faults[0].code == "VALUE_RANGE"
    assert old.checked_against.get(revision__kind__name="llvm").revision.number == 1


@pytest.mark.usefixtures("acme")
def test_revision_that_breaks_a_newest_version_is_refused(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    with pytest.raises(Refused) as refused:
        kinds.revise_kind("llvm", with_at_most(4000), actor=Actor.operator(alice))
    (fault,) = refused.value.faults
    assert fault.message == "acme/board@1.0.0 would be invalid: 5000 is not 4000 or less"
    assert kinds.find_kind("llvm").revision == 1


@pytest.mark.usefixtures("acme")
def test_revision_may_break_what_is_yanked_or_has_a_newer_version(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/board", BOARD)
    publish("acme/gone", BOARD | {"num-cores": 5000})
    yank("acme/gone@1.0.0")
    assert kinds.revise_kind("llvm", with_at_most(4000), actor=Actor.operator(alice)) is not None


def test_name_of_the_schema_of_bodies_is_taken(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        kinds.revise_kind("body", shipped_facts.kinds()["c"], actor=Actor.operator(alice))
    assert refused.value.code == Code.CONFLICT


def test_same_schema_is_no_revision(alice: User) -> None:
    before = KindRevision.objects.count()
    assert (
        kinds.revise_kind("llvm", shipped_facts.kinds()["llvm"], actor=Actor.operator(alice))
        is None
    )
    assert KindRevision.objects.count() == before


def test_schema_that_cannot_describe_a_kind_is_refused(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        kinds.revise_kind(
            "bad", {"properties": {"x": {"$ref": "https://e.com/"}}}, actor=Actor.operator(alice)
        )
    assert refused.value.code == Code.BODY_INVALID
    assert len(refused.value.faults) >= 3
    assert "bad" not in kinds.current_kinds().kinds


def test_unknown_kind_draws_near_ones() -> None:
    with pytest.raises(Refused) as refused:
        kinds.find_kind("lvm")
    assert (refused.value.code, refused.value.suggestions[0]) == (Code.KIND_UNKNOWN, "llvm")


def test_kinds_in_force_are_one_query() -> None:
    kinds.current_kinds()
    with CaptureQueriesContext(connection) as captured:
        kinds.current_kinds()
    assert len(captured) == 1


@pytest.mark.usefixtures("acme")
def test_option_moves_from_one_kind_to_another(alice: User) -> None:
    """One after the other, the first would leave a mixin without a kind."""
    publish("acme/mixin", {"fast-math": True})
    llvm, c = shipped_facts.kinds()["llvm"], shipped_facts.kinds()["c"]
    option = llvm["properties"]["fast-math"]
    moved = {"llvm": without(llvm, "fast-math"), "c": with_option(c, "fast-math", **option)}
    with pytest.raises(Refused):
        kinds.revise_kind("llvm", moved["llvm"], actor=Actor.operator(alice))
    made = kinds.revise_kinds(moved, actor=Actor.operator(alice))
    assert [(each.kind.name, each.number) for each in made] == [("llvm", 2), ("c", 2)]


@pytest.mark.usefixtures("acme")
def test_of_several_revisions_all_are_made_or_none(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    fine = shipped_facts.kinds()["c"] | {"description": "Ours."}
    before = Event.objects.count()
    with pytest.raises(Refused, match="of c, llvm is not accepted"):
        kinds.revise_kinds({"c": fine, "llvm": with_at_most(4000)}, actor=Actor.operator(alice))
    assert kinds.find_kind("c").revision == 1
    assert Event.objects.count() == before


def test_problems_of_several_are_told_together(alice: User) -> None:
    bad = {"type": "object"}
    with pytest.raises(Refused) as refused:
        kinds.revise_kinds({"c": bad, "llvm": bad}, actor=Actor.operator(alice))
    assert {fault.message.partition(":")[0] for fault in refused.value.faults} == {"c", "llvm"}


def test_of_several_those_in_force_are_left_out(alice: User) -> None:
    both = {
        "llvm": shipped_facts.kinds()["llvm"],
        "c": shipped_facts.kinds()["c"] | {"description": "Ours."},
    }
    assert [each.kind.name for each in kinds.revise_kinds(both, actor=Actor.operator(alice))] == [
        "c"
    ]
    assert kinds.revise_kinds({}, actor=Actor.operator(alice)) == []


@pytest.mark.usefixtures("acme")
def test_what_somebody_publishes_meanwhile_is_looked_at_too(
    alice: User, meanwhile: Meanwhile
) -> None:
    meanwhile(lambda: publish("acme/late", BOARD | {"num-cores": 5000}))
    with pytest.raises(Refused, match=r"acme/late@1\.0\.0"):
        kinds.revise_kind("llvm", with_at_most(4000), actor=Actor.operator(alice))
