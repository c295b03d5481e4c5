"""Targets in the split layout, and their round trip through the importer."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from hypothesis.strategies import DrawFn

from registry.domain.checks.cross_option_rules import GPUS
from registry.domain.document import Json
from registry.domain.errors import Code, Refused
from registry.domain.exporting import Export, Subject
from registry.domain.formats.config import FORMAT
from registry.domain.importers.config import IMPORTER
from tests.domain.builders import KINDS, refusal, target_of
from tests.domain.formats.subjects import catalogue, subject
from tests.domain.importers.test_config import EXAMPLE
from tests.domain.strategies import labels, leaf_targets, surroundings, targets

CPU: dict[str, Any] = {"kind": "llvm", "mcpu": "haswell"}
ARM: dict[str, Any] = {"kind": "llvm", "mcpu": "cortex-a72"}
GPU: dict[str, Any] = {"kind": "cuda", "arch": "sm_90"}
NPU: Json = {"kind": "byoc", "codegen": "npu", "devices": {"core": "ext_dev"}}
FACTS: Json = {"vendor": "Example"}


def composite(devices: Any, **settings: Any) -> dict[str, Any]:
    return {"kind": "composite", "devices": devices, **settings}


def written(body: Any, node: str = "") -> dict[str, Any]:
    """Return the layout of a body of which nothing is dropped, after checking its round trip."""
    export = FORMAT.write(subject(body, node))
    assert not export.dropped
    assert read_back(export) == subject(body, node).target
    assert isinstance(export.content, dict)
    return export.content


def read_back(export: Export) -> dict[str, Any]:
    return target_of(IMPORTER.read(export.text, KINDS).body)


def without_hardware(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_hardware(item) for key, item in value.items() if key != "hardware"}
    return [without_hardware(item) for item in value] if isinstance(value, list) else value


def test_example_from_the_rfc_discussion() -> None:
    normal: dict[str, Json] = {
        "targets": {
            "dsp-cpu": {"kind": "llvm", "mcpu": "cortex-a72"},
            "gpu": {"kind": "opencl", "device": "mali"},
            "low-power-cpu": {"kind": "llvm", "mcpu": "cortex-m0"},
        },
        "executors": {
            "dsp": {
                "targets": ["dsp-cpu", "gpu"],
                "target_host": ["dsp-cpu"],
                "executor": "vm",
                "runtime": "cpp",
            },
            "low-power": {
                "targets": ["low-power-cpu"],
                "target_host": ["low-power-cpu"],
                "executor": "aot",
                "runtime": "crt",
                "flow-config": {"link-params": True, "enable-byoc": ["cmsis-nn"]},
            },
        },
    }
    assert written(IMPORTER.read(EXAMPLE, KINDS).body) == normal
    assert written(IMPORTER.read(normal, KINDS).body) == normal


def test_equal_leaves_with_one_label_share_a_target() -> None:
    layout = written(composite({"a": composite({"cpu": CPU}), "b": composite({"cpu": CPU})}))
    assert layout == {
        "targets": {"cpu": CPU},
        "executors": {"a": {"targets": ["cpu"]}, "b": {"targets": ["cpu"]}},
    }


def test_labels_of_different_leaves_are_qualified_by_the_executor() -> None:
    devices = {
        "m10": composite({"cpu": ARM, "gpu": GPU}),
        "m2": composite({"cpu": CPU}),
        "m3": composite({"cpu": CPU, "main": CPU}),
    }
    assert written(composite(devices)) == {
        "targets": {"m2.cpu": CPU, "m10.cpu": ARM, "gpu": GPU, "main": CPU},
        "executors": {
            "m2": {"targets": ["m2.cpu"]},
            "m3": {"targets": ["m2.cpu", "main"]},
            "m10": {"targets": ["m10.cpu", "gpu"]},
        },
    }


@pytest.mark.parametrize(
    ("devices", "host", "targets", "name"),
    [
        ({"cpu": CPU, "gpu": GPU}, CPU, {"cpu": CPU, "gpu": GPU}, "cpu"),
        ({"cpu0": CPU, "cpu1": CPU}, CPU, {"cpu0": CPU, "cpu1": CPU}, "cpu0"),
        ({"gpu": GPU}, CPU, {"gpu": GPU, "host": CPU}, "host"),
        ({"host": CPU}, CPU, {"host": CPU}, "host"),
        ({"host": GPU}, CPU, {"host": GPU, "host2": CPU}, "host2"),
        ({"host": GPU, "host2": ARM}, CPU, {"host": GPU, "host2": ARM, "host3": CPU}, "host3"),
    ],
)
def test_a_host_takes_the_label_of_an_equal_device_or_its_own_name(
    devices: Any, host: Json, targets: Any, name: str
) -> None:
    layout = written(composite({"main": composite(devices, host=host)}))
    assert layout["targets"] == targets
    assert layout["executors"]["main"]["target_host"] == [name]
    assert layout["executors"]["main"]["targets"] == list(devices)


def test_hosts_share_targets_as_devices_do() -> None:
    devices = {
        "a": composite({"gpu": GPU}, host=CPU),
        "b": composite({"gpu": GPU}, host=CPU),
        "c": composite({"host": ARM, "gpu": GPU}),
    }
    assert written(composite(devices)) == {
        "targets": {"gpu": GPU, "a.host": CPU, "c.host": ARM},
        "executors": {
            "a": {"targets": ["gpu"], "target_host": ["a.host"]},
            "b": {"targets": ["gpu"], "target_host": ["a.host"]},
            "c": {"targets": ["gpu", "c.host"]},
        },
    }


def test_true_and_one_make_leaves_different() -> None:
    flagged = {"kind": "llvm", "flow": {"acme.level": True}}
    numbered = {"kind": "llvm", "flow": {"acme.level": 1}}
    layout = written(composite({"a": composite({"x": flagged}), "b": composite({"x": numbered})}))
    assert sorted(layout["targets"]) == ["a.x", "b.x"]


def test_components_without_options_are_written_as_names() -> None:
    settings: dict[str, Json] = {
        "executor": {"kind": "aot", "unpacked-api": True},
        "runtime": {"kind": "crt"},
        "flow": {},
    }
    layout = written(composite({"main": composite({"cpu": CPU}, **settings)}))
    assert layout["executors"]["main"] == {
        "targets": ["cpu"],
        "executor": {"kind": "aot", "unpacked-api": True},
        "runtime": "crt",
        "flow-config": {},
    }


def test_a_leaf_is_a_single_executor_without_names() -> None:
    assert written(CPU | {"host": ARM, "executor": "graph", "flow": {"link-params": True}}) == {
        "targets": {"": CPU, "host": ARM},
        "executors": {
            "": {
                "targets": [""],
                "target_host": ["host"],
                "executor": "graph",
                "flow-config": {"link-params": True},
            }
        },
    }
    assert written(CPU | {"host": CPU})["executors"] == {"": {"targets": [""], "target_host": [""]}}


def test_a_composite_of_leaves_is_a_single_executor_without_a_name() -> None:
    assert written(composite({"cpu": CPU, "gpu": GPU}, host=CPU, executor="vm")) == {
        "targets": {"cpu": CPU, "gpu": GPU},
        "executors": {
            "": {"targets": ["cpu", "gpu"], "target_host": ["cpu"], "executor": "vm"},
        },
    }


def test_devices_in_a_list_are_named_by_index_in_executors() -> None:
    assert written(composite([CPU, GPU])) == {
        "targets": {"0": CPU, "1": GPU},
        "executors": {"": {"targets": ["0", "1"]}},
    }
    many = [{"kind": "cuda", "max_num_threads": index + 1} for index in range(11)]
    layout = written(composite([composite(many), composite([CPU])]))
    assert layout["executors"]["0"]["targets"] == ["0.0", *map(str, range(1, 11))]
    assert layout["executors"]["1"]["targets"] == ["1.0"]


def test_a_leaf_next_to_composites_is_an_executor() -> None:
    devices = {"a": composite({"cpu": CPU}), "b": GPU | {"runtime": "cpp"}, "c": ARM}
    assert written(composite(devices)) == {
        "targets": {"cpu": CPU, "b.": GPU, "c.": ARM},
        "executors": {
            "a": {"targets": ["cpu"]},
            "b": {"targets": ["b."], "runtime": "cpp"},
            "c": {"targets": ["c."]},
        },
    }


def test_a_single_node_can_be_written() -> None:
    body = composite({"a": composite({"cpu": CPU}), "b": composite({"gpu": GPU})}, host=ARM)
    assert written(body, "/devices/b") == {
        "targets": {"gpu": GPU, "host": ARM},
        "executors": {"": {"targets": ["gpu"], "target_host": ["host"]}},
    }


MAIN = composite({"cpu": CPU})
NO_PLACE = "an executor only has targets, target_host, executor, runtime and flow-config"
AROUND = "it encloses the executors, where the layout has no members"


@pytest.mark.parametrize(
    ("body", "dropped"),
    [
        (CPU | {"hardware": FACTS}, {"/hardware": "facts for people"}),
        (GPU | {"host": CPU | {"hardware": FACTS}}, {"/host/hardware": "facts for people"}),
        (
            composite({"main": composite({"hardware": CPU | {"hardware": FACTS}})}),
            {"/devices/main/devices/hardware/hardware": "facts for people"},
        ),
        (composite({"cpu": CPU}, libs=["dnnl"]), {"/libs": NO_PLACE}),
        (
            composite({"main": MAIN | {"keys": ["cpu"], "model": "x"}}),
            {"/devices/main/keys": NO_PLACE, "/devices/main/model": NO_PLACE},
        ),
        (
            composite({"main": MAIN}, host=CPU, executor="vm", flow={}),
            {"/host": AROUND, "/executor": AROUND, "/flow": AROUND},
        ),
        (composite({"cpu": CPU, "npu": NPU}), {"/devices/npu": "a byoc is not a leaf"}),
        (composite({"main": MAIN, "npu": NPU}), {"/devices/npu": "a byoc is not a leaf"}),
        (
            composite({"main": composite({"cpu": CPU, "npu": NPU, "more": MAIN})}),
            {
                "/devices/main/devices/npu": "a byoc is not a leaf",
                "/devices/main/devices/more": "a composite is not a leaf",
            },
        ),
        (
            composite({"main": MAIN, "rest": composite([NPU])}),
            {"/devices/rest": "a composite is not a leaf"},
        ),
        (composite([CPU, NPU, GPU]), {"/devices/1": "a byoc is not a leaf"}),
    ],
)
def test_values_outside_the_layout_are_dropped(body: Any, dropped: dict[str, str]) -> None:
    export = FORMAT.write(subject(body))
    reasons = {loss.pointer: loss.reason for loss in export.dropped}
    assert reasons.keys() == dropped.keys()
    assert all(reasons[pointer].startswith(words) for pointer, words in dropped.items())
    assert json.loads(export.text)["dropped"]
    assert read_back(export) != subject(body).target


@pytest.mark.parametrize(
    "body", [NPU, composite([NPU]), composite([composite([NPU])]), composite([composite([MAIN])])]
)
def test_a_target_without_executors_is_rejected(body: Any) -> None:
    refused = refusal(lambda: FORMAT.write(subject(body)))
    assert refused.code == Code.FORMAT_UNFIT
    assert "?node=" in refused.detail
    assert refused.suggestions
    assert all(pointer.startswith("/devices/") for pointer in refused.suggestions)


@st.composite
def boards(draw: DrawFn) -> dict[str, Any]:
    """Draw composites of labelled composites with shared and different leaves and labels.

    Hosts may equal a device; device labels may be `host`.
    """
    pool = draw(st.lists(leaf_targets(), min_size=1, max_size=3))
    inner = st.dictionaries(
        st.sampled_from(["cpu", "gpu", "host", "host2"]) | labels,
        st.sampled_from(pool),
        min_size=1,
        max_size=3,
    )
    devices = {}
    for label in draw(st.lists(labels, min_size=1, max_size=4, unique=True)):
        devices[label] = composite(draw(inner), **draw(surroundings()))
        if draw(st.booleans()):
            devices[label]["host"] = draw(
                st.sampled_from([*filter(lambda leaf: leaf["kind"] not in GPUS, pool), "c"])
            )
    return composite(devices)


def is_read_back(of: Subject) -> bool:
    """Return whether the layout round-trips except for dropped values, or is rejected."""
    try:
        export = FORMAT.write(of)
    except Refused as refused:
        return refused.code == Code.FORMAT_UNFIT
    pointers = [loss.pointer for loss in export.dropped]
    back = read_back(export)
    if pointers and all(pointer.endswith("/hardware") for pointer in pointers):
        return back == without_hardware(of.target) != of.target
    return (back == of.target) == (not pointers)


@given(boards())
def test_generated_boards_round_trip(body: dict[str, Any]) -> None:
    of = subject(body)
    assert is_read_back(of)
    assert all(loss.pointer.endswith("/hardware") for loss in FORMAT.write(of).dropped)


@given(targets)
def test_any_target_round_trips_or_is_rejected(body: dict[str, Any]) -> None:
    try:
        of = subject(body)
    except Refused:
        return  # a host that is composite, say; what is refused is tested elsewhere
    assert is_read_back(of)


def test_the_catalogue_round_trips() -> None:
    assert not [reference for reference, of in catalogue().items() if not is_read_back(of)]


def test_every_leaf_of_the_catalogue_can_be_written() -> None:
    leaves = [of for of in catalogue().values() if "devices" not in of.target]
    assert len(leaves) > 287
    assert all(FORMAT.write(of).content for of in leaves)
