"""Resolution of bodies: parents, mixins, composition, and contradictions."""

from typing import Any

import pytest

from registry.domain.document import Json
from registry.domain.errors import Code
from registry.domain.resolution.body_references import Relation, body_references
from registry.domain.resolution.merging import Dependency
from tests.domain.builders import Library, faults, refusal, target_of

CPU: dict[str, Any] = {"kind": "llvm", "mcpu": "cpu", "libs": ["a"]}
AOT: Json = {
    "executor": {"kind": "aot", "unpacked-api": True, "interface-api": "c"},
    "runtime": "crt",
}


@pytest.fixture
def library() -> Library:
    library = Library()
    library.publish("t/cpu", CPU)
    library.publish("t/gpu", {"kind": "cuda", "arch": "sm_90", "host": "t/cpu"})
    library.publish("m/aot", AOT)
    return library


def test_names_of_kinds_resolve_to_objects(library: Library) -> None:
    body: Json = {
        "kind": "composite",
        "devices": ["c"],
        "host": "llvm",
        "executor": "vm",
        "runtime": "cpp",
    }
    assert library.resolve(body).target == {
        "kind": "composite",
        "devices": [{"kind": "c"}],
        "host": {"kind": "llvm"},
        "executor": {"kind": "vm"},
        "runtime": {"kind": "cpp"},
    }


def test_a_reference_composes_at_every_target_position(library: Library) -> None:
    body: Json = {
        "kind": "composite",
        "devices": {"a": "t/cpu", "b": {"kind": "c", "host": "t/cpu"}},
    }
    target = target_of(body, library)
    assert target["devices"] == {"a": CPU, "b": {"kind": "c", "host": CPU}}


def test_an_object_with_a_tag_inherits_at_every_target_position(library: Library) -> None:
    heir: Json = {"tag": "t/cpu", "num-cores": 2, "libs": None}
    body: Json = {
        "kind": "composite",
        "devices": [heir, {"kind": "cuda", "host": heir}],
        "host": heir,
    }
    inherited = {"kind": "llvm", "mcpu": "cpu", "num-cores": 2}
    assert target_of(body, library) == {
        "kind": "composite",
        "devices": [inherited, {"kind": "cuda", "host": inherited}],
        "host": inherited,
    }


def test_a_parent_without_overrides_resolves_to_its_target(library: Library) -> None:
    assert target_of({"tag": "t/cpu"}, library) == CPU
    assert target_of({"tag": ["t/cpu"]}, library) == CPU


def test_references_are_resolved_in_target_positions_only(library: Library) -> None:
    body: Json = {"kind": "llvm", "model": "t/cpu", "libs": ["t/cpu"], "flow": {"x.y": "t/cpu"}}
    assert not body_references(body)
    assert library.resolve(body).target == body
    assert not body_references({"kind": "c", "executor": "t/cpu", "flow": {"tag": "t/cpu"}})


def test_an_executor_cannot_inherit(library: Library) -> None:
    fault = faults({"kind": "c", "executor": {"kind": "aot", "tag": "t/cpu"}})["/executor/tag"]
    assert fault.code == "OPTION_UNKNOWN"


# Mixins


def test_a_mixin_is_applied_over_the_parent(library: Library) -> None:
    target = target_of({"tag": ["t/cpu", "m/aot"]}, library)
    assert target == {
        **CPU,
        "executor": {"kind": "aot", "unpacked-api": True, "interface-api": "c"},
        "runtime": {"kind": "crt"},
    }


def test_edits_and_nulls_in_a_mixin_apply_where_it_is_used(library: Library) -> None:
    body: Json = {
        "mcpu": None,
        "libs": {"$append": ["b"]},
        "host": {"num-cores": 2},
        "flow": {"link-params": None},
    }
    assert library.publish("m/patch", body).target == body
    library.publish("t/full", {**CPU, "host": "c", "flow": {"link-params": True, "x.y": 1}})
    library.publish("t/full", {**CPU, "host": "llvm", "flow": {"link-params": True, "x.y": 1}})
    target = target_of({"tag": ["t/full", "m/patch"]}, library)
    assert target == {
        "kind": "llvm",
        "libs": ["a", "b"],
        "host": {"kind": "llvm", "num-cores": 2},
        "flow": {"x.y": 1},
    }


