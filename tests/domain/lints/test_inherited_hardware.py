"""Hardware facts that describe another processor than the one stated."""

from typing import Any

from registry.domain.lints.hardware import inherited_facts
from tests.domain.builders import Library

CHIP: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "x86_64-linux-gnu",
    "mcpu": "haswell",
    "hardware": {"vendor": "Intel", "model": "E5-2666", "cores": 8},
}


def found(body: Any, **tags: Any) -> dict[str, str]:
    library = Library()
    for name, target in tags.items():
        library.put(f"a/{name}", target)
    resolution = library.resolve(body)
    uses = [
        {
            "pointer": use.pointer,
            "requested": use.requested,
            "resolved": use.resolved,
            "relation": str(use.relation),
        }
        for use in resolution.dependencies
    ]
    parents = {use["resolved"]: library.answers(body)[use["requested"]].target for use in uses}
    lints = inherited_facts(resolution.target, resolution.provenance, uses, parents)
    return {lint.pointer: lint.found for lint in lints}


def test_another_cpu_under_inherited_facts() -> None:
    assert found({"tag": "a/chip", "mcpu": "skylake"}, chip=CHIP) == {"/hardware": "a/chip@1.0.0"}


def test_another_cpu_whose_name_begins_alike() -> None:
    chip = CHIP | {"mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a76"}
    assert found({"tag": "a/chip", "mcpu": "cortex-a78"}, chip=chip) == {
        "/hardware": "a/chip@1.0.0"
    }


def test_another_architecture_under_inherited_facts() -> None:
    body = {"tag": "a/chip", "mtriple": "aarch64-linux-gnu"}
    assert found(body, chip=CHIP) == {"/hardware": "a/chip@1.0.0"}


def test_another_system_of_the_same_architecture() -> None:
    assert found({"tag": "a/chip", "mtriple": "x86_64-pc-windows-msvc"}, chip=CHIP) == {}


def test_the_same_cpu_stated_again() -> None:
    assert found({"tag": "a/chip", "mcpu": "haswell"}, chip=CHIP) == {}


def test_a_gpu_of_another_architecture() -> None:
    gpu = {"kind": "cuda", "arch": "sm_80", "hardware": {"model": "A100"}}
    assert found({"tag": "a/gpu", "arch": "sm_90"}, gpu=gpu) == {"/hardware": "a/gpu@1.0.0"}


def test_facts_that_are_restated_or_removed() -> None:
    restated = {"tag": "a/chip", "mcpu": "skylake", "hardware": {"model": "6134", "cores": 8}}
    assert found(restated, chip=CHIP | {"hardware": {"model": "E5-2666"}}) == {}
    assert found({"tag": "a/chip", "mcpu": "skylake", "hardware": None}, chip=CHIP) == {}


def test_some_facts_that_are_still_inherited() -> None:
    body = {"tag": "a/chip", "mcpu": "skylake", "hardware": {"model": "6134"}}
    assert found(body, chip=CHIP) == {"/hardware": "a/chip@1.0.0"}


def test_vendor_and_family_can_hold_for_both() -> None:
    family = CHIP | {
        "hardware": {
            "vendor": "Intel",
            "family": "Xeon",
            "sources": {"identity": ["https://x.org"]},
        }
    }
    assert found({"tag": "a/chip", "mcpu": "skylake"}, chip=family) == {}


def test_a_family_without_a_cpu_that_gets_one() -> None:
    family = {key: value for key, value in CHIP.items() if key != "mcpu"}
    assert found({"tag": "a/chip", "mcpu": "skylake"}, chip=family) == {}


def test_a_host_inside_a_target() -> None:
    body = {"kind": "c", "host": {"tag": "a/chip", "mcpu": "skylake"}}
    assert found(body, chip=CHIP) == {"/host/hardware": "a/chip@1.0.0"}


def test_a_host_overridden_through_its_owner() -> None:
    body = {"tag": "a/board", "host": {"mcpu": "skylake"}}
    board = {"kind": "cuda", "arch": "sm_80", "host": CHIP}
    assert found(body, board=board) == {"/host/hardware": "a/board@1.0.0"}


def test_a_version_that_states_clusters_is_about_a_machine_with_other_cores() -> None:
    large = {"tag": "a/chip", "mcpu": "skylake", "hardware": {"clusters": "2 x Big, 4 x Little"}}
    assert found(large, chip=CHIP) == {}
    inherited = CHIP | {"hardware": {**CHIP["hardware"], "clusters": "8 x Haswell"}}
    other = found({"tag": "a/chip", "mcpu": "skylake"}, chip=inherited)
    assert other == {"/hardware": "a/chip@1.0.0"}
