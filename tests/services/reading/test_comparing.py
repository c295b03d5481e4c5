"""Two versions compared."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.number import Bump
from registry.domain.reference import Pair
from registry.services.reading import comparing
from registry.services.reading.comparing import Comparison
from tests.publishing import chain, publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


def compare(text: str) -> Comparison:
    return comparing.compare(Pair.parse(text))


def pointers(found: Comparison) -> list[str]:
    return [change.pointer for change in found.changes]


@pytest.fixture
def line(acme: object) -> None:
    """1.0.0, 1.1.0 with a runtime, 2.0.0 with eight cores, 2.0.1 with a fact."""
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"runtime": "cpp"})
    publish("acme/board", BOARD | {"num-cores": 8})
    publish("acme/board", BOARD | {"num-cores": 8, "hardware": {"cores": 8}})


@pytest.mark.usefixtures("line")
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
def test_a_bump_says_what_going_there_means(
    old: str, new: str, bump: Bump | None, changed: list[str]
) -> None:
    found = compare(f"acme/board@{old}...acme/board@{new}")
    assert (found.bump, pointers(found)) == (bump, changed)
    assert (found.old.exact, found.new.exact) == (f"acme/board@{old}", f"acme/board@{new}")


@pytest.mark.usefixtures("line")
def test_both_sides_name_exact_versions() -> None:
    publish("acme/child", {"tag": "acme/board@1.0.0", "mcpu": "skylake"})
    (change,) = compare("acme/board@1.0.0...acme/child").changes
    assert change.old
    assert change.new
    assert (change.old.origin, change.new.origin) == ("acme/board@1.0.0", "acme/child@1.0.0")


@pytest.mark.usefixtures("line")
def test_yanked_versions_compare_by_their_numbers() -> None:
    yank("acme/board@2.0.1")
    found = compare("acme/board@2.0.1...acme/board@2")
    assert (found.old.version.yanked, found.new.exact) == (True, "acme/board@2.0.0")


def test_tuning_keys_are_kept_lost_and_new() -> None:
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


def test_targets_that_have_nothing_to_do_with_each_other_compare() -> None:
    found = compare("arm/soc...nvidia/jetson-nano:cuda")
    assert found.bump is Bump.MAJOR
    assert {"/kind", "/mcpu", "/arch", "/host/mcpu"} <= set(pointers(found))
    assert found.keys.kept == ()


def test_equal_content_under_another_name_is_no_change_of_the_target() -> None:
    publish("acme/a", BOARD)
    publish("acme/b", {"tag": "acme/a"})
    found = compare("acme/a...acme/b")
    assert (found.bump, found.changes) == (Bump.PATCH, ())
    assert len(found.keys.kept) == 1


def test_a_mixin_and_a_target_are_a_major_apart() -> None:
    publish("acme/board", BOARD)
    found = compare("micro/aot...acme/board")
    assert found.bump is Bump.MAJOR
    assert found.keys.kept == found.keys.lost == ()
    assert compare("acme/board...micro/aot").bump is Bump.MAJOR


def test_mixins_compare_by_the_kinds_that_they_fit() -> None:
    """`arch` is of cuda alone: that llvm has no such option says nothing of it."""
    publish("acme/mixin", {"arch": "sm_80", "max_num_threads": 512})
    publish("acme/mixin", {"arch": "sm_90", "max_num_threads": 512})
    found = compare("acme/mixin@1...acme/mixin")
    (change,) = found.changes
    assert change.consumers == ("codegen",)
    assert (found.bump is Bump.MAJOR) == change.affects_tuning


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("acme/nobody...arm/soc", Code.TAG_UNKNOWN),
        ("arm/soc...acme/nobody", Code.TAG_UNKNOWN),
        ("arm/soc@9...arm/soc", Code.VERSION_UNKNOWN),
    ],
)
def test_either_side_can_be_refused(text: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        compare(text)
    assert refused.value.code == code


def test_three_queries_however_long_the_lineages() -> None:
    last = chain(6)
    for text in ("arm/soc...arm/soc:aot", f"acme/link-0...{last}", "arm/soc...arm/soc"):
        compare(text)
        with CaptureQueriesContext(connection) as captured:
            compare(text)
        assert len(captured) == 3
