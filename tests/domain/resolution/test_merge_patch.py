"""An override of plain values is a JSON Merge Patch (RFC 7396)."""

import pytest
from hypothesis import given

from registry.domain.document import Json, canonical
from registry.domain.errors import Fault
from registry.domain.resolution.composition import Position
from registry.domain.resolution.overrides import apply_override
from registry.domain.resolution.provenance_tree import Tree, read_tree, tree_to_json
from tests.domain.strategies import documents

# RFC 7396, appendix A: original, patch, result.
APPENDIX_A: list[tuple[Json, Json, Json]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


def plain(value: Json) -> Tree:
    return read_tree(value, lambda _: None, Position.PLAIN)


def merged(base: Json, patch: Json) -> Json:
    reported: list[Fault] = []
    tree = apply_override(plain(base), plain(patch), Position.PLAIN, "", reported.append)
    assert not reported
    return None if tree is None else tree_to_json(tree)


@pytest.mark.parametrize(("base", "patch", "result"), APPENDIX_A, ids=range(1, 16))
def test_the_appendix_of_rfc_7396(base: Json, patch: Json, result: Json) -> None:
    assert merged(base, patch) == result


@pytest.mark.parametrize("key", ["kind", "tag", "host", "devices", "executor", "mattr"])
def test_keys_have_no_special_meaning_in_a_plain_value(key: str) -> None:
    assert merged({"a": {key: 1, "b": 2}}, {"a": {key: 3}}) == {"a": {key: 3, "b": 2}}


def rfc_7396(base: Json, patch: Json) -> Json:
    """Apply MergePatch as defined in section 2 of the RFC."""
    if not isinstance(patch, dict):
        return patch
    result = dict(base) if isinstance(base, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = rfc_7396(result.get(name), value)
    return result


@given(documents, documents)
def test_a_plain_override_is_a_merge_patch(base: Json, patch: Json) -> None:
    assert canonical(merged(base, patch)) == canonical(rfc_7396(base, patch))