def test_references_and_names_in_a_mixin_are_resolved_on_publishing(
    library: Library,
) -> None:
    mixin = library.publish("m/host", {"host": "t/cpu", "executor": "vm"})
    assert mixin.target == {"host": CPU, "executor": {"kind": "vm"}}
    library.publish("t/cpu", {**CPU, "mcpu": "newer"})
    target = target_of({"tag": ["t/gpu", "m/host"]}, library)
    assert target["host"] == CPU


def test_devices_in_a_mixins_edit_are_resolved(library: Library) -> None:
    mixin = library.publish("m/more", {"devices": {"$append": ["t/cpu", "c"], "$remove": ["test"]}})
    assert mixin.target == {
        "devices": {"$append": [CPU, {"kind": "c"}], "$remove": [{"kind": "test"}]}
    }
    library.publish("t/pair", {"kind": "composite", "devices": ["test", "c"]})
    target = target_of({"tag": ["t/pair", "m/more"]}, library)
    assert target["devices"] == [{"kind": "c"}, CPU]


def test_mixins_apply_left_to_right_and_overrides_last(library: Library) -> None:
    library.publish("m/one", {"model": "one", "libs": {"$append": ["1"]}})
    library.publish("m/two", {"model": "two", "libs": {"$append": ["2"]}})
    target = target_of({"tag": ["t/cpu", "m/one", "m/two"]}, library)
    assert (target["model"], target["libs"]) == ("two", ["a", "1", "2"])
    target = target_of({"tag": ["t/cpu", "m/two", "m/one"], "model": "own"}, library)
    assert (target["model"], target["libs"]) == ("own", ["a", "2", "1"])
    target = target_of({"tag": ["t/cpu", "m/one", "m/one"]}, library)
    assert target["libs"] == ["a", "1"]


def test_a_fault_in_a_mixin_is_reported_at_the_object_that_names_it(
    library: Library,
) -> None:
    library.publish("m/edit", {"arch": None, "libs": {"$append": ["b"]}})
    library.put("t/odd", {"kind": "cuda", "libs": "scalar"})
    body: Json = {"kind": "composite", "devices": [{"tag": ["t/odd", "m/edit"]}]}
    fault = faults(body, library)["/devices/0"]
    assert fault.code == "EDIT_WITHOUT_LIST"
    assert "m/edit@1.0.0" in fault.message
    assert "/libs" in fault.message


@pytest.mark.parametrize(
    ("body", "pointer", "code", "named"),
    [
        ({"tag": "m/aot"}, "", Code.PARENT_INVALID, "m/aot@1.0.0"),
        ({"tag": ["m/aot", "t/cpu"]}, "", Code.PARENT_INVALID, "m/aot@1.0.0"),
        ({"tag": ["t/cpu", "t/gpu"]}, "", Code.PARENT_INVALID, "t/gpu@1.0.0"),
        ({"kind": "c", "host": {"tag": "m/aot"}}, "/host", Code.PARENT_INVALID, "m/aot@1.0.0"),
        ({"kind": "c", "host": "m/aot"}, "/host", Code.NOT_A_TARGET, "m/aot@1.0.0"),
        (
            {"kind": "composite", "devices": ["c", "m/aot"]},
            "/devices/1",
            Code.NOT_A_TARGET,
            "m/aot",
        ),
        ({"tag": "t/gpu", "host": "m/aot"}, "/host", Code.NOT_A_TARGET, "m/aot"),
    ],
)
def test_mixins_and_whole_targets_in_wrong_positions_are_rejected(
    library: Library, body: Json, pointer: str, code: Code, named: str
) -> None:
    refused = refusal(lambda: library.resolve(body))
    assert refused.code == code
    fault = refused.faults[0]
    assert fault.pointer == pointer
    assert named in fault.message
    assert fault.expected


