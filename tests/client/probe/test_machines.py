"""Real machines: each gives the expected body, which the registry accepts."""

import re

import pytest

from registry.domain.document import canonical
from registry.domain.lints.rules import lint_target
from registry.services.core.shipped_facts import lint_facts
from tests.client.probe.recordings import MACHINES, NAMES, description, expected_body
from tests.domain.builders import KINDS, check_text
from ttag.registry.registry import Registry

ORIGIN = re.compile(r"https://\S+|Recorded with ttag probe --record\b")
UNAVOIDABLE = {"HARDWARE_UNSOURCED"}  # a probe cannot tell where facts are published


@pytest.mark.parametrize("name", NAMES)
def test_machine_is_described_by_its_body(name: str) -> None:
    assert description(name).body == expected_body(name)


@pytest.mark.parametrize("name", NAMES)
def test_recording_states_its_origin(name: str) -> None:
    assert ORIGIN.match((MACHINES / name / "origin.txt").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_something_is_learned_and_something_is_not(name: str) -> None:
    assert description(name).sources
    assert description(name).unknown


@pytest.mark.parametrize("name", NAMES)
def test_rules_accept_the_body(name: str) -> None:
    target = check_text(canonical(expected_body(name))).target
    codes = {fault.code for fault in lint_target(target, KINDS, lint_facts())}
    if "num-cores" not in expected_body(name):
        codes.discard("NUM_CORES_MISSING")
    assert codes <= UNAVOIDABLE


def test_registry_accepts_all_bodies(registry: str) -> None:
    for name in NAMES:
        answer = Registry(registry).post(
            "/check", {"tag": "probed/machine", "target": expected_body(name)}, write=False
        )
        assert answer["valid"], name
        assert answer["target"]["kind"] == expected_body(name)["kind"]


def test_there_are_machines_of_many_kinds() -> None:
    bodies = [expected_body(name) for name in NAMES]
    assert {"llvm", "cuda", "rocm", "opencl", "composite"} <= {body["kind"] for body in bodies}
    triples = {body["mtriple"].partition("-")[0] for body in bodies if "mtriple" in body}
    assert {"x86_64", "aarch64", "arm64", "armv6", "armv7a", "riscv64", "s390x"} <= triples
    assert len(NAMES) > 30
