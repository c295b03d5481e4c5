"""Reading the split layout, as written by the format or by hand."""

import json
from typing import Any

import pytest

from registry.domain.document import MAX_BYTES, Json
from registry.domain.errors import Code
from registry.domain.importers.config import IMPORTER
from registry.domain.importing import Imported, Note
from tests.domain.builders import KINDS, Library, refusal, target_of
from tests.domain.formats.subjects import catalogue

# As it was written in the discussion.
EXAMPLE: dict[str, Any] = {
    "targets": {
        "dsp-cpu": {"kind": "llvm", "mcpu": "cortex-a72"},
        "gpu": {"kind": "mali"},
        "low-power-cpu": {"kind": "llvm", "mcpu": "cortex-m0"},
    },
    "executors": {
        "dsp": {
            "targets": ["dsp-cpu", "gpu"],
            "target_host": ["dsp-cpu"],
            "executor": "vm",
            "runtime": "c++",
        },
        "low-power": {
            "targets": ["low-power-cpu"],
            "target_host": ["low-power-cpu"],
            "executor": "aot",
            "runtime": "c",
            "flow-config": {"link-params": True, "enable-byoc": "cmsis-nn"},
        },
    },
}
CPU: dict[str, Any] = {"kind": "llvm", "mcpu": "haswell"}


def read(source: Any) -> Imported:
    return IMPORTER.read(source, KINDS)


def executor(target: Json, **settings: Any) -> Any:
    """Return the body for an executor `main` with one target `x`."""
    layout = {"targets": {"x": target}, "executors": {"main": {"targets": ["x"], **settings}}}
    return read(layout).body["devices"]["main"]


def notes(target: Json, **settings: Any) -> list[str]:
    layout = {"targets": {"x": target}, "executors": {"main": {"targets": ["x"], **settings}}}
    return [note.pointer for note in read(layout).notes]


def test_example_from_the_rfc_discussion() -> None:
    imported = read(EXAMPLE)
    assert imported.body == {
        "kind": "composite",
        "devices": {
            "dsp": {
                "kind": "composite",
                "devices": {
                    "dsp-cpu": {"kind": "llvm", "mcpu": "cortex-a72"},
                    "gpu": {"kind": "opencl", "device": "mali"},
                },
                "host": {"kind": "llvm", "mcpu": "cortex-a72"},
                "executor": "vm",
                "runtime": "cpp",
            },
            "low-power": {
                "kind": "composite",
                "devices": {"low-power-cpu": {"kind": "llvm", "mcpu": "cortex-m0"}},
                "host": {"kind": "llvm", "mcpu": "cortex-m0"},
                "executor": "aot",
                "runtime": "crt",
                "flow": {"link-params": True, "enable-byoc": ["cmsis-nn"]},
            },
        },
    }
    assert {note.pointer: note.message for note in imported.notes} == {
        "/targets/gpu": "mali is read as opencl with device mali",
        "/executors/dsp/runtime": "the runtime c++ is named cpp",
        "/executors/low-power/runtime": "the runtime c is named crt",
    }


def test_the_example_is_a_catalogue_tag_with_triples() -> None:
    targets = EXAMPLE["targets"]
    with_triples = targets | {
        "dsp-cpu": targets["dsp-cpu"] | {"mtriple": "aarch64-linux-gnu"},
        "low-power-cpu": targets["low-power-cpu"] | {"mtriple": "thumbv6m-none-eabi"},
    }
    shipped = catalogue()["example/split-configuration@1.0.0"]
    assert target_of(read(EXAMPLE | {"targets": with_triples}).body) == shipped.target


def test_text_is_parsed() -> None:
    assert read(json.dumps(EXAMPLE)) == read(EXAMPLE)


PASTED = """
// the board of the discussion
{
    "targets": {
        "dsp-cpu": {"kind": "llvm", "mcpu": "cortex-a72"},
        "gpu": {"kind": "mali"},  # Mali-T860
        "low-power-cpu": {"kind": "llvm", "mcpu": "cortex-m0",},
    },
    "executors": {
        "dsp": {
            "targets": ["dsp-cpu", "gpu",], "target_host": ["dsp-cpu"],
            "executor": "vm", "runtime": "c++", /* as today */
        },
        "low-power": {
            "targets": ["low-power-cpu"], "target_host": ["low-power-cpu"],
            "executor": "aot", "runtime": "c",
            "flow-config": {"link-params": true, "enable-byoc": "cmsis-nn",},
        },
    },
}
"""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (PASTED, "left out comments and commas after a last item"),
        (PASTED.replace("true", "True"), "read as Python"),
        (PASTED.replace('"', "'").replace("true", "True"), "read as Python"),
    ],
)
def test_the_example_is_read_as_people_paste_it(text: str, note: str) -> None:
    imported = read(text)
    assert imported.body == read(EXAMPLE).body
    assert Note("", note) in imported.notes


