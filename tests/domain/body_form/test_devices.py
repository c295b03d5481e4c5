"""Devices of composites: a row each, with fields for the options of its kind."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain import body_form
from registry.domain.errors import Fault
from tests.domain.builders import KINDS, refusal
from tests.domain.strategies import targets

COMPOSITE = body_form.start_of_kind(KINDS, "composite")
BOARD: dict[str, Any] = {
    "kind": "composite",
    "devices": {
        "cpu": {"kind": "llvm", "mcpu": "cortex-a55", "num-cores": 4, "jit": "orcjit"},
        "npu": {
            "kind": "byoc",
            "codegen": "ethos-u",
            "devices": {"core": {"kind": "ext_dev", "model": "ethos-u55-128"}},
            "runtime": "crt",
        },
        "gpu": {"tag": "arm/mali@1", "max_num_threads": 256},
        "dsp": "hexagon",
    },
}
TEXTS = {
    "/devices/0#label": "cpu",
    "/devices/0": "llvm",
    "/devices/0/mcpu": "cortex-a55",
    "/devices/0/num-cores": "4",
    "/devices/0#rest": '{"jit": "orcjit"}',
    "/devices/1#label": "npu",
    "/devices/1": "byoc",
    "/devices/1/codegen": "ethos-u",
    "/devices/1/runtime": "crt",
    "/devices/1/devices/0#label": "core",
    "/devices/1/devices/0": "ext_dev",
    "/devices/1/devices/0/model": "ethos-u55-128",
    "/devices/2#label": "gpu",
    "/devices/2": "arm/mali@1",
    "/devices/2#rest": '{"max_num_threads": 256}',
    "/devices/3#label": "dsp",
    "/devices/3": "hexagon",
}


def test_every_device_has_the_fields_of_its_kind() -> None:
    assert body_form.body_to_texts(BOARD, COMPOSITE) == TEXTS
    assert body_form.texts_to_body(TEXTS, COMPOSITE) == BOARD


def test_options_of_many_devices_are_json() -> None:
    devices: list[Any] = [{"kind": "llvm", "mcpu": f"cpu{number}"} for number in range(7)]
    few: Any = {"kind": "composite", "devices": devices[:6]}
    many: Any = {"kind": "composite", "devices": devices}
    assert body_form.body_to_texts(few, COMPOSITE)["/devices/5/mcpu"] == "cpu5"
    texts = body_form.body_to_texts(many, COMPOSITE)
    assert texts["/devices/6"] == '{"kind": "llvm", "mcpu": "cpu6"}'
    assert body_form.texts_to_body(texts, COMPOSITE) == many


CORE = {"kind": "llvm", "mcpu": "cortex-a55"}


@pytest.mark.parametrize(
    ("devices", "texts"),
    [
        (
            [CORE] * 40 + ["cuda"],
            {"/devices/0": "40 x llvm", "/devices/0/mcpu": "cortex-a55", "/devices/1": "cuda"},
        ),
        (["arm/soc@1"] * 2, {"/devices/0": "2 x arm/soc@1"}),
        (["c", "llvm", "c"], {"/devices/0": "c", "/devices/1": "llvm", "/devices/2": "c"}),
        ([{"tag": "arm/soc"}] * 999, {"/devices/0": '999 x {"tag": "arm/soc"}'}),
        ([4, 4.0], {"": '{"devices": [4, 4.0]}'}),
    ],
)
def test_equal_devices_are_one_row(devices: list[Any], texts: dict[str, str]) -> None:
    body: Any = {"kind": "composite", "devices": devices}
    assert body_form.body_to_texts(body, COMPOSITE) == texts
    assert body_form.texts_to_body(texts, COMPOSITE) == body


@pytest.mark.parametrize("text", ["40xllvm", "40 \u00d7 llvm", " 40 x  llvm "])
def test_number_of_equal_devices_has_several_spellings(text: str) -> None:
    body = body_form.texts_to_body({"/devices/0": text}, COMPOSITE)
    assert body["devices"] == ["llvm"] * 40


@pytest.mark.parametrize("text", ["0 x llvm", "1 x llvm", "1000 x llvm", "x llvm", "40 llvm"])
def test_other_numbers_are_part_of_the_name(text: str) -> None:
    assert body_form.texts_to_body({"/devices/0": text}, COMPOSITE)["devices"] == [text]


def test_equal_devices_have_no_label() -> None:
    texts = {"/devices/0#label": "cpu", "/devices/0": "40 x llvm"}
    (fault,) = refusal(lambda: body_form.texts_to_body(texts, COMPOSITE)).faults
    assert fault.message == "the label cpu is for one device, not for 40"


@pytest.mark.parametrize(("index", "row"), [(0, "/0"), (39, "/0"), (40, "/2"), (41, "")])
def test_fault_of_one_of_many_equal_devices_belongs_to_their_row(index: int, row: str) -> None:
    texts = {"/devices/0": "40 x llvm", "/devices/2": "cuda"}
    field = body_form.field_pointer(Fault(f"/devices/{index}", "X", "no"), COMPOSITE, texts)
    assert field == f"/devices{row}"


def test_devices_without_labels_have_fields() -> None:
    texts = {"/devices/0": "cuda", "/devices/0/arch": "sm_87", "/devices/2": "c"}
    body = body_form.texts_to_body(texts, COMPOSITE)
    assert body["devices"] == [{"kind": "cuda", "arch": "sm_87"}, "c"]


@pytest.mark.parametrize("word", ["byoc", "composite"])
def test_devices_of_a_device_have_fields_and_those_below_are_json(word: str) -> None:
    start = COMPOSITE.device_start(word)
    assert start
    inner = start.device_start("composite")
    assert inner
    assert ("/devices" in start.fields, "/devices" in inner.fields) == (True, False)


@pytest.mark.parametrize(
    ("texts", "pointers"),
    [
        ({"/devices/0": "llvm", "/devices/0/num-cores": "four"}, ["/devices/0/num-cores"]),
        ({"/devices/0": "llvm", "/devices/0#rest": "["}, ["/devices/0#rest"]),
        ({"/devices/0": "lvm", "/devices/0/mcpu": "x"}, ["/devices/0"]),
        ({"/devices/0": '{"kind": "c"}', "/devices/0/mcpu": "x"}, ["/devices/0"]),
        ({"/devices/0": "llvm", "/devices/0/arch": "sm_87"}, ["/devices/0"]),
        ({"/devices/0/mcpu": "x"}, ["/devices/0"]),
        (
            {"/devices/0": "llvm", "/devices/0/mcpu": "x", "/devices/0#rest": '{"mcpu": "y"}'},
            ["/devices/0/mcpu"],
        ),
        (
            {
                "/devices/1": "byoc",
                "/devices/1/devices/0": "llvm",
                "/devices/1/devices/0/num-cores": "four",
            },
            ["/devices/1/devices/0/num-cores"],
        ),
    ],
)
def test_invalid_options_are_reported_at_their_fields(
    texts: dict[str, str], pointers: list[str]
) -> None:
    refused = refusal(lambda: body_form.texts_to_body(texts, COMPOSITE))
    fields = [
        body_form.field_pointer(fault, COMPOSITE, texts, is_of_text=True)
        for fault in refused.faults
    ]
    assert fields == pointers


@pytest.mark.parametrize(
    ("pointer", "code", "expected", "field"),
    [
        ("/devices/cpu/mcpu", "VALUE_UNKNOWN", "", "/devices/0/mcpu"),
        ("/devices/cpu/mattr/0", "VALUE_UNKNOWN", "", "/devices/0/mattr"),
        ("/devices/cpu/jit", "VALUE_UNKNOWN", "", "/devices/0#rest"),
        ("/devices/cpu/more", "OPTION_UNKNOWN", "", "/devices/0"),
        ("/devices/cpu", "HOST_DEPENDENT", "", "/devices/0"),
        ("/devices/npu", "OPTION_MISSING", "codegen", "/devices/1/codegen"),
        ("/devices/npu/devices", "VALUE_TYPE", "", "/devices/1"),
        ("/devices/npu/devices/core/model", "X", "", "/devices/1/devices/0/model"),
        ("/devices/gpu/max_num_threads", "X", "", "/devices/2#rest"),
        ("/devices/gpu", "TAG_UNKNOWN", "", "/devices/2"),
        ("/devices/dsp/mcpu", "X", "", "/devices/3/mcpu"),
    ],
)
def test_faults_belong_to_the_fields_of_their_device(
    pointer: str, code: str, expected: str, field: str
) -> None:
    fault = Fault(pointer, code, "no", expected)
    assert body_form.field_pointer(fault, COMPOSITE, TEXTS) == field


@pytest.mark.parametrize(
    ("texts", "rest"),
    [
        ({"/devices/0": "llvm", "/devices/0/arch": "sm_87"}, '{"arch": "sm_87"}'),
        ({"/devices/0": "lvm", "/devices/0/mcpu": "x"}, '{"mcpu": "x"}'),
        ({"/devices/0": "arm/soc", "/devices/0/mcpu": "x"}, '{"mcpu": "x"}'),
        (
            {"/devices/0": "c", "/devices/0/arch": "x", "/devices/0#rest": '{"a": 1}'},
            '{"a": 1, "arch": "x"}',
        ),
    ],
)
def test_options_of_another_kind_are_kept_as_json(texts: dict[str, str], rest: str) -> None:
    adopted = body_form.adopt_texts(texts, COMPOSITE)
    assert adopted == {"/devices/0": texts["/devices/0"], "/devices/0#rest": rest}


@pytest.mark.parametrize(
    ("texts", "adopted"),
    [
        ({"/old": "5", "/mcpu": "haswell"}, {"/mcpu": "haswell", "": '{"old": "5"}'}),
        ({"/hardware/old": "5"}, {"": '{"hardware": {"old": "5"}}'}),
        ({"/old": "5", "": '{"a": 1}'}, {"": '{"a": 1, "old": "5"}'}),
        ({"/devices/0": "llvm"}, {"": '{"devices": {"0": "llvm"}}'}),
        ({"/old": " "}, {"/old": " "}),
        ({"/old": "5", "": "{"}, {"/old": "5", "": "{"}),
        ({"/old": "5", "": '{"old": 6}'}, {"/old": "5", "": '{"old": 6}'}),
        ({"/old/b": "5", "": '{"old": 6}'}, {"/old/b": "5", "": '{"old": 6}'}),
        ({"/~2": "5"}, {"/~2": "5"}),
    ],
)
def test_options_that_the_kind_has_no_longer_are_kept_as_json(
    texts: dict[str, str], adopted: dict[str, str]
) -> None:
    start = body_form.start_of_kind(KINDS, "llvm")
    assert body_form.adopt_texts(texts, start) == adopted


def test_options_beside_invalid_json_stay() -> None:
    texts = {"/devices/0": "c", "/devices/0/arch": "sm_87", "/devices/0#rest": "{"}
    assert body_form.adopt_texts(texts, COMPOSITE) == texts


@given(targets)
def test_texts_of_a_body_need_no_adoption(body: dict[str, Any]) -> None:
    start = body_form.start_of(KINDS, body, lambda _: "")
    texts = body_form.body_to_texts(body, start)
    assert body_form.adopt_texts(texts, start) == texts


ENDS = ["", "#label", "#rest", "/mcpu", "/arch", "/codegen", "/devices/0", "/devices/0/mcpu"]
KEYS = st.sampled_from([f"/devices/{number}{end}" for number in (0, 1) for end in ENDS])
WORDS = st.sampled_from(["", "llvm", "cuda", "byoc", "arm/soc", "{", "x"])


@given(st.dictionaries(KEYS, WORDS))
def test_adoption_loses_no_text(texts: dict[str, str]) -> None:
    adopted = " ".join(body_form.adopt_texts(texts, COMPOSITE).values())
    for text in filter(None, texts.values()):
        assert text in adopted
