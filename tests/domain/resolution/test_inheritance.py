"""The override rules, row by row and position by position."""

import copy
from typing import Any

import pytest

from registry.domain.document import Json
from tests.domain.builders import Library, faults, target_of

CORE: dict[str, Any] = {"kind": "llvm", "mcpu": "core"}
BOARD: dict[str, Any] = {
    "kind": "cuda",
    "arch": "sm_53",
    "keys": ["cuda", "gpu"],
    "libs": ["cudnn", "cublas"],
    "max_threads_per_block": 1024,
    "host": {"kind": "llvm", "mcpu": "cortex-a57", "mattr": ["+neon", "-sve", "+crc"]},
    "executor": {"kind": "aot", "interface-api": "packed"},
    "runtime": {"kind": "cpp", "system-lib": True},
    "flow": {"link-params": True, "enable-byoc": ["a", "b"]},
    "hardware": {"vendor": "NVIDIA", "peak_ops_per_s": {"fp32": 1, "fp16": 2}},
}
PAIR: dict[str, Any] = {"kind": "composite", "devices": [CORE, {"kind": "c"}]}
LABELLED: dict[str, Any] = {"kind": "composite", "devices": {"a": CORE, "b": {"kind": "c"}}}


@pytest.fixture
def library() -> Library:
    library = Library()
    library.publish("t/core", CORE)
    library.publish("t/board", BOARD)
    library.publish("t/pair", PAIR)
    library.publish("t/labelled", LABELLED)
    return library


def without(body: dict[str, Any], *path: str) -> dict[str, Any]:
    changed = copy.deepcopy(body)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return changed


def with_value(body: dict[str, Any], value: Json, *path: str) -> dict[str, Any]:
    changed = copy.deepcopy(body)
    inner = changed
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
    inner[path[-1]] = value
    return changed


def nested(value: Any, *path: str) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


PATHS = [
    ("arch",),
    ("libs",),
    ("host",),
    ("host", "mcpu"),
    ("host", "mattr"),
    ("executor",),
    ("executor", "interface-api"),
    ("runtime",),
    ("runtime", "system-lib"),
    ("flow",),
    ("flow", "enable-byoc"),
    ("hardware",),
    ("hardware", "peak_ops_per_s"),
    ("hardware", "peak_ops_per_s", "fp32"),
]


@pytest.mark.parametrize("path", PATHS, ids="/".join)
def test_null_removes(library: Library, path: tuple[str, ...]) -> None:
    body = {"tag": "t/board", **nested(None, *path)}
    assert library.resolve(body).target == without(BOARD, *path)


@pytest.mark.parametrize("path", [("model",), ("host", "model"), ("runtime", "x"), ("flow", "x.y")])
def test_null_over_an_absent_key_leaves_nothing(library: Library, path: tuple[str, ...]) -> None:
    body = {"tag": "t/board", **nested(None, *path)}
    assert library.resolve(body).target == BOARD


def test_null_removes_a_labelled_device(library: Library) -> None:
    target = target_of({"tag": "t/labelled", "devices": {"a": None}}, library)
    assert target["devices"] == {"b": {"kind": "c"}}


REPLACING = [
    (("host",), {"kind": "c"}, {"kind": "c"}),
    (("host",), "c", {"kind": "c"}),
    (("host",), "t/core", CORE),
    (("host",), {"tag": "t/core"}, CORE),
    (("host",), {"tag": "t/core", "num-cores": 2}, {**CORE, "num-cores": 2}),
    (("executor",), "vm", {"kind": "vm"}),
    (("executor",), "aot", {"kind": "aot"}),
    (("executor",), {"kind": "aot"}, {"kind": "aot"}),
    (("runtime",), "crt", {"kind": "crt"}),
    (("runtime",), {"kind": "cpp"}, {"kind": "cpp"}),
]


@pytest.mark.parametrize(("path", "value", "result"), REPLACING)
def test_an_object_with_a_kind_or_tag_replaces(
    library: Library, path: tuple[str, ...], value: Json, result: Json
) -> None:
    target = library.resolve({"tag": "t/board", **nested(value, *path)}).target
    assert target == with_value(BOARD, result, *path)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ({"kind": "c"}, {"kind": "c"}),
        ("c", {"kind": "c"}),
        ("t/board", BOARD),
        ({"tag": "t/board", "host": None}, without(BOARD, "host")),
    ],
)
@pytest.mark.parametrize("label", ["a", "new"])
def test_a_labelled_device_is_replaced_or_added(
    library: Library, label: str, value: Json, result: Json
) -> None:
    target = library.resolve({"tag": "t/labelled", "devices": {label: value}}).target
    assert target == with_value(LABELLED, result, "devices", label)