# What does not go together


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"tag": "t/cpu", "kind": "llvm"}, "/kind", "KIND_BESIDE_TAG"),
        ({"tag": "t/cpu", "kind": None}, "/kind", "KIND_BESIDE_TAG"),
        ({"kind": "c", "host": {"tag": "t/cpu", "kind": "llvm"}}, "/host/kind", "KIND_BESIDE_TAG"),
        ({"kind": "c", "mcpu": None}, "/mcpu", "EDIT_MISPLACED"),
        ({"kind": None}, "/kind", "EDIT_MISPLACED"),
        ({"kind": "c", "flow": {"link-params": None}}, "/flow/link-params", "EDIT_MISPLACED"),
        ({"kind": "c", "host": None}, "/host", "EDIT_MISPLACED"),
        ({"kind": "composite", "devices": [None]}, "/devices/0", "EDIT_MISPLACED"),
        ({"kind": "composite", "devices": {"a": None}}, "/devices/a", "EDIT_MISPLACED"),
        ({"tag": "t/gpu", "host": {"kind": "c", "mcpu": None}}, "/host/mcpu", "EDIT_MISPLACED"),
        ({"tag": "t/gpu", "executor": {"kind": "aot", "x": None}}, "/executor/x", "EDIT_MISPLACED"),
        ({"tag": "t/gpu", "devices": [{"mcpu": None}]}, "/devices/0/mcpu", "EDIT_MISPLACED"),
        ({"host": {"kind": "c", "mcpu": None}}, "/host/mcpu", "EDIT_MISPLACED"),
        (
            {"devices": {"$append": [{"kind": "c", "mcpu": None}]}},
            "/devices/$append/0/mcpu",
            "EDIT_MISPLACED",
        ),
        ({"kind": "c", "libs": {"$append": ["x"]}}, "/libs", "EDIT_MISPLACED"),
        ({"kind": "c", "libs": {"$remove": ["x"]}}, "/libs", "EDIT_MISPLACED"),
        ({"kind": "composite", "devices": {"$append": ["c"]}}, "/devices", "EDIT_MISPLACED"),
        (
            {"tag": "t/gpu", "host": {"kind": "c", "libs": {"$append": []}}},
            "/host/libs",
            "EDIT_MISPLACED",
        ),
        ({"tag": "t/cpu", "libs": {"$append": ["x"], "also": 1}}, "/libs", "EDIT_MIXED"),
        ({"libs": {"$append": ["x"], "also": 1}}, "/libs", "EDIT_MIXED"),
        ({"tag": "t/cpu", "libs": {"$append": "x"}}, "/libs/$append", "VALUE_TYPE"),
        ({"tag": "t/cpu", "libs": {"$remove": None}}, "/libs/$remove", "VALUE_TYPE"),
    ],
)
def test_contradictory_bodies_are_rejected(
    library: Library, body: Json, pointer: str, code: str
) -> None:
    fault = faults(body, library)[pointer]
    assert fault.code == code
    assert fault.message


def test_an_edit_as_a_whole_body_is_rejected(library: Library) -> None:
    codes = {
        fault.code
        for fault in refusal(lambda: library.resolve({"tag": "t/cpu", "$append": []})).faults
    }
    assert codes == {"EDIT_MISPLACED", "EDIT_MIXED"}
    assert faults({"$append": []})[""].code == "VALUE_TYPE"


def test_all_faults_of_a_body_are_reported_together(library: Library) -> None:
    body: Json = {
        "kind": "composite",
        "model": None,
        "devices": [{"tag": "t/cpu", "kind": "c"}, None],
        "host": "m/aot",
    }
    assert set(faults(body, library)) == {"/model", "/devices/0/kind", "/devices/1", "/host"}


