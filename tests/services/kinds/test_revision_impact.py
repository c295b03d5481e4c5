"""What a schema would do, before it does."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Refused
from registry.models import Event, KindRevision, User, VersionKind
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds, revision_impact
from registry.services.kinds.revision_impact import RevisionEffects
from tests.publishing import publish
from tests.services.kinds.schemas import with_at_most, with_option, without

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def examples_of(schema: dict[str, Any]) -> list[str]:
    """The newest versions of ours whose keys would move."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(revision_impact, "MAX_EXAMPLES", 1000)
        rekeyed = kinds.preview_revision(schema["title"], schema).effects.rekeyed
    return [each.exact for each in rekeyed.examples if each.exact.startswith("acme/")]


def test_nothing_is_written() -> None:
    before = KindRevision.objects.count(), Event.objects.count()
    kinds.preview_revision("llvm", with_at_most(100))
    assert (KindRevision.objects.count(), Event.objects.count()) == before


def test_says_what_changes_and_which_revision_it_would_be() -> None:
    found = kinds.preview_revision("llvm", with_at_most(70000))
    assert [str(change) for change in found.changes] == [
        "option num-cores, range: maximum 65536 becomes maximum 70000"
    ]
    assert (found.in_force, found.number, found.is_possible) == (1, 2, True)
    assert found.effects == RevisionEffects()


