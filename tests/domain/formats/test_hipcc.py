# ruff: noqa: E501 - tables read best in rows
from typing import Any

import pytest

from registry.domain.errors import Code
from registry.domain.formats.hipcc import FORMAT
from registry.services.core import shipped_facts
from tests.domain.builders import refusal
from tests.domain.formats.machines import if_fit, machine, machines
from ttag_rules.compatibility.devices.amd import GENERIC
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer
from ttag_rules.notations.hipcc import PROCESSORS

FLAG = "--offload-arch="


def rocm(mcpu: str, *mattr: str) -> dict[str, Any]:
    return {"kind": "rocm", "mcpu": mcpu, **({"mattr": [*mattr]} if mattr else {})}


def composite(*devices: Any) -> dict[str, Any]:
    return {"kind": "composite", "devices": [*devices], "host": "llvm"}


def target_ids(text: str) -> list[str]:
    words = text.split()
    assert all(word.startswith(FLAG) for word in words)
    return [word.removeprefix(FLAG) for word in words]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (rocm("gfx90a"), "gfx90a"),
        (rocm("gfx90a", "+xnack", "-sramecc"), "gfx90a:sramecc-:xnack+"),
        (rocm("gfx90a", "-xnack"), "gfx90a:xnack-"),
        (rocm("gfx1010", "+xnack"), "gfx1010:xnack+"),
        (rocm("gfx1030"), "gfx1030"),
        (rocm("gfx11-generic"), "gfx11-generic"),
        (rocm("gfx9-4-generic", "+sramecc"), "gfx9-4-generic:sramecc+"),
        (composite(rocm("gfx942"), rocm("gfx1100")), "gfx1100 gfx942"),
        (composite(rocm("gfx942"), rocm("gfx942")), "gfx942"),
        (
            composite(rocm("gfx90a", "+xnack"), rocm("gfx90a", "-xnack")),
            "gfx90a:xnack+ gfx90a:xnack-",
        ),
    ],
)
def test_each_gpu_is_a_target_id(body: dict[str, Any], expected: str) -> None:
    export = FORMAT.write(machine(body))
    assert target_ids(export.text) == expected.split()
    assert {loss.pointer for loss in export.dropped} <= {"/kind", "/host"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"kind": "rocm"}, "it states no GPU of AMD"),
        ({"kind": "llvm", "mcpu": "znver4"}, "it states no GPU of AMD"),
        ({"kind": "cuda", "arch": "sm_90"}, "it states no GPU of AMD"),
        ({"kind": "vulkan"}, "it states no GPU of AMD"),
        (rocm("gfx940"), "hipcc of LLVM 22 does not compile for gfx940"),
        (rocm("gfx999"), "hipcc of LLVM 22 does not compile for gfx999"),
        (rocm("gfx13-generic"), "hipcc of LLVM 22 does not compile for gfx13-generic"),
    ],
)
def test_a_target_without_a_gpu_that_hipcc_compiles_for_is_refused(
    body: dict[str, Any], reason: str
) -> None:
    refused = refusal(lambda: FORMAT.write(machine(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.detail == f"acme/board@1.0.0 has no text in this format: {reason}."


@pytest.mark.parametrize(
    ("body", "text", "losses"),
    [
        (rocm("gfx1030", "+xnack"), "gfx1030", {"/mattr": "target IDs of gfx1030 have no xnack"}),
        (rocm("gfx900", "+sramecc", "-xnack"), "gfx900:xnack-", {"/mattr/0": "target IDs of gfx900 have no sramecc"}),
        (rocm("gfx90a", "+wavefrontsize64"), "gfx90a", {"/mattr": "a target ID has no such setting"}),
        (
            composite(rocm("gfx90a", "+xnack"), rocm("gfx90a")),
            "gfx90a",
            {"/devices/0/mattr": "another gfx90a states no xnack, and hipcc takes it for all or for none"},
        ),
        (composite(rocm("gfx942"), rocm("gfx940")), "gfx942", {"/devices/1": "hipcc of LLVM 22 does not compile for gfx940"}),
    ],
)  # fmt: skip
def test_what_target_ids_cannot_say_is_dropped_with_the_reason(
    body: dict[str, Any], text: str, losses: dict[str, str]
) -> None:
    export = FORMAT.write(machine(body))
    assert target_ids(export.text) == text.split()
    reasons = {loss.pointer: loss.reason for loss in export.dropped}
    assert {place: reasons.get(place) for place in losses} == losses
    assert reasons.keys() <= {*losses, "/kind", "/host"}


def test_code_for_a_target_id_runs_on_its_machine_and_on_no_other_processor() -> None:
    seen = 0
    for subject in machines().values():
        export = if_fit(FORMAT.write, subject)
        if not export or subject.target.get("kind") != "rocm":
            continue
        mcpu, *settings = target_ids(export.text)[0].split(":")
        built = rocm(mcpu, *(f"{each[-1]}{each[:-1]}" for each in settings))
        assert verdict(built, subject.target).answer is Answer.YES
        for other in PROCESSORS.keys() - {mcpu, *GENERIC, *GENERIC.get(mcpu, ())}:
            assert verdict(built, rocm(other)).answer is Answer.NO, (mcpu, other)
        seen += 1
    assert seen > 20


def test_processors_are_those_of_llvm() -> None:
    assert {*PROCESSORS} == {
        name for name in shipped_facts.cpus()["amdgcn"] if name.startswith("gfx")
    }
