"""Current kinds and new revisions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import Event, KindRevision, User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from tests.publishing import publish, yank
from tests.services.conftest import RunBeforeLock
from tests.services.kinds.schemas import with_max_cores, with_option, without_options

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


@pytest.mark.usefixtures("acme")
def test_new_revision_takes_effect_immediately(alice: User) -> None:
    old = publish("acme/board", BOARD)
    revision = kinds.revise_kind("llvm", with_max_cores(100), actor=Actor.operator(alice))
    assert revision is not None
    assert revision.number == 2
    with pytest.raises(Refused) as refused:
        publish("acme/other", BOARD | {"num-cores": 101})
    assert refused.value.faults[0].code == "VALUE_RANGE"
    assert old.checked_against.get(revision__kind__name="llvm").revision.number == 1


@pytest.mark.usefixtures("acme")
def test_revision_that_breaks_a_newest_version_is_rejected(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    with pytest.raises(Refused) as refused:
        kinds.revise_kind("llvm", with_max_cores(4000), actor=Actor.operator(alice))
    (fault,) = refused.value.faults
    assert fault.message == "acme/board@1.0.0 would be invalid: 5000 is not 4000 or less"
    assert kinds.find_kind("llvm").revision == 1


@pytest.mark.usefixtures("acme")
def test_revision_may_break_yanked_and_older_versions(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/board", BOARD)
    publish("acme/gone", BOARD | {"num-cores": 5000})
    yank("acme/gone@1.0.0")
    assert kinds.revise_kind("llvm", with_max_cores(4000), actor=Actor.operator(alice)) is not None


def test_name_of_the_body_schema_is_reserved(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        kinds.revise_kind("body", shipped_facts.kinds()["c"], actor=Actor.operator(alice))
    assert refused.value.code == Code.CONFLICT


def test_unchanged_schema_creates_no_revision(alice: User) -> None:
    before = KindRevision.objects.count()
    assert (
        kinds.revise_kind("llvm", shipped_facts.kinds()["llvm"], actor=Actor.operator(alice))
        is None
    )
    assert KindRevision.objects.count() == before


def test_invalid_schema_is_rejected(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        kinds.revise_kind(
            "bad", {"properties": {"x": {"$ref": "https://e.com/"}}}, actor=Actor.operator(alice)
        )
    assert refused.value.code == Code.BODY_INVALID
    assert len(refused.value.faults) >= 3
    assert "bad" not in kinds.current_kinds().kinds


def test_unknown_kind_has_suggestions() -> None:
    with pytest.raises(Refused) as refused:
        kinds.find_kind("lvm")
    assert (refused.value.code, refused.value.suggestions[0]) == (Code.KIND_UNKNOWN, "llvm")


def test_current_kinds_take_one_query() -> None:
    kinds.current_kinds()
    with CaptureQueriesContext(connection) as captured:
        kinds.current_kinds()
    assert len(captured) == 1


@pytest.mark.usefixtures("acme")
def test_option_moves_from_one_kind_to_another(alice: User) -> None:
    """Revising one kind alone would leave a mixin without a kind."""
    publish("acme/mixin", {"fast-math": True})
    llvm, c = shipped_facts.kinds()["llvm"], shipped_facts.kinds()["c"]
    option = llvm["properties"]["fast-math"]
    moved = {"llvm": without_options(llvm, "fast-math"), "c": with_option(c, "fast-math", **option)}
    with pytest.raises(Refused):
        kinds.revise_kind("llvm", moved["llvm"], actor=Actor.operator(alice))
    revisions = kinds.revise_kinds(moved, actor=Actor.operator(alice))
    assert [(revision.kind.name, revision.number) for revision in revisions] == [
        ("llvm", 2),
        ("c", 2),
    ]


@pytest.mark.usefixtures("acme")
def test_several_revisions_are_atomic(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    valid = shipped_facts.kinds()["c"] | {"description": "Ours."}
    before = Event.objects.count()
    with pytest.raises(Refused, match="of c, llvm was rejected"):
        kinds.revise_kinds({"c": valid, "llvm": with_max_cores(4000)}, actor=Actor.operator(alice))
    assert kinds.find_kind("c").revision == 1
    assert Event.objects.count() == before


def test_problems_of_several_kinds_are_reported_together(alice: User) -> None:
    invalid = {"type": "object"}
    with pytest.raises(Refused) as refused:
        kinds.revise_kinds({"c": invalid, "llvm": invalid}, actor=Actor.operator(alice))
    assert {fault.message.partition(":")[0] for fault in refused.value.faults} == {"c", "llvm"}


def test_unchanged_kinds_are_omitted(alice: User) -> None:
    both = {
        "llvm": shipped_facts.kinds()["llvm"],
        "c": shipped_facts.kinds()["c"] | {"description": "Ours."},
    }
    revisions = kinds.revise_kinds(both, actor=Actor.operator(alice))
    assert [revision.kind.name for revision in revisions] == ["c"]
    assert kinds.revise_kinds({}, actor=Actor.operator(alice)) == []


@pytest.mark.usefixtures("acme")
def test_concurrently_published_version_is_checked(
    alice: User, run_before_lock: RunBeforeLock
) -> None:
    run_before_lock(lambda: publish("acme/late", BOARD | {"num-cores": 5000}))
    with pytest.raises(Refused, match=r"acme/late@1\.0\.0"):
        kinds.revise_kind("llvm", with_max_cores(4000), actor=Actor.operator(alice))
