"""Comparisons of versions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Pair, Reference
from registry.domain.version_number import Bump
from registry.services.versions import comparing
from registry.services.versions.comparing import Comparison, UnresolvedReferences
from tests.publishing import chain, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def compare(text: str) -> Comparison:
    return comparing.compare_versions(comparing.select_pair(Pair.parse(text)))


def side_by_side(*texts: str) -> list[str]:
    targets = comparing.load_targets([Reference.parse(text) for text in texts])
    return [target.exact for target in targets]


def pointers(comparison: Comparison) -> list[str]:
    return [change.pointer for change in comparison.changes]


@pytest.fixture
def versions(acme: object) -> None:
    """Publish 1.0.0, 1.1.0 with a runtime, 2.0.0 with eight cores, 2.0.1 with a fact."""
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"runtime": "cpp"})
    publish("acme/board", BOARD | {"num-cores": 8})
    publish("acme/board", BOARD | {"num-cores": 8, "hardware": {"cores": 8}})


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(
    ("old", "new", "bump", "changed"),
    [
        ("1.0.0", "1.1.0", Bump.MINOR, ["/runtime/kind"]),
        ("1.1.0", "2.0.0", Bump.MAJOR, ["/num-cores", "/runtime/kind"]),
        ("2.0.0", "2.0.1", Bump.PATCH, ["/hardware/cores"]),
        ("2.0.1", "2.0.0", Bump.PATCH, ["/hardware/cores"]),
        ("2.0.0", "1.0.0", Bump.MAJOR, ["/num-cores"]),
        ("1.0.0", "1.0.0", None, []),
    ],
)
def test_comparison_has_the_bump(old: str, new: str, bump: Bump | None, changed: list[str]) -> None:
    comparison = compare(f"acme/board@{old}...acme/board@{new}")
    assert (comparison.bump, pointers(comparison)) == (bump, changed)
    assert (comparison.old.exact, comparison.new.exact) == (
        f"acme/board@{old}",
        f"acme/board@{new}",
    )


@pytest.mark.usefixtures("versions")
def test_origins_on_both_sides_are_exact_references() -> None:
    publish("acme/child", {"tag": "acme/board@1.0.0", "mcpu": "skylake"})
    (change,) = compare("acme/board@1.0.0...acme/child").changes
    assert change.old
    assert change.new
    assert (change.old.origin, change.new.origin) == ("acme/board@1.0.0", "acme/child@1.0.0")


@pytest.mark.usefixtures("versions")
def test_yanked_versions_can_be_compared() -> None:
    yank("acme/board@2.0.1")
    comparison = compare("acme/board@2.0.1...acme/board@2")
    assert (comparison.old.version.yanked, comparison.new.exact) == (True, "acme/board@2.0.0")


def test_kept_lost_and_new_tuning_keys_are_listed() -> None:
    m7, m4 = ({"kind": "c", "mcpu": f"cortex-m{core}"} for core in (7, 4))
    publish("acme/farm", {"kind": "composite", "devices": {"a": m7, "b": m7, "c": m4}})
    publish("acme/farm", {"kind": "composite", "devices": {"a": m7, "d": {"kind": "cuda"} | ARCH}})
    keys = compare("acme/farm@1...acme/farm@2").keys
    (kept,), (lost_m7, lost_m4), (new,) = keys.kept, keys.lost, keys.new
    assert (kept.count, kept.old, kept.new) == (1, ("/devices/a", "/devices/b"), ("/devices/a",))
    assert (lost_m7.key, lost_m7.count) == (kept.key, 1)
    assert (lost_m4.count, lost_m4.old, lost_m4.new) == (1, ("/devices/c",), ())
    assert (new.count, new.old, new.new) == (1, (), ("/devices/d",))


ARCH = {"arch": "sm_90"}


def test_unrelated_targets_can_be_compared() -> None:
    comparison = compare("arm/soc...nvidia/jetson-nano:cuda")
    assert comparison.bump is Bump.MAJOR
    assert {"/kind", "/mcpu", "/arch", "/host/mcpu"} <= set(pointers(comparison))
    assert comparison.keys.kept == ()


def test_equal_targets_of_two_tags_have_no_changes() -> None:
    publish("acme/a", BOARD)
    publish("acme/b", {"tag": "acme/a"})
    comparison = compare("acme/a...acme/b")
    assert (comparison.bump, comparison.changes) == (Bump.PATCH, ())
    assert len(comparison.keys.kept) == 1


def test_mixin_and_target_differ_by_a_major() -> None:
    publish("acme/board", BOARD)
    comparison = compare("micro/aot...acme/board")
    assert comparison.bump is Bump.MAJOR
    assert comparison.keys.kept == comparison.keys.lost == ()
    assert compare("acme/board...micro/aot").bump is Bump.MAJOR


def test_mixins_are_compared_by_the_kinds_they_fit() -> None:
    """`arch` is an option of cuda only, so llvm is not considered."""
    publish("acme/mixin", {"arch": "sm_80", "max_num_threads": 512})
    publish("acme/mixin", {"arch": "sm_90", "max_num_threads": 512})
    comparison = compare("acme/mixin@1...acme/mixin")
    (change,) = comparison.changes
    assert change.consumers == ("codegen",)
    assert (comparison.bump is Bump.MAJOR) == change.affects_tuning


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("acme/nobody...arm/soc", Code.TAG_UNKNOWN),
        ("arm/soc...acme/nobody", Code.TAG_UNKNOWN),
        ("arm/soc@9...arm/soc", Code.VERSION_UNKNOWN),
    ],
)
def test_error_of_either_side_is_raised(text: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        compare(text)
    assert refused.value.code == code


def test_three_queries_at_any_lineage_length() -> None:
    last = chain(6)
    for text in ("arm/soc...arm/soc:aot", f"acme/link-0...{last}", "arm/soc...arm/soc"):
        compare(text)
        with CaptureQueriesContext(connection) as captured:
            compare(text)
        assert len(captured) == 3


def test_all_unresolved_sides_have_suggestions() -> None:
    with pytest.raises(UnresolvedReferences) as refused:
        compare("arm/socc...arm/soc@9")
    assert list(refused.value.refusals) == ["arm/socc", "arm/soc@9"]
    assert "arm/soc" in refused.value.refusals["arm/socc"].suggestions
    assert refused.value.refusals["arm/soc@9"].suggestions == ("arm/soc@1.0.0",)
    assert refused.value.code == Code.TAG_UNKNOWN


def test_comparison_counts_mixins_and_detects_the_same_version() -> None:
    assert [compare(f"{old}...arm/soc").mixins for old in ("micro/aot", "arm/soc:aot")] == [1, 0]
    assert compare("arm/soc...arm/soc@1").is_same_version
    assert not compare("arm/soc...arm/soc:aot").is_same_version


def test_side_by_side_keeps_the_requested_order() -> None:
    texts = ("arm/soc:aot", "micro/aot", "arm/soc@1.0.0")
    assert side_by_side(*texts) == ["arm/soc:aot@1.0.0", "micro/aot@1.0.0", "arm/soc@1.0.0"]


def test_side_by_side_has_each_version_once() -> None:
    references = side_by_side("arm/soc", "micro/aot", "arm/soc@1", "micro/aot", "arm/soc")
    assert references == ["arm/soc@1.0.0", "micro/aot@1.0.0"]


def test_side_by_side_names_all_unresolved_references() -> None:
    with pytest.raises(UnresolvedReferences) as refused:
        side_by_side("arm/soc", "arm/socc", "micro/aot@7")
    assert list(refused.value.refusals) == ["arm/socc", "micro/aot@7"]
    assert "arm/soc" in refused.value.refusals["arm/socc"].suggestions


def test_two_queries_for_any_number_side_by_side() -> None:
    five = ("arm/soc:aot", "micro/aot", "arm/soc", "nvidia/jetson-nano", "aws/c4.4xlarge")
    for texts in (five[:1], five, (chain(6),)):
        side_by_side(*texts)
        with CaptureQueriesContext(connection) as captured:
            side_by_side(*texts)
        assert len(captured) == 2
