"""Previews of the effects of new schemas."""

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
from tests.services.kinds.schemas import with_max_cores, with_option, without_options

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def rekeyed_versions(schema: dict[str, Any]) -> list[str]:
    """Return the versions in acme whose tuning keys would change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(revision_impact, "MAX_EXAMPLES", 1000)
        rekeyed = kinds.preview_revision(schema["title"], schema).effects.rekeyed
    return [row.exact for row in rekeyed.examples if row.exact.startswith("acme/")]


def test_preview_writes_nothing() -> None:
    before = KindRevision.objects.count(), Event.objects.count()
    kinds.preview_revision("llvm", with_max_cores(100))
    assert (KindRevision.objects.count(), Event.objects.count()) == before


def test_preview_has_changes_and_revision_numbers() -> None:
    preview = kinds.preview_revision("llvm", with_max_cores(70000))
    assert [str(change) for change in preview.changes] == [
        "option num-cores, range: maximum 65536 becomes maximum 70000"
    ]
    assert (preview.current_number, preview.number, preview.is_possible) == (1, 2, True)
    assert preview.effects == RevisionEffects()


def test_broken_versions_prevent_the_revision(alice: User) -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/fine", BOARD)
    preview = kinds.preview_revision("llvm", with_max_cores(4000))
    assert [str(version) for version in preview.effects.broken.examples] == [
        "acme/board@1.0.0 would be invalid: 5000 is not 4000 or less"
    ]
    assert not preview.is_possible
    with pytest.raises(Refused):
        kinds.revise_kind("llvm", with_max_cores(4000), actor=Actor.operator(alice))


def test_twenty_broken_versions_are_named_and_all_counted(alice: User) -> None:
    for number in range(23):
        publish(f"acme/board-{number:02}", BOARD | {"num-cores": 5000})
    broken = kinds.preview_revision("llvm", with_max_cores(4000)).effects.broken
    assert [version.exact for version in broken.examples] == [
        f"acme/board-{number:02}@1.0.0" for number in range(20)
    ]
    assert (broken.count, broken.more) == (23, 3)
    with pytest.raises(Refused, match="and 22 more") as refused:
        kinds.revise_kind("llvm", with_max_cores(4000), actor=Actor.operator(alice))
    assert len(refused.value.faults) == 20


def test_changed_default_changes_keys_of_versions_without_the_option() -> None:
    publish("acme/silent", {"kind": "cuda", "arch": "sm_90"})
    publish("acme/stating", {"kind": "cuda", "arch": "sm_90", "max_num_threads": 512})
    schema = with_option(shipped_facts.kinds()["cuda"], "max_num_threads", default=2048)
    rekeyed = kinds.preview_revision("cuda", schema).effects.rekeyed
    versions = rekeyed_versions(schema)
    assert "acme/silent@1.0.0" in versions
    assert "acme/stating@1.0.0" not in versions
    assert rekeyed.examples[0].leaves == ("",)


def test_only_leaves_with_changed_keys_are_named() -> None:
    leaf = {"kind": "cuda", "arch": "sm_90"}
    publish("acme/two", {"kind": "composite", "devices": [leaf, BOARD], "host": BOARD})
    schema = with_option(shipped_facts.kinds()["cuda"], "max_num_threads", default=2048)
    effects = kinds.preview_revision("cuda", schema).effects
    (two,) = [row for row in effects.rekeyed.examples if row.exact == "acme/two@1.0.0"]
    assert two.leaves == ("/devices/0",)


def test_option_that_no_longer_affects_tuning_changes_keys() -> None:
    publish("acme/board", BOARD)
    publish(
        "acme/plain", {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
    )
    schema = with_option(shipped_facts.kinds()["llvm"], "num-cores", **{"x-affects-tuning": False})
    assert "acme/board@1.0.0" in rekeyed_versions(schema)
    assert "acme/plain@1.0.0" not in rekeyed_versions(schema)


def test_keys_changed_by_an_earlier_revision_are_not_counted_again(alice: User) -> None:
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
    assert rekeyed_versions(old) == ["acme/b@1.0.0"]


def test_leaf_that_returns_to_its_stored_key_is_not_named(alice: User) -> None:
    cuda = shipped_facts.kinds()["cuda"]
    publish(
        "acme/two",
        {
            "kind": "cuda",
            "arch": "sm_90",
            "host": {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "zen"},
        },
    )
    moved = with_option(cuda, "max_num_threads", default=2048)
    kinds.revise_kind("cuda", moved, actor=Actor.operator(alice))
    llvm = with_option(shipped_facts.kinds()["llvm"], "num-cores", default=1)
    effects = kinds.preview_revisions({"cuda": cuda, "llvm": llvm})["cuda"].effects
    (two,) = [row for row in effects.rekeyed.examples if row.exact == "acme/two@1.0.0"]
    assert two.leaves == ("/host",)


def test_effects_of_an_invalid_schema_are_not_computed() -> None:
    publish("acme/board", BOARD)
    preview = kinds.preview_revision("llvm", {"properties": {"x": {"$ref": "https://e.com/"}}})
    assert len(preview.problems) >= 3
    assert (preview.changes, preview.effects, preview.is_possible) == ((), RevisionEffects(), False)
    assert preview.sentences == preview.problems


def test_current_schema_is_the_same() -> None:
    preview = kinds.preview_revision("llvm", shipped_facts.kinds()["llvm"])
    assert (preview.is_unchanged, preview.is_possible, preview.changes) == (True, False, ())


def test_changes_of_a_new_kind_are_its_options() -> None:
    preview = kinds.preview_revision(
        "npu", without_options(shipped_facts.kinds()["llvm"]) | {"title": "npu"}
    )
    assert (preview.current_number, preview.number, preview.is_possible) == (0, 1, True)
    assert {change.aspect for change in preview.changes} == {"added"}


@pytest.mark.parametrize("name", ["Llvm", "a/b", "body", ""])
def test_invalid_name_is_a_problem(name: str, alice: User) -> None:
    (problem,) = kinds.preview_revision(name, shipped_facts.kinds()["c"]).problems
    assert name in problem
    with pytest.raises(Refused):
        kinds.revise_kind(name, shipped_facts.kinds()["c"], actor=Actor.operator(alice))
    assert name not in kinds.current_kinds().kinds


def test_sentences_list_changes_and_effects() -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/four", BOARD)
    schema = with_option(with_max_cores(4000), "num-cores", maximum=4000, default=2)
    sentences = kinds.preview_revision("llvm", schema).sentences
    assert sentences[:3] == (
        "option num-cores, range: maximum 65536 becomes maximum 4000",
        "option num-cores, default: nothing becomes 2",
        "1 newest version would be invalid, first acme/board@1.0.0: 5000 is not 4000 or less",
    )
    assert "would get new tuning keys" in sentences[3]


def test_sentences_count_what_breaks() -> None:
    publish("acme/board", BOARD | {"num-cores": 5000})
    publish("acme/other", BOARD | {"num-cores": 6000})
    sentences = kinds.preview_revision("llvm", with_max_cores(4000)).sentences
    assert "2 newest versions would be invalid, first acme/" in " ".join(sentences)


def test_mixin_without_any_valid_kind_is_broken() -> None:
    publish("acme/mixin", {"fast-math": True})
    schema = without_options(shipped_facts.kinds()["llvm"], "fast-math")
    broken = kinds.preview_revision("llvm", schema).effects.broken
    assert [version.exact for version in broken.examples] == ["acme/mixin@1.0.0"]


def test_mixin_that_still_fits_another_kind_is_narrowed() -> None:
    publish("acme/mixin", {"max_num_threads": 256})
    schema = without_options(shipped_facts.kinds()["cuda"], "max_num_threads")
    effects = kinds.preview_revision("cuda", schema).effects
    (narrowed,) = effects.narrowed.examples
    assert (narrowed.exact, narrowed.kinds) == ("acme/mixin@1.0.0", ("cuda",))
    assert "acme/mixin@1.0.0" not in [version.exact for version in effects.broken.examples]


def test_each_batch_of_versions_takes_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        publish(f"acme/board-{number}", BOARD)
    schema = with_max_cores(4000)
    using = VersionKind.objects.filter(
        revision__kind__name="llvm", version__entry__isnull=False
    ).count()
    assert using < revision_impact.BATCH
    with CaptureQueriesContext(connection) as single:
        kinds.preview_revision("llvm", schema)
    assert len(single) == 3
    monkeypatch.setattr(revision_impact, "BATCH", 10)
    with CaptureQueriesContext(connection) as batches:
        assert kinds.preview_revision("llvm", schema) == kinds.preview_revision("llvm", schema)
    assert len(batches) == 2 * (2 + using // 10 + 1)