# References of a body


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"tag": "aws"}, ""),
        ({"tag": ""}, ""),
        ({"tag": None}, ""),
        ({"tag": 5}, ""),
        ({"tag": []}, ""),
        ({"tag": {}}, ""),
        ({"tag": ["t/cpu", "llvm"]}, ""),
        ({"tag": ["t/cpu", ["t/cpu"]]}, ""),
        ({"kind": "c", "host": "AWS/c4"}, "/host"),
        ({"kind": "c", "host": "a/b@01"}, "/host"),
        ({"kind": "c", "host": {"tag": "a/b@1.2.3.4"}}, "/host"),
        ({"kind": "composite", "devices": ["c", "a/b@"]}, "/devices/1"),
        ({"kind": "composite", "devices": {"x": "a/b@x"}}, "/devices/x"),
        ({"tag": "t/cpu", "devices": {"$append": ["a/b\n"]}}, "/devices/$append/0"),
        ({"kind": "c", "host": "a/" + "b" * 260}, "/host"),
    ],
)
def test_an_invalid_parent_is_rejected(body: Json, pointer: str) -> None:
    refused = refusal(lambda: body_references(body))
    assert refused.code == Code.BODY_INVALID
    (fault,) = refused.faults
    assert (fault.pointer, fault.code) == (pointer, Code.REFERENCE_INVALID)
    assert "namespace/name" in fault.expected
    assert fault.found or body == {"tag": ""}
    assert not refused.detail.endswith("..")


@pytest.mark.parametrize("body", [[], "a/b", "llvm", 5, None, True])
def test_a_body_must_be_an_object(body: Json) -> None:
    refused = refusal(lambda: body_references(body))
    assert refused.code == Code.BODY_INVALID
    assert refused.faults[0].expected == "an object"


def test_references_of_a_body_have_their_pointers(library: Library) -> None:
    body: Json = {
        "tag": ["t/gpu@1", "m/aot"],
        "host": "t/cpu",
        "devices": {"$append": ["t/cpu@1.0.0", {"tag": "t/cpu"}]},
        "libs": ["t/cpu"],
    }
    assert [(r.pointer, str(r.reference), r.relation) for r in body_references(body)] == [
        ("", "t/gpu@1", Relation.INHERITS),
        ("", "m/aot", Relation.INHERITS),
        ("/host", "t/cpu", Relation.COMPOSES),
        ("/devices/$append/0", "t/cpu@1.0.0", Relation.COMPOSES),
        ("/devices/$append/1", "t/cpu", Relation.INHERITS),
    ]


def test_dependencies_have_pointers_into_the_target(library: Library) -> None:
    library.publish("t/pair", {"kind": "composite", "devices": ["t/cpu"]})
    body: Json = {
        "tag": ["t/pair", "m/aot"],
        "host": "t/cpu@1",
        "devices": {"$append": ["t/gpu", "t/cpu"]},
    }
    assert library.resolve(body).dependencies == (
        Dependency("", "t/pair", "t/pair@1.0.0", Relation.INHERITS),
        Dependency("", "m/aot", "m/aot@1.0.0", Relation.INHERITS),
        Dependency("/devices/1", "t/gpu", "t/gpu@1.0.0", Relation.COMPOSES),
        # It was there already, so no node comes of it.
        Dependency("/devices/$append/1", "t/cpu", "t/cpu@1.0.0", Relation.COMPOSES),
        Dependency("/host", "t/cpu@1", "t/cpu@1.0.0", Relation.COMPOSES),
    )


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"tag": "t/gpu@1#/host"}, ""),
        ({"tag": ["t/cpu", "t/gpu#/host"]}, ""),
        ({"kind": "composite", "devices": {"a": "t/gpu@1.0.0#/host"}}, "/devices/a"),
        ({"kind": "c", "host": {"tag": "t/gpu#"}}, "/host"),
    ],
)
def test_a_node_is_no_parent(library: Library, body: Json, pointer: str) -> None:
    (fault,) = faults(body, library).values()
    assert (fault.pointer, fault.code) == (pointer, Code.REFERENCE_INVALID)
    assert fault.message.startswith("Nodes are not parents: ")
    assert "names a node of a target with its #" in fault.message
