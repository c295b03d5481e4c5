"""Laws for every body: closedness, provenance, lineage, and independence of key order."""

import contextlib
import json
import random
from typing import Any

from hypothesis import given, settings, strategies as st

from registry.domain.checks.checks import check_target
from registry.domain.document import Json, parse_json
from registry.domain.errors import Refused
from registry.domain.keys.tuning import tuning_keys
from registry.domain.kinds.kinds import COMPONENTS
from registry.domain.resolution.body_references import body_references
from registry.domain.resolution.merging import PublishedVersion
from registry.domain.resolution.resolution import resolve_body
from tests.domain.builders import KINDS, Library, leaves, reordered
from tests.domain.strategies import bodies, documents, libraries, targets
from tests.profiles import examples
from ttag_rules.nodes import is_edit, nodes
from ttag_rules.pointer import look_up, natural_key


def names(library: Library) -> tuple[list[str], list[str]]:
    whole = [tag for tag in library.versions if not library.versions[tag][0].published.is_mixin]
    return whole, sorted(set(library.versions) - set(whole))


def drawn(data: st.DataObject, library: Library) -> dict[str, Any] | None:
    """Resolve a drawn body over a library; None if it is rejected."""
    body = data.draw(bodies(*names(library)))
    try:
        check_target(library.resolve(body).target, KINDS)
    except Refused:
        return None
    return body


@given(libraries(), st.data())
def test_resolving_a_target_changes_nothing(library: Library, data: st.DataObject) -> None:
    if body := drawn(data, library):
        once = library.resolve(body)
        assert not body_references(once.target)
        again = resolve_body(parse_json(once.text), {})
        assert again.text == once.text
        assert not again.dependencies
        assert set(again.provenance.values()) <= {None}


@given(libraries(), st.data(), st.integers(0, 9))
def test_key_order_does_not_matter(library: Library, data: st.DataObject, seed: int) -> None:
    if body := drawn(data, library):
        shuffled = random.Random(seed)  # noqa: S311 - a shuffle, no secret
        other = reordered(body, lambda keys: shuffled.sample(keys, len(keys)))
        one, two = library.resolve(body), library.resolve(other)
        assert two.text == one.text
        assert two.provenance == one.provenance
        assert two.dependencies == one.dependencies
        assert two.lineage == one.lineage
        assert tuning_keys(two.target, KINDS) == tuning_keys(one.target, KINDS)


def test_labels_with_equal_numbers_have_a_fixed_order() -> None:
    library = Library()
    library.publish("t/a", {"kind": "c", "mcpu": "a"})
    library.publish("t/b", {"kind": "c", "mcpu": "b"})
    one = library.resolve({"kind": "composite", "devices": {"m1": "t/a", "m01": "t/b"}})
    two = library.resolve({"kind": "composite", "devices": {"m01": "t/b", "m1": "t/a"}})
    assert one.dependencies == two.dependencies
    assert one.lineage == two.lineage


@given(libraries())
def test_an_empty_override_changes_nothing(library: Library) -> None:
    for tag in names(library)[0]:
        parent = library.versions[tag][-1].resolution
        heir = library.resolve({"tag": tag})
        assert heir.text == parent.text
        empty: dict[str, Json] = {part: {} for part in STRUCTURED & parent.target.keys()}
        assert library.resolve({"tag": tag, **empty}).text == parent.text


STRUCTURED = {"host", "executor", "runtime", "flow", "hardware"}


@given(libraries())
def test_a_resolved_target_is_closed(library: Library) -> None:
    for tag in names(library)[0]:
        target = library.versions[tag][-1].resolution.target
        assert_closed(target)
        for node in nodes(target):
            assert node.kind in KINDS.targets
            for part in COMPONENTS & node.value.keys():
                assert isinstance(node.value[part], dict)


def assert_closed(value: Json) -> None:
    assert value is not None
    assert not is_edit(value)
    if isinstance(value, dict):
        assert "tag" not in value
        for item in value.values():
            assert_closed(item)
    elif isinstance(value, list):
        for item in value:
            assert_closed(item)


@given(libraries())
def test_provenance_covers_every_value_once(library: Library) -> None:
    for versions in library.versions.values():
        resolution = versions[-1].resolution
        if not versions[-1].published.is_mixin:
            assert set(resolution.provenance) == set(leaves(resolution.target))
        assert set(resolution.provenance.values()) <= {None, *resolution.ancestors}


