# ruff: noqa: E501 - tables read best in rows
"""Bumps: the meaning of a new version for users of the previous one."""

from collections import Counter
from itertools import accumulate, combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import Json, is_same_json
from registry.domain.keys.tuning import count_preimages
from registry.domain.kinds.kinds import Kind, Kinds
from registry.domain.version_number import Bump, next_number
from registry.domain.versioning import (
    Edition,
    compute_bump,
    find_loss,
    loses_records,
    lost_preimages,
)
from tests.domain.builders import KINDS, Library, target_of
from tests.domain.strategies import facts, patches, targets
from ttag_rules.version_number import VersionNumber

LLVM: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "x"}
GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_90"}


def edition(body: Json) -> Edition:
    return Edition.of(body, (), target_of(body), KINDS)


def moved(old: Json, new: Json) -> Bump | None:
    return compute_bump(edition(old), edition(new), KINDS)


def test_the_first_version() -> None:
    assert compute_bump(None, edition(LLVM), KINDS) is Bump.FIRST


# Rule 1: nothing changed


@given(targets, targets)
def test_equal_editions_have_no_bump(one: Json, two: Json) -> None:
    assert moved(one, one) is None
    target = target_of(one)

    def moved_to(source: Json, parent: str, new: Json) -> Bump | None:
        first = Edition.of(one, ("a/b@1.0.0",), target, KINDS)
        return compute_bump(first, Edition.of(source, (parent,), new, KINDS), KINDS)

    expected = None if is_same_json(one, two) else Bump.PATCH
    assert moved_to(two, "a/b@1.0.0", target) is expected
    assert moved_to(one, "a/b@1.0.1", target) is Bump.PATCH
    changed = moved_to(one, "a/b@1.0.0", target_of(two))
    assert (changed is None) == is_same_json(target, target_of(two))


def test_key_order_and_number_spelling_are_not_changes() -> None:
    one: Json = {**LLVM, "flow": {"a.b": 1}}
    two: Json = {"flow": {"a.b": 1.0}, **dict(reversed(LLVM.items()))}
    assert moved(one, two) is None
    assert moved({**LLVM, "flow": {"a.b": 1}}, {**LLVM, "flow": {"a.b": True}}) is Bump.MAJOR


# Rules 2 to 4, and what belongs to each


