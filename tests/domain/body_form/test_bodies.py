"""Conversion of texts to bodies, and its faults."""

from typing import Any

import pytest

from registry.domain import body_form
from registry.domain.errors import Code
from tests.domain.builders import KINDS, refusal

CUDA = body_form.start_of_kind(KINDS, "cuda")
BYOC = body_form.start_of_kind(KINDS, "byoc")
COMPOSITE = body_form.start_of_kind(KINDS, "composite")
HEIR = body_form.start_of_parents(KINDS, "cuda")
MIXIN = body_form.start_of_mixin(KINDS)


@pytest.mark.parametrize(
    ("start", "texts", "body"),
    [
        (CUDA, {}, {"kind": "cuda"}),
        (CUDA, {"/arch": "  "}, {"kind": "cuda"}),
        (CUDA, {"/arch": "sm_53", "/unknown": "x"}, {"kind": "cuda", "arch": "sm_53"}),
        (CUDA, {"/host": "llvm"}, {"kind": "cuda", "host": "llvm"}),
        (
            CUDA,
            {"/host": "llvm", "/host/mcpu": "generic"},
            {"kind": "cuda", "host": {"kind": "llvm", "mcpu": "generic"}},
        ),
        (
            CUDA,
            {"/host": "arm/a@1", "": '{"host": {"host": null}}'},
            {"kind": "cuda", "host": {"tag": "arm/a@1", "host": None}},
        ),
        (CUDA, {"/executor": "vm"}, {"kind": "cuda", "executor": "vm"}),
        (
            CUDA,
            {"/executor": "vm", "": '{"executor": {}}'},
            {"kind": "cuda", "executor": {"kind": "vm"}},
        ),
        (
            CUDA,
            {"/executor": "aot", "/executor/unpacked-api": "true"},
            {"kind": "cuda", "executor": {"kind": "aot", "unpacked-api": True}},
        ),
        (CUDA, {"": '{"kind": "c"}'}, {"kind": "c"}),
        (HEIR, {"/tag": "nvidia/a"}, {"tag": "nvidia/a"}),
        (HEIR, {"/executor/unpacked-api": "false"}, {"executor": {"unpacked-api": False}}),
        (
            HEIR,
            {"/tag": "nvidia/a\r\nmicro/b", "": '{"keys": {"$append": ["x"]}, "model": null}'},
            {"tag": ["nvidia/a", "micro/b"], "keys": {"$append": ["x"]}, "model": None},
        ),
        (
            HEIR,
            {"/hardware/cores": "4", "": '{"hardware": {"vendor": null}}'},
            {"hardware": {"cores": 4, "vendor": None}},
        ),
        (MIXIN, {"/runtime": "crt"}, {"runtime": "crt"}),
        (
            COMPOSITE,
            {"/devices/0": "arm/a", "/devices/2": '{"kind": "c"}'},
            {"kind": "composite", "devices": ["arm/a", {"kind": "c"}]},
        ),
        (
            COMPOSITE,
            {"/devices/1#label": " gpu ", "/devices/1": " arm/a "},
            {"kind": "composite", "devices": {"gpu": "arm/a"}},
        ),
        (
            COMPOSITE,
            {"/devices/0#label": "gpu", "/devices/0": "c", "": '{"devices": {"b/": "c"}}'},
            {"kind": "composite", "devices": {"gpu": "c", "b/": "c"}},
        ),
    ],
)
def test_texts_convert_to_a_body(start: body_form.Start, texts: dict[str, str], body: Any) -> None:
    assert body_form.texts_to_body(texts, start) == body