def test_provenance_of_inherited_composed_and_own_values() -> None:
    library = Library()
    library.publish(
        "t/base",
        {"kind": "llvm", "mcpu": "x", "model": "m", "libs": ["a"], "mattr": ["+a"], "hardware": {}},
    )
    library.publish("m/mix", {"model": "n", "libs": {"$append": ["b"]}, "executor": "vm"})
    library.publish("t/mid", {"tag": ["t/base", "m/mix"], "num-cores": 2})
    body: Json = {
        "tag": "t/mid",
        "mcpu": "x",  # restating an equal value sets it
        "mattr": {"$append": ["+b"]},
        "host": {"tag": "t/base", "model": "own"},
        "flow": {},
    }
    resolution = library.resolve(body)
    assert resolution.provenance == {
        "/kind": "t/base@1.0.0",
        "/mcpu": None,
        "/model": "m/mix@1.0.0",
        "/libs": "m/mix@1.0.0",
        "/mattr": None,
        "/num-cores": "t/mid@1.0.0",
        "/executor/kind": "m/mix@1.0.0",
        "/host/kind": "t/base@1.0.0",
        "/host/mcpu": "t/base@1.0.0",
        "/host/libs": "t/base@1.0.0",
        "/host/mattr": "t/base@1.0.0",
        "/host/model": None,
    }
    assert resolution.target["flow"] == {}
    assert resolution.target["hardware"] == {}


# Lineage


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Draw, for each version, the earlier ones that it is made from."""
    size = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(0, n - 1), max_size=3)) if n else [] for n in range(size)]


def published(graph: list[list[int]]) -> list[PublishedVersion]:
    """Inherit from the first version and compose the others, in a list or by label."""
    library, versions = Library(), []
    for index, uses in enumerate(graph):
        tags = [f"g/v{used}" for used in uses]
        body: Json = {"kind": "composite", "devices": [*tags, "c"], "model": str(index)}
        if tags and index % 2:
            body = {"tag": tags[0], "model": str(index), "devices": [*tags[1:], "c"]}
        versions.append(library.put(f"g/v{index}", body))
    return versions


def breadth_first(graph: list[list[int]], root: int) -> list[int]:
    visited: list[int] = []
    ahead = list(dict.fromkeys(graph[root]))
    while ahead:
        fresh = [node for node in dict.fromkeys(ahead) if node not in visited]
        visited += fresh
        ahead = [used for node in fresh for used in dict.fromkeys(graph[node])]
    return visited


def longest(graph: list[list[int]], root: int) -> int:
    return max((1 + longest(graph, used) for used in graph[root]), default=0)


@settings(max_examples=examples(5))
@given(graphs())
def test_lineage_is_breadth_first(graph: list[list[int]]) -> None:
    for index, version in enumerate(published(graph)):
        flat = [exact for level in version.lineage for exact in level]
        assert flat == [f"g/v{used}@1.0.0" for used in breadth_first(graph, index)]
        assert version.depth == longest(graph, index)


@given(libraries())
def test_dependencies_are_in_order_with_the_roots_parents_first(library: Library) -> None:
    for versions in library.versions.values():
        resolution = versions[-1].resolution
        pointers = [use.pointer for use in resolution.dependencies]
        assert pointers == sorted(pointers, key=natural_key)
        direct = tuple(dict.fromkeys(use.resolved for use in resolution.dependencies))
        assert resolution.lineage[:1] == ((direct,) if direct else ())


# Whatever stands in a body


WORDS = st.sampled_from(
    [
        "kind",
        "tag",
        "host",
        "devices",
        "executor",
        "runtime",
        "flow",
        "hardware",
        "mattr",
        "libs",
        "$append",
        "$remove",
        "a",
        "mcpu",
    ]
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-1, 1),
        st.sampled_from(["llvm", "composite", "t/a", "m/a", "aot", "+x", "x"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=15,
)


@settings(max_examples=examples(6))
@given(st.one_of(ANYTHING, documents, targets.map(lambda target: {"tag": "t/a", **target})))
def test_any_json_is_resolved_or_rejected(document: Json) -> None:
    library = Library()
    library.publish("t/a", {"kind": "composite", "devices": ["c"], "libs": ["x"]})
    library.publish(
        "m/a", {"libs": {"$append": ["y"]}, "host": {"mcpu": "z"}, "devices": {"$remove": ["c"]}}
    )
    with contextlib.suppress(Refused):
        body = parse_json(json.dumps(document))
        if all(request.reference.text in library.versions for request in body_references(body)):
            resolution = library.resolve(body)
            check_target(resolution.target, KINDS)
            for pointer in tuning_keys(resolution.target, KINDS):
                assert isinstance(look_up(resolution.target, pointer), dict)
