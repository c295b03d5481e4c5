"""Every example resolves, and every format writes it, as recorded."""

from typing import Any

import pytest
from django.test import Client

from tests.examples.stated import (
    CATALOGUE_EXAMPLES,
    FOLDER,
    FORMATS,
    path_of,
    references,
    resolved,
    stated,
    written,
)

pytestmark = pytest.mark.django_db

BYOC = "example/byoc-myawesome-cuda"


@pytest.mark.parametrize("reference", references())
def test_targets_and_tuning_keys_are_as_recorded(client: Client, reference: str) -> None:
    result, expected = resolved(client, reference), stated(reference)
    assert result["target"] == expected["target"]
    assert result["tuning_keys"] == expected["tuning_keys"]
    assert result["warnings"] == []


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("reference", references())
def test_every_format_is_as_recorded(client: Client, reference: str, form: str) -> None:
    assert written(client, reference, form) == stated(reference)["formats"][form]


def test_there_are_no_other_recorded_files() -> None:
    paths = [path_of(reference) for reference in references()]
    assert sorted(paths) == sorted(FOLDER.glob("*.json"))
    for reference in references():
        assert list(stated(reference)["formats"]) == FORMATS


@pytest.mark.parametrize("reference", CATALOGUE_EXAMPLES)
def test_one_reference_is_enough_for_a_build(reference: str) -> None:
    assert {"kind", "executor", "runtime"} <= set(stated(reference)["target"])


def test_an_offloaded_part_is_identified_by_its_tag(client: Client) -> None:
    result = resolved(client, "example/vm-with-byoc")
    assert {
        "pointer": "/devices/vdevice0",
        "relation": "composes",
        "requested": f"{BYOC}@1",
        "resolved": f"{BYOC}@1.0.0",
    } in result["dependencies"]
    part = resolved(client, "example/vm-with-byoc", node="/devices/vdevice0")
    assert part["target"] == stated(BYOC)["target"] | {"executor": {"kind": "vm"}}


def test_a_function_can_use_one_device_of_a_rack(client: Client) -> None:
    pointer = "/devices/machine1/devices/card0/devices/gpu2"
    whole = stated("example/rack")
    result = resolved(client, "example/rack", node=pointer)
    machine = whole["target"]["devices"]["machine1"]
    device: dict[str, Any] = machine["devices"]["card0"]["devices"]["gpu2"]
    from_machine = {name: machine[name] for name in ("host", "executor", "runtime")}
    assert result["target"] == device | from_machine
    assert result["tuning_keys"] == {
        "": whole["tuning_keys"][pointer],
        "/host": whole["tuning_keys"]["/devices/machine1/host"],
    }