COMPOSITE: dict[str, Any] = {"kind": "composite", "devices": {"a": LLVM, "hardware": {**GPU}}}
MOVES: list[tuple[str, Json, Json, Bump]] = [
    ("an option that affects tuning", LLVM, {**LLVM, "mcpu": "y"}, Bump.MAJOR),
    ("unknown counts as affecting", {"kind": "c", "march": "x"}, {"kind": "c"}, Bump.MAJOR),
    ("the kind", {"kind": "c", "mcpu": "x"}, LLVM, Bump.MAJOR),
    ("a model", LLVM, {**LLVM, "model": "m"}, Bump.MAJOR),
    ("a library", LLVM, {**LLVM, "libs": ["mkl"]}, Bump.MAJOR),
    ("a library around", COMPOSITE, {**COMPOSITE, "libs": ["mkl"]}, Bump.MAJOR),
    ("a pass setting", LLVM, {**LLVM, "flow": {"tir.disable_vectorize": True}}, Bump.MAJOR),
    ("an unknown pass setting", LLVM, {**LLVM, "flow": {"a.b": 1}}, Bump.MAJOR),
    ("eight GPUs to four", {"kind": "composite", "devices": [GPU] * 8}, {"kind": "composite", "devices": [GPU] * 4}, Bump.MAJOR),
    ("four GPUs to eight", {"kind": "composite", "devices": [GPU] * 4}, {"kind": "composite", "devices": [GPU] * 8}, Bump.MINOR),
    ("a device goes", COMPOSITE, {"kind": "composite", "devices": {"a": LLVM}}, Bump.MAJOR),
    ("a host goes", {**GPU, "host": LLVM}, GPU, Bump.MAJOR),
    ("a host comes", GPU, {**GPU, "host": LLVM}, Bump.MINOR),
    ("a host that depends on the compiler's machine goes", {**GPU, "host": "llvm"}, GPU, Bump.MAJOR),
    ("a device becomes wrapped", GPU, {"kind": "composite", "devices": [GPU]}, Bump.MINOR),
    ("labels for a list", {"kind": "composite", "devices": [GPU]}, {"kind": "composite", "devices": {"a": GPU}}, Bump.MINOR),
    ("a device becomes opaque", {"kind": "composite", "devices": [GPU]}, {"kind": "byoc", "codegen": "x", "devices": [GPU]}, Bump.MAJOR),
    ("an executor", LLVM, {**LLVM, "executor": "vm"}, Bump.MINOR),
    ("a runtime", LLVM, {**LLVM, "runtime": "cpp"}, Bump.MINOR),
    ("link-params", LLVM, {**LLVM, "flow": {"link-params": True}}, Bump.MINOR),
    ("an option of the runtime alone", LLVM, {**LLVM, "jit": "orcjit"}, Bump.MINOR),
    ("an explicit default", {"kind": "metal"}, {"kind": "metal", "thread_warp_size": 16}, Bump.MINOR),
    ("order of features of one sign", {**LLVM, "mattr": ["+a", "+b"]}, {**LLVM, "mattr": ["+b", "+a"]}, Bump.MINOR),
    ("an executor in a device labelled hardware", COMPOSITE, {"kind": "composite", "devices": {"a": LLVM, "hardware": {**GPU, "executor": "vm"}}}, Bump.MINOR),
    ("a device labelled hardware", {"kind": "composite", "devices": {"a": LLVM}}, COMPOSITE, Bump.MINOR),
    ("hardware", LLVM, {**LLVM, "hardware": {"cores": 4}}, Bump.PATCH),
    ("hardware of a device", COMPOSITE, {"kind": "composite", "devices": {"a": LLVM, "hardware": {**GPU, "hardware": {"cores": 1}}}}, Bump.PATCH),
    ("an annotation", {"kind": "vulkan", "device_name": "a"}, {"kind": "vulkan", "device_name": "b"}, Bump.PATCH),
    ("the model of a composite", COMPOSITE, {**COMPOSITE, "model": "m"}, Bump.MINOR),
    ("threads of a GPU without a key", {"kind": "cuda", "max_num_threads": 1024}, {"kind": "cuda", "max_num_threads": 256}, Bump.MAJOR),
    ("a library of a GPU without a key", {"kind": "cuda"}, {"kind": "cuda", "libs": ["cudnn"]}, Bump.MAJOR),
    ("a model of a GPU without a key", {"kind": "cuda"}, {"kind": "cuda", "model": "m"}, Bump.MAJOR),
    ("an architecture for a GPU without a key", {"kind": "cuda"}, GPU, Bump.MAJOR),
    ("the source alone", {**LLVM, "host": "c"}, {**LLVM, "host": {"kind": "c"}}, Bump.PATCH),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"), [move[1:] for move in MOVES], ids=[move[0] for move in MOVES]
)
def test_bumps_of_targets(old: Json, new: Json, expected: Bump) -> None:
    assert moved(old, new) is expected


@given(targets, targets)
def test_a_bump_is_major_iff_a_preimage_is_lost(old: Json, new: Json) -> None:
    kept = count_preimages(target_of(new), KINDS)
    before = count_preimages(target_of(old), KINDS)
    assert (moved(old, new) is Bump.MAJOR) == any(
        number > kept[preimage] for preimage, number in before.items()
    )


@given(targets, targets)
def test_a_bump_is_a_patch_only_if_the_builds_are_equal(old: Json, new: Json) -> None:
    editions = edition(old), edition(new)
    is_rebuilt = editions[0].build.digest != editions[1].build.digest
    if is_rebuilt:
        assert moved(old, new) in (Bump.MAJOR, Bump.MINOR)
    else:
        assert moved(old, new) in (Bump.PATCH, None)


# Revisions of kinds between two publications


def revised(affects_tuning: dict[str, bool], defaults: dict[str, Json]) -> Kinds:
    """Return kinds whose llvm has other annotations."""
    source = KINDS["llvm"].source
    properties = {name: dict(schema) for name, schema in source["properties"].items()}
    for name, affects in affects_tuning.items():
        properties[name]["x-affects-tuning"] = affects
        properties[name]["x-consumers"] = ["codegen"] if affects else ["annotation"]
    for name, default in defaults.items():
        properties[name]["default"] = default
    changed = Kind("llvm", 2, {**source, "properties": properties})
    return Kinds([*(kind for kind in KINDS.values() if kind.name != "llvm"), changed])


llvm_options = st.sampled_from(["mcpu", "jit", "num-cores", "opt-level"])
llvm_targets: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {"kind": st.just("llvm")},
    optional={
        "mtriple": st.just("x86_64-linux-gnu"),
        "mcpu": st.sampled_from(["x", "y"]),
        "jit": st.sampled_from(["mcjit", "orcjit"]),
        "num-cores": st.sampled_from([1, 2]),
        "opt-level": st.sampled_from([2, 3]),
    },
)
revisions = st.builds(
    revised,
    st.dictionaries(llvm_options, st.booleans()),
    st.fixed_dictionaries({}, optional={"num-cores": st.just(1), "opt-level": st.just(3)}),
)


