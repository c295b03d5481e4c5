"""The field that a fault belongs to."""

import pytest

from registry.domain import body_form
from registry.domain.errors import Fault
from tests.domain.builders import KINDS, faults

BYOC = body_form.start_of_kind(KINDS, "byoc")
HEIR = body_form.start_of_parents(KINDS, "llvm")
TYPED = {
    "/devices/0#label": "cpu",
    "/devices/0": "arm/soc@1",
    "/devices/3": "c",
    "": '{"hardware": {"sources": {"$append": [1]}}, "flow": {"a.b": 1}, "nonsense": 1}',
    "/host": "llvm",
    "/keys": "a, b",
}


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("/codegen", "/codegen"),
        ("/keys/1", "/keys"),
        ("/host/kind", "/host"),
        ("/host/mcpu", "/host/mcpu"),
        ("/host/vector-width", "/host"),
        ("/executor/kind", "/executor"),
        ("/devices/cpu", "/devices/0"),
        ("/devices/cpu/mattr/0", "/devices/0"),
        ("/devices", "/devices"),
        ("/devices/other", "/devices"),
        ("/hardware/sources/$append/0", ""),
        ("/flow/a.b", ""),
        ("/nonsense", ""),
        ("/runtime", "/runtime"),
        ("/more", None),
        ("", None),
    ],
)
def test_a_fault_belongs_to_its_enclosing_field(pointer: str, place: str | None) -> None:
    assert body_form.field_pointer(Fault(pointer, "OPTION_UNKNOWN", "no"), BYOC, TYPED) == place


def test_a_fault_of_a_group_belongs_to_its_first_field() -> None:
    assert body_form.field_pointer(Fault("/hardware", "X", "no"), BYOC, {}) == "/hardware/vendor"


def test_a_missing_option_belongs_to_its_own_field() -> None:
    texts = {"/devices/0": "c"}
    by_pointer = faults(body_form.texts_to_body(texts, BYOC))
    assert [body_form.field_pointer(fault, BYOC, texts) for fault in by_pointer.values()] == [
        "/codegen"
    ]


@pytest.mark.parametrize("code", ["TAG_UNKNOWN", "REFERENCE_INVALID", "PARENT_INVALID", "CYCLE"])
def test_faults_of_parents_belong_to_the_parents_field(code: str) -> None:
    assert body_form.field_pointer(Fault("", code, "no"), HEIR, {}) == "/tag"
    assert body_form.field_pointer(Fault("", code, "no"), BYOC, {}) is None


def test_invalid_json_belongs_to_the_json_field() -> None:
    assert body_form.field_pointer(Fault("", "VALUE_TYPE", "no JSON"), BYOC, {"": "{"}) == ""
