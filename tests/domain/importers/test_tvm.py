"""Reading TVM targets of every release, TVM's own output, and the format `tvm`."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import Json, canonical
from registry.domain.errors import Code, Fault, Refused
from registry.domain.exporting import Subject
from registry.domain.formats.tvm import FORMAT
from registry.domain.importers.tvm import IMPORTER
from registry.domain.importing import Imported
from registry.domain.resolution.body_references import Relation
from tests.domain import strategies
from tests.domain.builders import KINDS, Library, keys_of, refusal, target_of
from tests.domain.formats.subjects import as_compiled, catalogue
from tests.domain.strategies import libraries, targets
from ttag_rules.nodes import COMPOSITES

CUDA: dict[str, Any] = {"kind": "cuda", "arch": "sm_53"}
COMPOSITE: dict[str, Any] = {"kind": "composite", "devices": [CUDA, {"kind": "c"}]}
ALONE = (
    "is a kind that TVM removed after 0.19: an external code generator, which needs an ordinary "
    "target"
)
FROM_DEVICE_MESSAGE = (
    "from_device asks the machine that builds for the values of its device, so that the target "
    "differs from machine to machine"
)


def read(source: Any) -> Imported:
    return IMPORTER.read(source, KINDS)


def noted(source: Any) -> dict[str, str]:
    return {note.pointer: note.message for note in read(source).notes}


def faults(source: Any) -> dict[str, Fault]:
    return {fault.pointer: fault for fault in refusal(lambda: read(source)).faults}


def without_hardware(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_hardware(item) for key, item in value.items() if key != "hardware"}
    return [without_hardware(item) for item in value] if isinstance(value, list) else value


@given(targets)
def test_output_of_the_format_round_trips(body: dict[str, Any]) -> None:
    target = target_of(body)
    export = FORMAT.write(Subject("acme/board@1.0.0", target, KINDS))
    back = target_of(read(export.text).body)
    assert back == as_compiled(without_hardware(target))
    assert back == as_compiled(target) or export.dropped


def test_the_catalogue_round_trips() -> None:
    for exact, subject in catalogue().items():
        imported = read(FORMAT.write(subject).text)
        assert target_of(imported.body) == as_compiled(without_hardware(subject.target)), exact


@given(libraries())
def test_recorded_references_are_inherited(library: Library) -> None:
    for tag, versions in list(library.versions.items()):
        for created in versions:
            if created.published.is_mixin:
                continue
            composed = {
                used.pointer: used.resolved
                for used in created.resolution.dependencies
                if used.relation is Relation.COMPOSES
            }
            exact = f"{tag}@{created.number}"
            target = created.resolution.target
            subject = Subject(exact, target, KINDS, composed=composed, should_record=True)
            imported = read(FORMAT.write(subject).text)
            assert imported.body["tag"] == exact
            back = library.resolve(imported.body)
            assert without_hardware(back.target) == without_hardware(target)
            assert exact in back.ancestors


def test_text_and_parsed_json_give_the_same_body() -> None:
    assert read(json.dumps(COMPOSITE)) == read(COMPOSITE) == Imported(COMPOSITE)


# Printed by TVM 0.27: what `str()` of a target says, of what it was made from.
PRINTED = [
    ({"kind": "cuda", "arch": "sm_80"}, r"""{"kind":"cuda","tag":"","keys":["cuda","gpu"],
      "max_num_threads":1024,"thread_warp_size":32,"arch":"sm_80"}"""),
    (
        {
            "kind": "llvm",
            "mtriple": "aarch64-linux-gnu",
            "mcpu": "cortex-a53",
            "num-cores": 4,
            "host": {"kind": "c", "mcpu": "cortex-m55+nodsp"},
        },
        r"""{"kind":"llvm","tag":"","keys":["arm_cpu","cpu"],"host":{"kind":"c","tag":"",
        "keys":["arm_cpu","cpu"],"feature.has_mve":false,"feature.has_dsp":false,
        "mcpu":"cortex-m55+nodsp"},"feature.has_sme":false,"feature.is_aarch64":true,
        "num-cores":4,"mtriple":"aarch64-linux-gnu","feature.has_asimd":true,"mcpu":"cortex-a53"}""",
    ),
    ({"kind": "webgpu"}, r"""{"kind":"webgpu","tag":"","keys":["webgpu","gpu"],
      "thread_warp_size":1,"supports_subgroups":false,"max_shared_memory_per_block":32768,
      "max_num_threads":256}"""),
    ({"kind": "test"}, r"""{"kind":"test","tag":"","keys":[],"feature.is_test":true}"""),
    ({"kind": "c", "libs": []}, r"""{"kind":"c","tag":"","keys":["cpu"],"libs":[],
      "target_device_type":1}"""),
]  # fmt: skip


@pytest.mark.parametrize(("made_from", "printed"), PRINTED)
def test_tvms_output_has_the_same_tuning_keys(made_from: dict[str, Any], printed: str) -> None:
    assert keys_of(read(printed).body) == keys_of(made_from)


def test_members_added_by_tvm_are_left_out_with_a_note() -> None:
    source = {
        "kind": "c",
        "tag": "",
        "feature.has_dsp": True,
        "feature.has_mve": False,
        "target_device_type": 1,
        "host": None,
    }
    assert read(source).body == {"kind": "c"}
    assert noted(source) == {
        "": "left out members that TVM adds: feature.has_dsp, feature.has_mve, target_device_type",
        "/tag": "left out an empty tag",
        "/host": "null means no host, like leaving it out",
    }


@pytest.mark.parametrize(
    ("source", "body", "pointers"),
    [
        ({"kind": "llvm", "num-cores": True}, {"kind": "llvm", "num-cores": 1}, ["/num-cores"]),
        ({"kind": "llvm", "fast-math": 3}, {"kind": "llvm", "fast-math": True}, ["/fast-math"]),
        ({"tag": "a/b", "fast-math": 0}, {"tag": "a/b", "fast-math": False}, ["/fast-math"]),
        ({"kind": "llvm", "num-cores": "4"}, {"kind": "llvm", "num-cores": "4"}, []),
        ({"kind": "c", "feature.": 1}, {"kind": "c", "feature.": 1}, []),  # none, also to TVM
        (  # as TVM 0.8 exports it
            {"kind": "c", "link-params": 1},
            {"kind": "c", "flow": {"link-params": True}},
            ["/link-params", "/link-params"],
        ),
        (
            {"kind": "cuda", "host": {"kind": "c", "runtime": "c", "system-lib": 1}},
            {
                "kind": "cuda",
                "host": {"kind": "c"},
                "runtime": {"kind": "crt", "system-lib": True},
            },
            ["/host/system-lib", "/host/runtime", "/host/system-lib", "/host"],
        ),
        ({"tag": "a/b", "host": None}, {"tag": "a/b", "host": None}, []),  # takes it away
        ({"tag": "nvidia/geforce-gt-730-ddr3,128bit"},) * 2 + ([],),
        ({"kind": "cuda", "host": "raspberry-pi/4b-aarch64"},) * 2 + ([],),
        ({"kind": "cuda", "host": "llvm"},) * 2 + ([],),
        (
            {"kind": "cuda", "host": '{"kind": "c", "tag": ""}'},
            {"kind": "cuda", "host": {"kind": "c"}},
            ["/host/tag"],
        ),
        (
            {"kind": "composite", "devices": ["nvidia/a100", '{"kind": "c"}', {"kind": "c"}]},
            {"kind": "composite", "devices": ["nvidia/a100", {"kind": "c"}, {"kind": "c"}]},
            [],
        ),
        (
            {"kind": "cuda", "tag": "nvidia/nvidia-a100", "arch": "sm_80"},
            {"tag": "nvidia/nvidia-a100", "arch": "sm_80"},
            ["/kind"],
        ),
        (
            {"kind": "cuda", "host": {"kind": "c", "tag": "arm/soc@1.0.0"}},
            {"kind": "cuda", "host": {"tag": "arm/soc@1.0.0"}},
            ["/host/kind"],
        ),
        ({"kind": "c", "tag": "arm/soc@1.0.0#/devices/0"}, {"kind": "c"}, ["/tag"]),
        ({"kind": "c", "tag": "my board"}, {"kind": "c"}, ["/tag"]),
    ],
)
def test_targets_that_tvm_accepts_are_read(
    source: dict[str, Any], body: dict[str, Any], pointers: list[str]
) -> None:
    imported = read(source)
    assert canonical(imported.body) == canonical(body)
    assert [note.pointer for note in imported.notes] == pointers


@pytest.mark.parametrize(
    ("source", "pointer", "message"),
    [
        ({}, "", "neither a kind nor a tag is stated"),
        ({"mcpu": "cortex-m7"}, "", "neither a kind nor a tag is stated"),
        ({"tag": ""}, "", "neither a kind nor a tag is stated"),
        (
            {"kind": "sdaccel"},
            "/kind",
            "sdaccel is a kind that TVM removed after 0.19",
        ),
        (
            {"kind": "cuda", "host": "stackvm"},
            "/host",
            "stackvm is a kind that TVM removed after 0.19",
        ),
        (
            {"kind": "composite", "devices": [{"kind": "cudnn"}]},
            "/devices/0/kind",
            f"cudnn {ALONE}",
        ),
        (
            {"kind": "composite", "devices": ["c"], "target_host": "c", "host": "llvm"},
            "/target_host",
            "target_host is an old name of host, which is also stated",
        ),
        (
            {"kind": "cuda", "host": "llvm -mcpuu=cortex-a57"},
            "/host",
            "-mcpuu at character 5: llvm has no option mcpuu",
        ),
        (
            {"kind": "vulkan", "from_device": 0},
            "/from_device",
            FROM_DEVICE_MESSAGE,
        ),
        (
            {"kind": "rocm", "mcpu": "gfx90a:xnack"},
            "/mcpu",
            "gfx90a:xnack is not an AMD target ID",
        ),
        (
            {"kind": "cuda", "host": '{"kind":'},
            "/host",
            "Invalid JSON: Expecting value at line 1, column 9",
        ),
    ],
)
def test_faults_have_pointers_into_the_source(
    source: dict[str, Any], pointer: str, message: str
) -> None:
    by_pointer = faults(source)
    assert {place: fault.message for place, fault in by_pointer.items()} == {pointer: message}


def test_all_faults_of_a_target_are_reported() -> None:
    source = {"kind": "composite", "devices": ["aocl", {"kind": "cuda", "host": "hybrid"}]}
    assert set(faults(source)) == {"/devices/0", "/devices/1/host"}


@pytest.mark.parametrize("source", ["", " ", "[]", [], 5, None, True])
def test_other_sources_are_rejected(source: Json) -> None:
    refused = refusal(lambda: read(source))
    assert refused.code is Code.JSON_INVALID
    assert "is not a target. Expected an object" in refused.detail
    assert [fault.pointer for fault in refused.faults] == [""]


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("cuda", {"kind": "cuda"}),
        (" nvidia/nvidia-a100\n", {"tag": "nvidia/nvidia-a100"}),
        ("llvm -mcpu=x", {"kind": "llvm", "mcpu": "x"}),
        ("nvidia/nvidia-v100 -libs=cudnn", {"tag": "nvidia/nvidia-v100", "libs": ["cudnn"]}),
    ],
)
def test_names_and_command_lines_are_read(source: str, body: dict[str, Any]) -> None:
    assert read(source).body == body


def test_an_unknown_name_has_suggestions() -> None:
    (fault,) = refusal(lambda: read("lvm")).faults
    assert (fault.code, fault.suggestions[:1]) == ("KIND_UNKNOWN", ("llvm",))


def test_a_command_line_inside_a_target_is_read_with_a_note() -> None:
    source = {"kind": "cuda", "host": "llvm -target=x86_64-linux-gnu -mattr=avx2 -system-lib"}
    assert read(source).body == {
        "kind": "cuda",
        "host": {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mattr": ["+avx2"]},
        "runtime": {"kind": "cpp", "system-lib": True},
    }
    assert [(note.pointer, note.message) for note in read(source).notes] == [
        ("/host", "read as a command line, by the importer tvm-string"),
        ("/host", "-target at character 5: target is named mtriple now"),
        ("/host", "-mattr at character 30: the feature avx2 is switched on: +avx2"),
        ("/host", "-system-lib at character 42: system-lib belongs to the runtime"),
        ("/host", "its runtime applies to the whole target, not only to the host"),
    ]


@pytest.mark.parametrize(
    ("source", "body", "notes"),
    [
        (
            {"kind": "llvm", "mattr": ["neon", "+a", "-b", ""]},
            {"kind": "llvm", "mattr": ["+neon", "+a", "-b"]},
            {
                "/mattr/0": "the feature neon is switched on: +neon",
                "/mattr/3": "left out an empty feature",
            },
        ),
        ({"kind": "vulkan", "mattr": ["neon"]}, {"kind": "vulkan", "mattr": ["neon"]}, {}),
        (
            {"tag": "acme/cpu", "mattr": ["neon"]},
            {"tag": "acme/cpu", "mattr": ["+neon"]},
            {"/mattr/0": "the feature neon is switched on: +neon"},
        ),
        (
            {"kind": "rocm", "mcpu": "gfx90a:sramecc+:xnack-", "mattr": ["+dotprod"]},
            {"kind": "rocm", "mcpu": "gfx90a", "mattr": ["+sramecc", "-xnack", "+dotprod"]},
            {
                "/mcpu": "the AMD target ID is the CPU gfx90a with the features +sramecc, -xnack",
            },
        ),
        (
            {"kind": "cuda", "shared_memory_per_block": 49152},
            {"kind": "cuda", "max_shared_memory_per_block": 49152},
            {
                "/shared_memory_per_block": "shared_memory_per_block is named "
                "max_shared_memory_per_block now"
            },
        ),
        (
            {"kind": "composite", "devices": ["cuda"], "target_host": {"kind": "c", "tag": ""}},
            {"kind": "composite", "devices": ["cuda"], "host": {"kind": "c"}},
            {
                "/target_host": "target_host is named host now",
                "/target_host/tag": "left out an empty tag",
            },
        ),
        (
            {"kind": "llvm", "target": "arm64-apple-macos", "mtriple": "arm64-apple-macos"},
            {"kind": "llvm", "mtriple": "arm64-apple-macos"},
            {"/target": "target is named mtriple now"},
        ),
    ],
)
def test_old_spellings_are_mended_with_notes(
    source: dict[str, Any], body: dict[str, Any], notes: dict[str, str]
) -> None:
    assert read(source).body == body
    assert noted(source) == notes


def test_syntax_errors_have_a_position() -> None:
    refused = refusal(lambda: read('{"kind": "llvm" "mcpu": "x",}'))
    assert refused.code is Code.JSON_INVALID
    assert "line 1, column 17" in refused.detail


def test_a_literal_with_single_quotes_is_reported_as_python() -> None:
    (fault,) = refusal(lambda: read("{'kind': llvm}")).faults
    assert (fault.code, fault.message) == (
        "PYTHON_INVALID",
        "line 1, column 10: the value of llvm is not stated",
    )


def envelope(**members: Any) -> dict[str, Any]:
    return {"target": COMPOSITE, **members}


def test_build_entries_are_merged_into_their_nodes() -> None:
    source = envelope(
        build={
            "": {"labels": ["gpu", "cpu"], "codegen": "ethos-u", "flow": {"link-params": True}},
            "/devices/1": {"executor": "vm", "runtime": {"kind": "crt"}},
        },
        pass_config={"relax.depth": 4},
    )
    assert read(source) == Imported(
        {
            "kind": "byoc",
            "codegen": "ethos-u",
            "devices": {
                "gpu": CUDA,
                "cpu": {"kind": "c", "executor": "vm", "runtime": {"kind": "crt"}},
            },
            "flow": {"link-params": True, "relax.depth": 4},
        }
    )


@pytest.mark.parametrize("name", ["tir.disable_vectorize", "tirx.disable_vectorize"])
def test_settings_are_read_by_their_old_and_new_names(name: str) -> None:
    flow = {name: True}
    assert read(envelope(pass_config=flow)).body == {**COMPOSITE, "flow": flow}
    both = envelope(build={"": {"flow": flow}}, pass_config={"tirx.disable_vectorize": True})
    if name.startswith("tir."):
        assert read(both).body == {**COMPOSITE, "flow": flow}


def test_build_entries_of_a_host_stay_with_the_host() -> None:
    target = {"kind": "cuda", "host": {"kind": "c"}}
    imported = read({"target": target, "build": {"/host": {"runtime": "crt"}}})
    assert imported.body == {"kind": "cuda", "host": {"kind": "c", "runtime": "crt"}}


def test_an_inheriting_node_gets_its_kind_from_its_tag() -> None:
    target = {"kind": "composite", "tag": "acme/npu@1.0.0", "devices": ["c"]}
    imported = read({"target": target, "build": {"": {"codegen": "ethos-u"}}})
    assert imported.body == {"tag": "acme/npu@1.0.0", "devices": ["c"], "codegen": "ethos-u"}


def test_values_dropped_by_the_format_are_noted() -> None:
    source = envelope(dropped=[{"pointer": "/hardware", "reason": "facts"}])
    assert noted(source) == {"/dropped/0": "/hardware was left out of the source"}


def test_notes_point_into_the_target_of_the_envelope() -> None:
    target = {"kind": "c", "tag": "", "link-params": True}
    assert set(noted({"target": target})) == {"/target/tag", "/target/link-params"}


@pytest.mark.parametrize(
    ("members", "pointer", "message"),
    [
        ({"builds": {}}, "/builds", "the format tvm has no option builds"),
        ({"target": "llvm"}, "/target", "llvm is not an object"),
        ({"target": {}}, "/target", "neither a kind nor a tag is stated"),
        ({"build": []}, "/build", "[] is not an object"),
        ({"pass_config": None}, "/pass_config", "null is not an object"),
        (
            {"build": {"/devices/2": {}}},
            "/build/~1devices~12",
            "there is no target at /devices/2",
        ),
        ({"build": {"/host": {}}}, "/build/~1host", "there is no target at /host"),
        ({"build": {"": 5}}, "/build/", "5 is not an object"),
        (
            {"build": {"": {"label": ["a", "b"]}}},
            "/build//label",
            "an entry of build has no option label",
        ),
        (
            {"build": {"": {"labels": ["a"]}}},
            "/build//labels",
            '["a"] are not labels for 2 devices',
        ),
        (
            {"build": {"": {"labels": ["a", "a"]}}},
            "/build//labels",
            '["a", "a"] are not labels for 2 devices',
        ),
        ({"build": {"": {"labels": "ab"}}}, "/build//labels", "ab are not labels for 2 devices"),
        (
            {"build": {"": {"labels": ["a", 1, "b"]}}},
            "/build//labels",
            '["a", 1, "b"] are not labels for 2 devices',
        ),
        (
            {"build": {"": {"labels": [["a"], 1]}}},
            "/build//labels",
            '[["a"], 1] are not labels for 2 devices',
        ),
        (
            {"build": {"/devices/0": {"codegen": "x"}}},
            "/build/~1devices~10/codegen",
            "cuda has no codegen",
        ),
        (
            {"target": {"kind": "c", "executor": "aot"}, "build": {"": {"executor": "vm"}}},
            "/build//executor",
            "executor is also in the target",
        ),
        (
            {"build": {"": {"flow": {"a.b": 1}}}, "pass_config": {"a.b": 2}},
            "/pass_config/a.b",
            "a.b is also in the flow",
        ),
        (
            {
                "build": {"": {"flow": {"tir.disable_vectorize": True}}},
                "pass_config": {"tirx.disable_vectorize": False},
            },
            "/pass_config/tirx.disable_vectorize",
            "tirx.disable_vectorize is also in the flow",
        ),
    ],
)
def test_an_invalid_envelope_is_rejected(
    members: dict[str, Any], pointer: str, message: str
) -> None:
    by_pointer = faults(envelope(**members))
    assert {place: fault.message for place, fault in by_pointer.items()} == {pointer: message}


def test_an_unknown_pointer_suggests_the_nearest() -> None:
    (fault,) = faults(envelope(build={"/device/0": {}})).values()
    assert "/devices/0" in fault.suggestions


def test_faults_of_target_and_build_are_reported_together() -> None:
    source = {"target": {"kind": "hybrid"}, "build": {"/host": {}}}
    assert set(faults(source)) == {"/target/kind", "/build/~1host"}


@pytest.mark.parametrize("kind", sorted(set(KINDS.targets) - COMPOSITES))
def test_every_kind_is_read(kind: str) -> None:
    assert read(f'{{"kind": "{kind}"}}') == Imported({"kind": kind})


WORDS = st.sampled_from(["kind", "tag", "host", "devices", "executor", "runtime", "flow", ""])
MORE = st.sampled_from(
    ["link-params", "unpacked-api", "system-lib", "num-cores", "/host", "labels"]
)
TOP = st.sampled_from(["target", "build", "pass_config", "dropped", "codegen", "feature.x"])
VALUES = st.one_of(
    strategies.scalars, st.sampled_from(["llvm", "aot", "{", '{"kind": "c"}', "a/b"])
)
SOURCES = st.recursive(
    VALUES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(WORDS, MORE, TOP), inner, max_size=5),
    ),
    max_leaves=20,
)


@given(SOURCES)
def test_any_json_is_read_or_rejected(source: Any) -> None:
    with suppress(Refused):
        assert isinstance(read(source).body, dict)
