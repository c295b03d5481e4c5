"""The rules give the tuning keys, build keys and closed nodes that the test vectors say."""

from typing import Any

import pytest

from registry.domain.checks.checks import check_target
from registry.domain.closed_nodes import close_node
from registry.domain.document import is_same_json
from registry.domain.keys.build_key import compute_build, compute_node_build, consumed_values
from registry.domain.keys.tuning import leaves, preimage, tuning_keys
from registry.domain.kinds.kinds import Kind
from registry.domain.resolution.composition import is_mixin
from tests import vectors
from tests.domain.builders import KINDS
from tests.vectors import BuildCase, NodeCase, TuningCase, second_implementation

FACTS = vectors.kind_facts()


def facts_of(kind: Kind) -> dict[str, Any]:
    """Return the facts about a kind as `kind_facts.json` states them."""
    options = {}
    for name, option in kind.options.items():
        stated = {
            "default": option.default,
            "derived": option.derived,
            "derived_where": dict(option.derived_where) if option.derived_where else None,
            "host_dependent": list(option.host_dependent) or None,
            "is_annotation": option.is_annotation or None,
        }
        known = {key: value for key, value in stated.items() if value is not None}
        options[name] = {"affects_tuning": option.affects_tuning, **known}
    options.pop("kind", None)
    return {"keys": list(kind.default_keys), "options": options}


@pytest.mark.parametrize("name", sorted(FACTS))
def test_facts_are_those_of_the_shipped_kind(name: str) -> None:
    assert facts_of(KINDS[name]) == FACTS[name]


def relation(keys: list[str | None]) -> str:
    """Return how keys are related."""
    if not any(keys):
        return "none"
    if len(set(keys)) == 1:
        return "same"
    return "different" if len(set(keys)) == len(keys) and all(keys) else "mixed"


@pytest.mark.parametrize("case", vectors.tuning_cases(), ids=str)
def test_tuning_keys_are_those_of_the_vectors(case: TuningCase) -> None:
    assert len(case.leaves) > 1
    for stated in case.leaves:
        target, pointer = stated["target"], stated["pointer"]
        if not case.stored_only:
            check_target(target, KINDS)
        leaf = next(leaf for leaf in leaves(target) if leaf.pointer == pointer)
        assert is_same_json(preimage(leaf, KINDS), stated["preimage"])
        assert tuning_keys(target, KINDS).get(pointer) == stated["key"]
    assert relation([stated["key"] for stated in case.leaves]) == case.keys


@pytest.mark.parametrize("case", vectors.tuning_cases(), ids=str)
def test_the_vectors_suffice_for_a_second_implementation(case: TuningCase) -> None:
    for stated in case.leaves:
        digested, has_key = second_implementation.preimage(
            stated["target"], stated["pointer"], FACTS
        )
        assert is_same_json(digested, stated["preimage"])
        key = second_implementation.sha256("tk1", digested)
        assert stated["key"] == (key if has_key else None)


@pytest.mark.parametrize("case", vectors.build_cases(), ids=str)
def test_build_keys_are_those_of_the_vectors(case: BuildCase) -> None:
    assert len(case.targets) > 1
    for stated in case.targets:
        target, digested = stated["target"], stated["digested"]
        build = compute_build(target, KINDS)
        assert (build.digest or None, build.key) == (stated["digest"], stated["key"])
        if is_mixin(target):
            assert stated["digest"] is digested is None
            continue
        check_target(target, KINDS)
        assert is_same_json(consumed_values(target, KINDS), digested)
        assert second_implementation.sha256("bk1", digested) == stated["digest"]
    digests = [stated["digest"] for stated in case.targets]
    assert (case.digests == "different") == (len(set(digests)) == len(digests))
    assert (case.digests == "same") == (len(set(digests)) == 1)


@pytest.mark.parametrize("case", vectors.node_cases(), ids=str)
def test_closed_nodes_are_those_of_the_vectors(case: NodeCase) -> None:
    check_target(case.target, KINDS)
    check_target(case.node, KINDS)
    closed = close_node(case.target, case.pointer)
    assert is_same_json(closed.target, case.node)
    assert list(closed.codegens) == case.codegens
    assert closed.select(tuning_keys(case.target, KINDS)) == case.tuning_keys
    build = compute_node_build(closed, KINDS)
    assert (build.digest, build.key) == (case.build_digest, case.build_key)
    digested: Any = consumed_values(case.node, KINDS)
    if case.codegens:
        digested = {"codegens": case.codegens, "target": digested}
    assert second_implementation.sha256("bk1", digested) == case.build_digest


def test_there_are_vectors_for_what_changes_a_key_and_what_does_not() -> None:
    for relations in (
        [case.keys for case in vectors.tuning_cases()],
        [case.digests for case in vectors.build_cases()],
    ):
        assert min(relations.count("same"), relations.count("different")) > 3