MERGING = [
    (("host",), {"num-cores": 4}),
    (("executor",), {"unpacked-api": True}),
    (("runtime",), {"system-lib": False}),
    (("flow",), {"link-params": False, "x.y": 1}),
    (("hardware",), {"cores": 4}),
    (("hardware", "peak_ops_per_s"), {"fp32": 3, "int8": 4}),
]


@pytest.mark.parametrize(("path", "patch"), MERGING)
def test_an_object_merges_key_by_key(
    library: Library, path: tuple[str, ...], patch: dict[str, Any]
) -> None:
    inherited: Any = BOARD
    for key in path:
        inherited = inherited[key]
    target = library.resolve({"tag": "t/board", **nested(patch, *path)}).target
    assert target == with_value(BOARD, {**inherited, **patch}, *path)


def test_an_object_merges_into_a_labelled_device(library: Library) -> None:
    target = target_of({"tag": "t/labelled", "devices": {"a": {"num-cores": 2}}}, library)
    assert target == with_value(LABELLED, {**CORE, "num-cores": 2}, "devices", "a")


@pytest.mark.parametrize(
    "path", [(), ("host",), ("executor",), ("runtime",), ("flow",), ("hardware",)]
)
def test_an_empty_object_over_an_object_changes_nothing(
    library: Library, path: tuple[str, ...]
) -> None:
    assert library.resolve({"tag": "t/board", **nested({}, *path)}).target == BOARD


@pytest.mark.parametrize(
    ("path", "patch"),
    [
        (("host",), {"kind": "c", "mcpu": "x"}),  # absent: nothing is merged onto {}
        (("flow",), {"link-params": True}),
        (("flow",), {}),
        (("hardware", "peak_ops_per_s"), {"fp32": 1}),
        (("mcpu",), {"x": "y"}),  # over a scalar; the schemas refuse it later
        (("mcpu",), {}),
        (("mattr",), {"x": "y"}),  # over a list
    ],
)
def test_an_object_over_another_type_merges_onto_an_empty_object(
    library: Library, path: tuple[str, ...], patch: Json
) -> None:
    library.put("t/plain", {**CORE, "mattr": ["+a"]})
    target = library.resolve({"tag": "t/plain", **nested(patch, *path)}).target
    assert target == with_value({**CORE, "mattr": ["+a"]}, patch, *path)


def test_nulls_inside_an_object_over_nothing_are_dropped(library: Library) -> None:
    body = {"tag": "t/core", "flow": {"link-params": None, "x.y": 1}, "hardware": {"cores": None}}
    assert library.resolve(body).target == {**CORE, "flow": {"x.y": 1}, "hardware": {}}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("arch",), "sm_90"),
        (("libs",), ["z"]),
        (("libs",), []),
        (("keys",), ["z"]),
        (("max_threads_per_block",), 1),
        (("host", "mattr"), ["+z"]),
        (("flow", "enable-byoc"), ["z"]),
        (("flow", "link-params"), False),
        (("hardware", "peak_ops_per_s"), 5),
        (("flow",), "scalar"),
        (("flow",), ["list"]),
        (("executor",), 5),
        (("host",), ["list"]),
    ],
)
def test_any_other_value_replaces(library: Library, path: tuple[str, ...], value: Json) -> None:
    target = library.resolve({"tag": "t/board", **nested(value, *path)}).target
    assert target == with_value(BOARD, value, *path)


def test_a_list_of_devices_replaces_lists_and_labels(library: Library) -> None:
    for parent in ("t/pair", "t/labelled"):
        target = target_of({"tag": parent, "devices": ["t/core"]}, library)
        assert target["devices"] == [CORE]


def test_labels_replace_a_list_of_devices(library: Library) -> None:
    target = target_of({"tag": "t/pair", "devices": {"x": "c"}}, library)
    assert target["devices"] == {"x": {"kind": "c"}}


# Edits of lists