@pytest.mark.parametrize(
    ("start", "texts", "pointers"),
    [
        (CUDA, {"/thread_warp_size": "many", "/executor": "x"}, ["/thread_warp_size", "/executor"]),
        (CUDA, {"": "{"}, [""]),
        (CUDA, {"": "[]"}, [""]),
        (CUDA, {"": '"x"'}, [""]),
        (CUDA, {"": '{"arch": 1, "arch": 2}'}, [""]),
        (CUDA, {"": '{"x": "' + "y" * 70000 + '"}'}, [""]),
        (CUDA, {"": "[" * 200}, [""]),
        (CUDA, {"/arch": "sm_53", "": '{"arch": "sm_53"}'}, ["/arch"]),
        (CUDA, {"/hardware/cores": "4", "": '{"hardware": {"cores": 4}}'}, ["/hardware/cores"]),
        (CUDA, {"/hardware/cores": "4", "": '{"hardware": null}'}, ["/hardware"]),
        (CUDA, {"/executor": "vm", "": '{"executor": "vm"}'}, ["/executor"]),
        (COMPOSITE, {"/devices/0#label": "gpu"}, ["/devices/0"]),
        (COMPOSITE, {"/devices/0": "{"}, ["/devices/0"]),
        (COMPOSITE, {"/devices/0": "[]"}, ["/devices/0"]),
        (
            COMPOSITE,
            {"/devices/0#label": "a", "/devices/0": "c", "/devices/1": "c"},
            ["/devices/1"],
        ),
        (
            COMPOSITE,
            {f"/devices/{number}{end}": "c" for number in (0, 3) for end in ("", "#label")},
            ["/devices/3"],
        ),
    ],
)
def test_all_invalid_texts_are_reported_together(
    start: body_form.Start, texts: dict[str, str], pointers: list[str]
) -> None:
    refused = refusal(lambda: body_form.texts_to_body(texts, start))
    assert refused.code is Code.BODY_INVALID
    assert [fault.pointer for fault in refused.faults] == pointers
    places = {
        body_form.field_pointer(fault, start, texts, is_of_text=True) for fault in refused.faults
    }
    assert places - {None}


def test_valid_texts_are_read_beside_invalid_ones() -> None:
    texts = {"/arch": "sm_53", "/thread_warp_size": "many", "/hardware/cores": "4"}
    body, faults = body_form.read_texts(texts, CUDA)
    assert body == {"kind": "cuda", "arch": "sm_53", "hardware": {"cores": 4}}
    assert [fault.pointer for fault in faults] == ["/thread_warp_size"]


@pytest.mark.parametrize(
    ("start", "body", "texts"),
    [
        (
            COMPOSITE,
            {"kind": "composite", "devices": {"gpu": "c", "cpu": {"kind": "llvm"}}},
            {
                "/devices/0#label": "gpu",
                "/devices/0": "c",
                "/devices/1#label": "cpu",
                "/devices/1": '{"kind": "llvm"}',
            },
        ),
        (
            COMPOSITE,
            {"kind": "composite", "devices": {"gpu": None, "cpu": "c"}},
            {
                "/devices/0#label": "cpu",
                "/devices/0": "c",
                "": '{"devices": {"gpu": null}}',
            },
        ),
        (
            COMPOSITE,
            {"kind": "composite", "devices": ["c", None]},
            {"": '{"devices": ["c", null]}'},
        ),
        (
            COMPOSITE,
            {"kind": "composite", "devices": {"$append": ["c"]}},
            {"": '{"devices": {"$append": ["c"]}}'},
        ),
        (
            CUDA,
            {"kind": "cuda", "flow": {"tir.disable_vectorize": True}},
            {"": '{"flow": {"tir.disable_vectorize": true}}'},
        ),
        (HEIR, {"tag": ["a/b"]}, {"": '{"tag": ["a/b"]}'}),
        (
            HEIR,
            {
                "tag": "a/b",
                "hardware": {"sources": {"power": ["https://c"], "counts": {"$append": []}}},
            },
            {
                "/tag": "a/b",
                "/hardware/sources": "power: https://c",
                "": '{"hardware": {"sources": {"counts": {"$append": []}}}}',
            },
        ),
        (HEIR, {"host": {"kind": "a/b"}}, {"": '{"host": {"kind": "a/b"}}'}),
    ],
)
def test_bodies_convert_to_texts(start: body_form.Start, body: Any, texts: dict[str, str]) -> None:
    assert body_form.body_to_texts(body, start) == texts
    assert body_form.texts_to_body(texts, start) == body


def test_more_devices_than_rows_are_kept_as_json() -> None:
    body: Any = {"kind": "composite", "devices": ["c", "llvm"] * 33}
    texts = body_form.body_to_texts(body, COMPOSITE)
    assert list(texts) == [""]
    assert body_form.texts_to_body(texts, COMPOSITE) == body


def test_converting_does_not_change_the_body() -> None:
    body: Any = {"kind": "cuda", "host": {"kind": "llvm", "mcpu": "x"}, "hardware": {"cores": 1}}
    body_form.body_to_texts(body, CUDA)
    assert body["host"] == {"kind": "llvm", "mcpu": "x"}
    assert body["hardware"] == {"cores": 1}
