"""The fields of a form and their order."""

from typing import Any

import pytest

from registry.domain import body_form
from registry.domain.body_form import BodyRole, Widget
from registry.domain.errors import Code
from registry.domain.kinds.kinds import Kind, Kinds
from tests.domain.builders import KINDS, refusal

WORDS = sorted(KINDS.targets)
CUDA = body_form.start_of_kind(KINDS, "cuda")
HEIR = body_form.start_of_parents(KINDS, "cuda")


def names(start: body_form.Start) -> list[str]:
    return [group.name for group in start.groups]


def labels(start: body_form.Start, name: str, *, is_folded: bool = False) -> list[str]:
    (group,) = (group for group in start.groups if group.name == name)
    return [field.label for field in (group.folded if is_folded else group.fields)]


def test_settings_have_fields_under_their_current_names_only() -> None:
    settings = labels(CUDA, "flow", is_folded=True)
    assert "tirx.disable_vectorize" in settings
    assert "tir.disable_vectorize" not in settings


@pytest.mark.parametrize("word", WORDS)
def test_every_option_of_every_kind_has_a_field(word: str) -> None:
    fields = body_form.start_of_kind(KINDS, word).fields
    known_names = set(KINDS.targets[word].options) - {"kind"}
    assert {f"/{name}" for name in known_names} <= set(fields)
    assert {"/host", "/executor", "/runtime", "/flow/link-params", "/hardware/vendor", ""} <= set(
        fields
    )
    assert ("/devices" in fields) == (word in ("composite", "byoc"))
    assert "/kind" not in fields
    assert "/tag" not in fields


@pytest.mark.parametrize("word", WORDS)
def test_only_complex_values_need_json(word: str) -> None:
    fields = body_form.start_of_kind(KINDS, word).fields.values()
    assert [field.pointer for field in fields if field.widget is Widget.JSON] == [""]


@pytest.mark.parametrize("word", WORDS)
def test_few_fields_are_open_at_first(word: str) -> None:
    groups = body_form.start_of_kind(KINDS, word).groups
    assert sum(len(group.fields) for group in groups) <= 17


def test_hardware_comes_first_and_options_after() -> None:
    assert names(CUDA) == [
        *("hardware", "hardware-peak_ops_per_s", "code", "limits", "names", "host", "running"),
        *("flow", "rest"),
    ]
    assert names(HEIR)[:3] == ["hardware", "hardware-peak_ops_per_s", "parents"]
    byoc = body_form.start_of_kind(KINDS, "byoc")
    assert names(byoc)[2:5] == ["devices", "code", "host"]


def test_what_matters_is_open_and_the_rest_folded() -> None:
    assert labels(CUDA, "hardware") == [
        *("vendor", "model", "category", "launched", "memory_bytes", "cores")
    ]
    assert {"family", "sources", "l2_cache_bytes"} <= {*labels(CUDA, "hardware", is_folded=True)}
    assert labels(body_form.start_of_kind(KINDS, "llvm"), "code") == [
        *("mtriple", "mcpu", "mattr", "mabi", "mfloat-abi", "num-cores")
    ]
    assert labels(CUDA, "code", is_folded=True) == ["mcpu", "max_num_threads"]
    assert labels(CUDA, "running") == ["executor", "runtime"]
    assert "mcpu" in labels(CUDA, "host", is_folded=True)
    for name in ("hardware-peak_ops_per_s", "names", "flow", "rest"):
        assert (labels(CUDA, name), bool(labels(CUDA, name, is_folded=True))) == ([], True)


@pytest.mark.parametrize(
    ("pointer", "widget"),
    [
        ("/arch", Widget.TEXT),
        ("/thread_warp_size", Widget.INTEGER),
        ("/keys", Widget.LIST),
        ("/host", Widget.TARGET),
        ("/host/mfloat-abi", Widget.CHOICE),
        ("/executor", Widget.COMPONENT),
        ("/executor/workspace-byte-alignment", Widget.CHOICE),
        ("/flow/link-params", Widget.SWITCH),
        ("/hardware/power_watts", Widget.NUMBER),
        ("/hardware/sources", Widget.NAMED_LINES),
        ("/hardware/peak_ops_per_s/fp32", Widget.NUMBER),
    ],
)
def test_the_widget_depends_on_the_type(pointer: str, widget: Widget) -> None:
    assert CUDA.fields[pointer].widget is widget