@pytest.mark.parametrize(
    "text",
    [
        PASTED.replace('"gpu": {', '"gpu" {'),
        PASTED.replace('"mali"', "mali"),
        PASTED.replace('{"kind": "mali"}', "Target('mali')"),
        PASTED.replace('"gpu": {', '"dsp-cpu": {'),
        PASTED.replace('"gpu": {', '"dsp-cpu": {').replace("true", "True"),
        PASTED.replace("/* as today */", "/* as today"),
        PASTED[:-3],
        PASTED + "{}",
    ],
)
def test_text_that_is_not_one_layout_is_rejected(text: str) -> None:
    assert refusal(lambda: read(text)).code in (Code.JSON_INVALID, Code.BODY_INVALID)


@pytest.mark.parametrize(
    ("member", "written", "becomes"),
    [
        ("executor", "aot", {"executor": "aot"}),
        ("executor", {"kind": "aot"}, {"executor": {"kind": "aot"}}),
        ("runtime", "c++", {"runtime": "cpp"}),
        ("runtime", "c", {"runtime": "crt"}),
        ("runtime", "cuda-graph", {"runtime": "cuda-graph"}),
        (
            "runtime",
            {"kind": "c", "system-lib": True},
            {"runtime": {"kind": "crt", "system-lib": True}},
        ),
        ("flow-config", {}, {"flow": {}}),
        ("flow-config", {"enable-byoc": "dnnl"}, {"flow": {"enable-byoc": ["dnnl"]}}),
        ("flow-config", {"enable-byoc": ["a", "b"]}, {"flow": {"enable-byoc": ["a", "b"]}}),
        (
            "flow-config",
            {"tir.disable_vectorize": True},
            {"flow": {"tir.disable_vectorize": True}},
        ),
        ("target_host", "x", {"host": CPU}),
        ("target_host", ["x"], {"host": CPU}),
        ("target_host", [], {}),
        ("target_host", None, {}),
        ("targets", "x", {}),
        ("targets", ["x"], {}),
    ],
)
def test_members_of_an_executor_are_read(member: str, written: Json, becomes: Any) -> None:
    node = executor(CPU, **{member: written})
    assert node == {"kind": "composite", "devices": {"x": CPU}, **becomes}


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("llvm", "llvm"),
        ("aws/c4.4xlarge@1", "aws/c4.4xlarge@1"),
        ({"tag": "aws/c4", "num-cores": 2}, {"tag": "aws/c4", "num-cores": 2}),
        ({"kind": "llvm", "host": CPU}, {"kind": "llvm", "host": CPU}),
        ("mali", {"kind": "opencl", "device": "mali"}),
        ({"kind": "mali"}, {"kind": "opencl", "device": "mali"}),
        (
            {"kind": "mali", "device": "bifrost", "libs": []},
            {"kind": "opencl", "device": "bifrost", "libs": []},
        ),
    ],
)
def test_targets_have_the_forms_of_a_body(written: Json, becomes: Json) -> None:
    assert executor(written)["devices"] == {"x": becomes}


def test_a_reference_composes() -> None:
    library = Library()
    library.publish("acme/cpu", CPU)
    layout = {
        "targets": {"cpu": "acme/cpu"},
        "executors": {"main": {"targets": "cpu", "target_host": "cpu"}},
    }
    resolution = library.resolve(read(layout).body)
    assert [use.pointer for use in resolution.dependencies] == [
        "/devices/main/devices/cpu",
        "/devices/main/host",
    ]