@given(llvm_targets, llvm_targets, revisions, revisions)
def test_a_revised_kind_understates_nothing(
    old: Json, new: Json, before: Kinds, after: Kinds
) -> None:
    first, second = Edition.of(old, (), old, before), Edition.of(new, (), new, after)
    bump = compute_bump(first, second, after)
    stored, kept = Counter(first.tuning_keys.values()), Counter(second.tuning_keys.values())
    if not stored <= kept or lost_preimages(old, new, after):
        assert bump is Bump.MAJOR
    elif first.build.digest != second.build.digest and bump:
        assert bump is Bump.MINOR
    assert (bump is None) == (is_same_json(old, new) and stored == kept)


def test_a_key_that_a_revision_changed_is_major_though_the_target_stays() -> None:
    body: Json = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "x", "jit": "orcjit"}
    first = Edition.of(body, (), body, KINDS)
    after = revised({"jit": True}, {})
    assert compute_bump(first, Edition.of(body, (), body, KINDS), KINDS) is None
    assert compute_bump(first, Edition.of(body, (), body, after), after) is Bump.MAJOR


@given(targets, facts)
def test_a_change_of_hardware_is_a_patch(body: dict[str, Json], hardware: Json) -> None:
    bare = {key: value for key, value in body.items() if key != "hardware"}
    assert moved(bare, {**bare, "hardware": hardware}) is Bump.PATCH


# Mixins


APPEND: Json = {"$append": ["x"]}
MIXIN_MOVES: list[tuple[str, Json, Json, Bump]] = [
    ("an option that affects tuning", {"mcpu": "x"}, {"mcpu": "y"}, Bump.MAJOR),
    ("a null of one", {}, {"mcpu": None}, Bump.MAJOR),
    ("affecting under any kind", {"march": "x"}, {"march": "y"}, Bump.MAJOR),
    ("an edit", {"libs": APPEND}, {"libs": {"$append": ["x", "y"]}}, Bump.MAJOR),
    ("an edit to a list", {"libs": APPEND}, {"libs": ["x"]}, Bump.MAJOR),
    ("at depth", {"host": {"mcpu": "x"}}, {"host": {"mcpu": "y"}}, Bump.MAJOR),
    ("in a device", {"devices": {"a": {"mcpu": "x"}}}, {"devices": {"a": {"mcpu": "y"}}}, Bump.MAJOR),
    ("in an appended device", {"devices": {"$append": ["c"]}}, {"devices": {"$append": ["test"]}}, Bump.MAJOR),
    ("a model", {"model": "x"}, {"model": "y"}, Bump.MAJOR),
    ("a pass setting", {"flow": {"a.b": 1}}, {"flow": {"a.b": 2}}, Bump.MAJOR),
    ("all pass settings go", {}, {"flow": None}, Bump.MAJOR),
    ("a host is set", {}, {"host": "c"}, Bump.MAJOR),
    ("a host goes", {}, {"host": None}, Bump.MAJOR),
    ("a device goes", {"devices": {"a": {"mcpu": "x"}}}, {"devices": {"a": {"mcpu": "x"}, "b": None}}, Bump.MAJOR),
    ("all devices go", {}, {"devices": None}, Bump.MAJOR),
    ("an executor", {"executor": "vm"}, {"executor": "graph"}, Bump.MINOR),
    ("an executor goes", {}, {"executor": None}, Bump.MINOR),
    ("a runtime goes", {}, {"runtime": None}, Bump.MINOR),
    ("part of an executor", {"executor": {"unpacked-api": True}}, {"executor": {"unpacked-api": False}}, Bump.MINOR),
    ("link-params", {"flow": {"link-params": True}}, {"flow": {"link-params": False}}, Bump.MINOR),
    ("an option of the runtime alone", {"jit": "orcjit"}, {"jit": "mcjit"}, Bump.MINOR),
    ("hardware", {"hardware": {"cores": 1}}, {"hardware": {"cores": 2}}, Bump.PATCH),
    ("hardware goes", {}, {"hardware": None}, Bump.PATCH),
    ("hardware in a host", {"host": {"hardware": {"cores": 1}}}, {"host": {"hardware": {"cores": 2}}}, Bump.PATCH),
    ("an annotation", {"device_name": "x"}, {"device_name": "y"}, Bump.PATCH),
    ("the source alone", {"executor": "vm"}, {"executor": {"kind": "vm"}}, Bump.PATCH),
    ("a mixin becomes a target", {"mcpu": "x"}, LLVM, Bump.MAJOR),
    ("a target becomes a mixin", {"kind": "c"}, {}, Bump.MAJOR),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [move[1:] for move in MIXIN_MOVES],
    ids=[move[0] for move in MIXIN_MOVES],
)
def test_bumps_of_mixins(old: Json, new: Json, expected: Bump) -> None:
    assert moved(old, new) is expected