def test_fields_have_facts_from_the_schema() -> None:
    warp = CUDA.fields["/thread_warp_size"]
    assert (warp.unit, warp.default) == ("threads", 32)
    assert (warp.schema["minimum"], warp.schema["maximum"]) == (1, 1024)
    assert (warp.consumers, warp.affects_tuning) == (("tuning",), True)
    assert warp.help.startswith("Threads that run in lockstep")
    assert CUDA.fields["/registers_per_block"].schema["minimum"] == 1  # of a shared definition
    assert CUDA.fields["/executor"].choices == ("aot", "graph", "vm")
    assert CUDA.fields["/runtime/system-lib"].only_in == ("cpp", "crt")
    fp32 = CUDA.fields["/hardware/peak_ops_per_s/fp32"]
    assert (fp32.unit, fp32.affects_tuning) == ("operations/s", False)


def test_options_are_required_only_if_the_kind_is_stated() -> None:
    assert body_form.start_of_kind(KINDS, "byoc").fields["/codegen"].is_required
    heir = body_form.start_of_parents(KINDS, "byoc")
    assert [field.pointer for field in heir.fields.values() if field.is_required] == ["/tag"]


@pytest.mark.parametrize(
    ("body", "role", "kind"),
    [
        ({"kind": "cuda"}, BodyRole.KIND, "cuda"),
        ({"tag": "nvidia/a@1"}, BodyRole.HEIR, "cuda"),
        ({"tag": ["nvidia/a@1", "micro/aot"]}, BodyRole.HEIR, "cuda"),
        ({"tag": "lost/one"}, BodyRole.HEIR, ""),
        ({"tag": []}, BodyRole.HEIR, ""),
        ({"tag": 1}, BodyRole.HEIR, ""),
        ({"runtime": "crt"}, BodyRole.MIXIN, ""),
        ([], BodyRole.MIXIN, ""),
    ],
)
def test_the_start_depends_on_the_body(body: Any, role: BodyRole, kind: str) -> None:
    start = body_form.start_of(KINDS, body, lambda name: "cuda" if name == "nvidia/a@1" else "")
    assert (start.role, start.kind) == (role, kind)


@pytest.mark.parametrize("kind", ["cudaa", 7, None, ["cuda"]])
def test_an_unknown_kind_is_rejected_with_suggestions(kind: Any) -> None:
    refused = refusal(lambda: body_form.start_of(KINDS, {"kind": kind}, str))
    assert refused.code is Code.KIND_UNKNOWN
    assert refused.faults[0].pointer == "/kind"
    assert ("cuda" in refused.suggestions) == ("cuda" in str(kind))


def option(**schema: Any) -> dict[str, Any]:
    return {**schema, "x-consumers": ["codegen"], "x-affects-tuning": True}


def made(**options: Any) -> body_form.Start:
    """Return the start of a newly created kind."""
    kind = Kind("new", 1, {"properties": options, "required": []})
    return body_form.start_of_kind(Kinds([kind]), "new")


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": ["string", "number"]},
        {"type": "array"},
        {"type": "array", "items": {"type": "number"}},
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "patternProperties": {"^x-": {"type": "string"}}},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"enum": ["a", None]},
        {"enum": ["a", ["b"]]},
        {"const": {}},
    ],
)
def test_complex_values_are_entered_as_json(schema: dict[str, Any]) -> None:
    assert made(x=option(**schema)).fields["/x"].widget is Widget.JSON


def test_members_of_an_object_have_fields() -> None:
    start = made(
        x=option(type="object", properties={"a/b": {"type": "boolean"}, "c": {"type": "object"}})
    )
    assert start.fields["/x/a~1b"].widget is Widget.SWITCH
    assert start.fields["/x/c"].widget is Widget.JSON
    assert labels(start, "code") == ["x/a/b", "x/c"]
    body: Any = {"kind": "new", "x": {"a/b": True, "c": {"d": 1}, "e": 1}}
    texts = body_form.body_to_texts(body, start)
    assert texts == {"/x/a~1b": "true", "/x/c": '{"d": 1}', "": '{"x": {"e": 1}}'}
    assert body_form.texts_to_body(texts, start) == body


def test_options_with_one_name_but_two_types_are_entered_as_json() -> None:
    kinds = [
        Kind("new", 1, {"properties": {}}),
        Kind("executor/a", 1, {"properties": {"x": option(type="boolean")}}),
        Kind("executor/b", 1, {"properties": {"x": option(type="integer")}}),
    ]
    field = body_form.start_of_kind(Kinds(kinds), "new").fields["/executor/x"]
    assert (field.widget, field.only_in) == (Widget.JSON, ("a", "b"))