@pytest.mark.parametrize(
    ("edit", "result"),
    [
        ({"$append": ["x"]}, ["cudnn", "cublas", "x"]),
        ({"$append": ["cudnn"]}, ["cudnn", "cublas"]),
        ({"$append": ["x", "y", "x"]}, ["cudnn", "cublas", "x", "y"]),
        ({"$append": []}, ["cudnn", "cublas"]),
        ({"$remove": ["cudnn"]}, ["cublas"]),
        ({"$remove": ["absent"]}, ["cudnn", "cublas"]),
        ({"$remove": ["cudnn", "cublas"]}, []),
        ({"$remove": ["cud"]}, ["cudnn", "cublas"]),
        ({"$remove": ["cudnn"], "$append": ["cudnn"]}, ["cublas", "cudnn"]),
        ({"$append": ["x"], "$remove": ["x", "cublas"]}, ["cudnn", "x"]),
    ],
)
@pytest.mark.parametrize("path", [("libs",), ("host", "libs")])
def test_a_list_is_edited_in_place(
    library: Library, path: tuple[str, ...], edit: Json, result: Json
) -> None:
    host = {**CORE, "libs": ["cudnn", "cublas"]}
    library.publish("t/libs", {"kind": "cuda", "libs": ["cudnn", "cublas"], "host": host})
    target: Any = target_of({"tag": "t/libs", **nested(edit, *path)}, library)
    for key in path:
        target = target[key]
    assert target == result


@pytest.mark.parametrize(
    ("edit", "result"),
    [
        ({"$append": ["+fp16"]}, ["+neon", "-sve", "+crc", "+fp16"]),
        ({"$append": ["+neon"]}, ["-sve", "+crc", "+neon"]),
        ({"$append": ["-neon"]}, ["-sve", "+crc", "-neon"]),
        ({"$append": ["+sve"]}, ["+neon", "+crc", "+sve"]),
        ({"$append": ["+x", "-x"]}, ["+neon", "-sve", "+crc", "-x"]),
        ({"$append": ["-x", "+y", "+x"]}, ["+neon", "-sve", "+crc", "+y", "+x"]),
        ({"$remove": ["+sve"]}, ["+neon", "-sve", "+crc"]),
        ({"$remove": ["-sve"]}, ["+neon", "+crc"]),
        ({"$remove": ["+neon"], "$append": ["-crc"]}, ["-sve", "-crc"]),
    ],
)
def test_features_are_edited_by_name(library: Library, edit: Json, result: Json) -> None:
    target = target_of({"tag": "t/board", "host": {"mattr": edit}}, library)
    assert target["host"]["mattr"] == result


@pytest.mark.parametrize(
    ("edit", "result"),
    [
        ({"$append": ["c"]}, [CORE, {"kind": "c"}]),
        ({"$append": ["t/board"]}, [CORE, {"kind": "c"}, BOARD]),
        ({"$append": ["t/core"]}, [CORE, {"kind": "c"}]),
        (
            {"$append": [{"tag": "t/core", "num-cores": 2}]},
            [*PAIR["devices"], {**CORE, "num-cores": 2}],
        ),
        ({"$remove": ["c"]}, [CORE]),
        ({"$remove": ["t/core"]}, [{"kind": "c"}]),
        ({"$remove": [{"mcpu": "core", "kind": "llvm"}]}, [{"kind": "c"}]),
        ({"$remove": ["c", "t/core"], "$append": ["test"]}, [{"kind": "test"}]),
    ],
)
def test_devices_of_an_edit_are_resolved_first(library: Library, edit: Json, result: Json) -> None:
    assert library.resolve({"tag": "t/pair", "devices": edit}).target["devices"] == result


@pytest.mark.parametrize("path", [("libs",), ("mattr",), ("flow", "enable-byoc")])
def test_an_absent_list_is_edited_as_an_empty_one(library: Library, path: tuple[str, ...]) -> None:
    items = ["+a", "+b"] if path == ("mattr",) else ["a", "b"]
    edit = {"$remove": ["+x"], "$append": items}
    target: Any = target_of({"tag": "t/core", **nested(edit, *path)}, library)
    for key in path:
        target = target[key]
    assert target == items


@pytest.mark.parametrize(
    ("path", "result"),
    [
        (("arch",), "sm_53"),
        (("max_threads_per_block",), "1024"),
        (("flow", "link-params"), "true"),
        (("host",), "cortex-a57"),
        (("hardware", "peak_ops_per_s"), "fp32"),
    ],
)
def test_an_edit_of_anything_but_a_list_is_rejected(
    library: Library, path: tuple[str, ...], result: str
) -> None:
    pointer = "".join(f"/{key}" for key in path)
    fault = faults({"tag": "t/board", **nested({"$append": ["x"]}, *path)}, library)[pointer]
    assert fault.code == "EDIT_WITHOUT_LIST"
    assert "list" in fault.expected
    assert result in fault.found


def test_labelled_devices_cannot_be_edited_as_a_list(library: Library) -> None:
    fault = faults({"tag": "t/labelled", "devices": {"$append": ["c"]}}, library)["/devices"]
    assert fault.code == "EDIT_WITHOUT_LIST"