def test_a_mixins_bump_depends_on_its_possible_kinds() -> None:
    """`device_type` is an annotation of vulkan; no other kind has it."""
    assert moved({"device_type": "a"}, {"device_type": "b"}) is Bump.PATCH
    both = {"device_name": "n", "max_push_constants_size": 1}
    assert moved(both, {**both, "max_push_constants_size": 2}) is Bump.MINOR  # type: ignore[arg-type, dict-item]


@given(patches())
def test_an_unchanged_mixin_has_no_bump(patch: Json) -> None:
    assert moved(patch, patch) is None


# Numbers in a tag's history


def test_a_fix_after_a_yanked_major_continues_the_old_line() -> None:
    taken = [
        VersionNumber(1, 0, 0),
        VersionNumber(2, 0, 0),
    ]  # 2.0.0 is yanked, so 1.0.0 is compared with
    move = moved(LLVM, {**LLVM, "hardware": {"cores": 4}})
    assert move
    assert next_number(move, taken[0], taken) == VersionNumber(1, 0, 1)
    again = moved(LLVM, {**LLVM, "mcpu": "y"})
    assert again
    assert next_number(again, taken[0], taken) == VersionNumber(3, 0, 0)


@given(targets, st.lists(patches(), min_size=1, max_size=5))
def test_within_a_major_no_tuning_key_is_ever_lost(
    body: Json, changes: list[dict[str, Json]]
) -> None:
    library = Library()
    library.publish("t/base", body)
    for change in [{}, *changes]:
        heir: dict[str, Json] = {"tag": "t/base", **change}
        created = library.versions.get("t/heir", [])
        if not (created and is_same_json(created[-1].source, heir)):
            library.publish("t/heir", heir)
    history = library.versions["t/heir"]
    for before, after in pairwise(history):
        lost = lost_preimages(before.resolution.target, after.resolution.target, KINDS)
        assert (after.number.major > before.number.major) == bool(lost)


def test_a_parents_change_bumps_the_child_like_its_own_change() -> None:
    library = Library()
    library.publish("t/base", LLVM)
    library.publish("t/heir", {"tag": "t/base"})
    library.publish("t/base", {**LLVM, "hardware": {"cores": 2}})
    assert library.publish("t/heir", {"tag": "t/base"}).number == VersionNumber(1, 0, 1)
    library.publish("t/base", {**LLVM, "executor": "vm"})
    assert library.publish("t/heir", {"tag": "t/base"}).number == VersionNumber(1, 1, 0)
    library.publish("t/base", {**LLVM, "mcpu": "y"})
    assert library.publish("t/heir", {"tag": "t/base"}).number == VersionNumber(2, 0, 0)


# Lines of active versions


leaf_sets = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)
lines = st.dictionaries(
    st.builds(VersionNumber, st.integers(1, 2), st.integers(0, 3), st.integers(0, 1)),
    leaf_sets,
    max_size=6,
)


def machine(leaves: list[str]) -> Edition:
    devices: list[Json] = [{**LLVM, "mcpu": name} for name in leaves]
    return edition({"kind": "composite", "devices": devices})


@given(lines)
def test_a_loss_is_the_lowest_step_of_a_major_that_drops_a_record(
    line: dict[VersionNumber, list[str]],
) -> None:
    losses = [
        (lower, higher)
        for lower, higher in pairwise(sorted(line))
        if lower.major == higher.major and Counter(line[lower]) - Counter(line[higher])
    ]
    editions = {number: machine(leaves) for number, leaves in line.items()}
    assert find_loss(editions, KINDS) == next(iter(losses), None)


@given(st.lists(leaf_sets, min_size=2, max_size=6), st.data())
def test_yanking_versions_of_a_line_without_a_loss_makes_none(
    added: list[list[str]], data: st.DataObject
) -> None:
    """So a yank needs no check: only unyanking does."""
    leaves = accumulate(added)
    line = {VersionNumber(1, minor, 0): machine(own) for minor, own in enumerate(leaves)}
    assert find_loss(line, KINDS) is None
    active = data.draw(st.sets(st.sampled_from(sorted(line))))
    assert find_loss({number: line[number] for number in active}, KINDS) is None
    for lower, higher in combinations(sorted(active), 2):
        assert not loses_records(line[lower], line[higher], KINDS)