def test_names_what_would_be_invalid_and_revising_refuses_it(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/fine", BOARD)
    found = kinds.preview_revision("llvm", with_at_most(4000))
    assert [str(each) for each in found.effects.broken.examples] == [
        "acme/board@1.0.0 would be invalid: 5000 is not 4000 or less"
    ]
    assert not found.is_possible
    with pytest.raises(Refused):
        kinds.revise_kind("llvm", with_at_most(4000), actor=Actor.operator(alice))


def test_twenty_are_named_and_the_rest_counted(alice: User) -> None:
    for at in range(23):
        publish(f"acme/board-{at:02}", BOARD | {"num-cores": 5000})
    broken = kinds.preview_revision("llvm", with_at_most(4000)).effects.broken
    assert [each.exact for each in broken.examples] == [
        f"acme/board-{at:02}@1.0.0" for at in range(20)
    ]
    assert (broken.count, broken.more) == (23, 3)
    with pytest.raises(Refused, match="and 22 more") as refused:
        kinds.revise_kind("llvm", with_at_most(4000), actor=Actor.operator(alice))
    assert len(refused.value.faults) == 20


def test_changed_default_moves_keys_of_those_who_do_not_state_it() -> None:
    publish("acme/silent", {"kind": "cuda", "arch": "sm_90"})
    publish("acme/stating", {"kind": "cuda", "arch": "sm_90", "max_num_threads": 512})
    schema = with_option(shipped_facts.kinds()["cuda"], "max_num_threads", default=2048)
    rekeyed = kinds.preview_revision("cuda", schema).effects.rekeyed
    exacts = examples_of(schema)
    assert "acme/silent@1.0.0" in exacts
    assert "acme/stating@1.0.0" not in exacts
    assert rekeyed.examples[0].leaves == ("",)


def test_only_the_leaves_that_move_are_named() -> None:
    leaf = {"kind": "cuda", "arch": "sm_90"}
    publish("acme/two", {"kind": "composite", "devices": [leaf, BOARD], "host": BOARD})
    schema = with_option(shipped_facts.kinds()["cuda"], "max_num_threads", default=2048)
    effects = kinds.preview_revision("cuda", schema).effects
    (two,) = [each for each in effects.rekeyed.examples if each.exact == "acme/two@1.0.0"]
    assert two.leaves == ("/devices/0",)


def test_option_that_no_longer_affects_tuning_moves_keys() -> None:
    publish("acme/board", BOARD)
    publish("acme/plain", {"kind": "llvm", "mcpu": "haswell"})
    schema = with_option(shipped_facts.kinds()["llvm"], "num-cores", **{"x-affects-tuning": False})
    assert "acme/board@1.0.0" in examples_of(schema)
    assert "acme/plain@1.0.0" not in examples_of(schema)


def test_keys_moved_by_an_earlier_revision_are_not_told_again(alice: User) -> None:
    publish("acme/a", {"kind": "cuda", "arch": "sm_90"})
    old = shipped_facts.kinds()["cuda"]
    moved = with_option(old, "max_num_threads", default=2048)
    kinds.revise_kind("cuda", moved, actor=Actor.operator(alice))
    assert (
        kinds.preview_revision("cuda", moved | {"description": "Ours."}).effects
        == RevisionEffects()
    )
    assert kinds.preview_revision("cuda", old).effects.rekeyed.count == 0
    publish("acme/b", {"kind": "cuda", "arch": "sm_90"})
    assert examples_of(old) == ["acme/b@1.0.0"]


def test_leaf_that_comes_back_to_its_stored_key_is_not_named(alice: User) -> None:
    cuda = shipped_facts.kinds()["cuda"]
    publish("acme/two", {"kind": "cuda", "arch": "sm_90", "host": {"kind": "llvm", "mcpu": "zen"}})
    moved = with_option(cuda, "max_num_threads", default=2048)
    kinds.revise_kind("cuda", moved, actor=Actor.operator(alice))
    llvm = with_option(shipped_facts.kinds()["llvm"], "num-cores", default=1)
    effects = kinds.preview_revisions({"cuda": cuda, "llvm": llvm})["cuda"].effects
    (two,) = [each for each in effects.rekeyed.examples if each.exact == "acme/two@1.0.0"]
    assert two.leaves == ("/host",)


def test_schema_with_problems_is_not_looked_at_further() -> None:
    publish("acme/board", BOARD)
    found = kinds.preview_revision("llvm", {"properties": {"x": {"$ref": "https://e.com/"}}})
    assert len(found.problems) >= 3
    assert (found.changes, found.effects, found.is_possible) == ((), RevisionEffects(), False)
    assert found.sentences == found.problems


def test_schema_in_force_is_the_same() -> None:
    found = kinds.preview_revision("llvm", shipped_facts.kinds()["llvm"])
    assert (found.is_unchanged, found.is_possible, found.changes) == (True, False, ())


def test_new_kind_is_its_options() -> None:
    found = kinds.preview_revision("npu", without(shipped_facts.kinds()["llvm"]) | {"title": "npu"})
    assert (found.in_force, found.number, found.is_possible) == (0, 1, True)
    assert {change.aspect for change in found.changes} == {"added"}


@pytest.mark.parametrize("name", ["Llvm", "a/b", "body", ""])
def test_name_that_no_kind_can_have_is_a_problem(name: str, alice: User) -> None:
    (problem,) = kinds.preview_revision(name, shipped_facts.kinds()["c"]).problems
    assert name in problem
    with pytest.raises(Refused):
        kinds.revise_kind(name, shipped_facts.kinds()["c"], actor=Actor.operator(alice))
    assert name not in kinds.current_kinds().kinds


def test_everything_is_said_in_sentences() -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/four", BOARD)
    schema = with_option(with_at_most(4000), "num-cores", maximum=4000, default=2)
    told = kinds.preview_revision("llvm", schema).sentences
    assert told[:3] == (
        "option num-cores, range: maximum 65536 becomes maximum 4000",
        "option num-cores, default: nothing becomes 2",
        "1 newest version would be invalid, first acme/board@1.0.0: 5000 is not 4000 or less",
    )
    assert "would have other tuning keys" in told[3]


def test_mixin_is_broken_where_no_kind_is_left_for_it() -> None:
    publish("acme/mixin", {"fast-math": True})
    schema = without(shipped_facts.kinds()["llvm"], "fast-math")
    broken = kinds.preview_revision("llvm", schema).effects.broken
    assert [each.exact for each in broken.examples] == ["acme/mixin@1.0.0"]


def test_mixin_that_still_fits_another_kind_is_narrowed() -> None:
    publish("acme/mixin", {"max_num_threads": 256})
    schema = without(shipped_facts.kinds()["cuda"], "max_num_threads")
    effects = kinds.preview_revision("cuda", schema).effects
    (narrowed,) = effects.narrowed.examples
    assert (narrowed.exact, narrowed.kinds) == ("acme/mixin@1.0.0", ("cuda",))
    assert "acme/mixin@1.0.0" not in [each.exact for each in effects.broken.examples]


def test_one_query_more_for_each_batch_of_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(5):
        publish(f"acme/board-{at}", BOARD)
    schema = with_at_most(4000)
    using = VersionKind.objects.filter(
        revision__kind__name="llvm", version__entry__isnull=False
    ).count()
    assert using < revision_impact.BATCH
    with CaptureQueriesContext(connection) as whole:
        kinds.preview_revision("llvm", schema)
    assert len(whole) == 3
    monkeypatch.setattr(revision_impact, "BATCH", 10)
    with CaptureQueriesContext(connection) as batches:
        assert kinds.preview_revision("llvm", schema) == kinds.preview_revision("llvm", schema)
    assert len(batches) == 2 * (2 + using // 10 + 1)