def test_old_options_move_to_their_owners() -> None:
    old: Json = {"kind": "c", "link-params": True, "host": {"kind": "llvm", "system-lib": True}}
    assert executor(old)["devices"]["x"] == {
        "kind": "c",
        "host": {"kind": "llvm"},
        "flow": {"link-params": True},
        "runtime": {"kind": "cpp", "system-lib": True},
    }
    assert "/targets/x/link-params" in notes(old)
    of_executor: Json = {"kind": "graph", "link-params": False}
    assert executor(CPU, executor=of_executor)["flow"] == {"link-params": False}
    assert notes(CPU, executor=of_executor) == ["/executors/main/executor/link-params"]


@pytest.mark.parametrize(
    "host",
    [
        {"kind": "llvm", "executor": {"kind": "graph"}},
        {"kind": "llvm", "flow": {}},
        {"kind": "llvm", "host": {"kind": "c", "runtime": {"kind": "crt"}}},
    ],
)
def test_a_host_keeps_components_written_as_objects(host: Json) -> None:
    assert executor({"kind": "cuda", "host": host})["devices"]["x"] == {
        "kind": "cuda",
        "host": host,
    }


def test_a_shared_target_is_repeated_at_each_use() -> None:
    layout = {
        "targets": {"a.cpu": CPU, "host": "c"},
        "executors": {
            "a": {"targets": ["a.cpu"], "target_host": "host"},
            "b": {"targets": ["a.cpu"], "target_host": "a.cpu"},
        },
    }
    assert read(layout).body["devices"] == {
        "a": {"kind": "composite", "devices": {"cpu": CPU}, "host": "c"},
        "b": {"kind": "composite", "devices": {"cpu": CPU}, "host": CPU},
    }


def test_indices_become_a_list() -> None:
    layout = {
        "targets": {"10": "c", "2": CPU},
        "executors": {"0": {"targets": ["10", "2"]}, "1": {"targets": "2"}},
    }
    assert read(layout).body == {
        "kind": "composite",
        "devices": [
            {"kind": "composite", "devices": [CPU, "c"]},
            {"kind": "composite", "devices": [CPU]},
        ],
    }


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (CPU, CPU),
        ("llvm", {"kind": "llvm"}),
        ("acme/cpu", {"tag": "acme/cpu"}),
        ({"tag": "acme/cpu"}, {"tag": "acme/cpu"}),
    ],
)
def test_a_target_without_a_name_is_the_executor_itself(target: Json, body: Any) -> None:
    layout = {"targets": {"": target}, "executors": {"": {"targets": "", "executor": "vm"}}}
    assert read(layout).body == {**body, "executor": "vm"}


def test_an_executor_without_a_name_is_the_whole_body() -> None:
    layout = {"targets": {"cpu": CPU}, "executors": {"": {"targets": "cpu", "executor": "vm"}}}
    assert read(layout).body == {"kind": "composite", "devices": {"cpu": CPU}, "executor": "vm"}


def test_settings_on_both_executor_and_target_are_rejected() -> None:
    leaf = {**CPU, "runtime": {"kind": "cpp"}, "link-params": True}
    layout = {
        "targets": {"": leaf},
        "executors": {"": {"targets": "", "runtime": "cpp", "flow-config": {}}},
    }
    all_faults = refusal(lambda: read(layout)).faults
    assert [(fault.pointer, fault.code) for fault in all_faults] == [
        ("/executors//flow-config", "VALUE_TWICE"),
        ("/executors//runtime", "VALUE_TWICE"),
    ]


def test_all_faults_are_reported_together() -> None:
    refused = refusal(lambda: read({"targets": {"Cpu": 5}, "executors": {}, "target": 1}))
    assert refused.code == Code.BODY_INVALID
    assert {fault.pointer for fault in refused.faults} == {"/targets/Cpu", "/executors", "/target"}


def test_a_body_too_large_from_sharing_is_rejected() -> None:
    large = {"kind": "llvm", "libs": ["x" * 200] * 100}
    executors = {f"e{index}": {"targets": "cpu"} for index in range(1000)}
    refused = refusal(lambda: read({"targets": {"cpu": large}, "executors": executors}))
    assert refused.code == Code.TOO_LARGE
    assert str(MAX_BYTES) in refused.detail


@pytest.mark.parametrize(("dropped", "count"), [([], 0), ([{"pointer": "/libs"}], 1)])
def test_previously_dropped_values_are_noted(dropped: list[Any], count: int) -> None:
    noted = [
        note for note in read(EXAMPLE | {"dropped": dropped}).notes if "dropped by" in note.message
    ]
    assert noted == [Note("/dropped", "1 value dropped by an earlier export")] * count
