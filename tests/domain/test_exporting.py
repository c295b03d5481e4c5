"""Behaviour common to all formats: losses, and the origins of nodes."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.closed_nodes import close_node
from registry.domain.document import canonical
from registry.domain.exporting import Export, Loss, Subject, find_losses
from tests.domain import strategies
from tests.domain.builders import KINDS, leaves
from ttag_rules.pointer import look_up

TARGET: dict[str, Any] = {
    "kind": "composite",
    "devices": {"gpu": {"kind": "cuda", "arch": "sm_53", "libs": ["cudnn"]}},
    "host": {"kind": "llvm", "mcpu": "cortex-a57"},
    "flow": {"link-params": True},
}
GPU = "/devices/gpu"


@pytest.mark.parametrize(
    ("written", "dropped"),
    [
        ([""], []),
        ([], [""]),
        (["/kind"], ["/devices", "/flow", "/host"]),
        (["/kind", "/host", "/flow"], ["/devices"]),
        (["/kind", "/host/kind", "/flow", GPU], ["/host/mcpu"]),
        (["/kind", "/host", "/flow", f"{GPU}/arch"], [f"{GPU}/kind", f"{GPU}/libs"]),
    ],
)
def test_losses_have_the_topmost_pointers(written: list[str], dropped: list[str]) -> None:
    losses = find_losses(TARGET, written, "no word")
    assert sorted(loss.pointer for loss in losses) == dropped
    assert {loss.reason for loss in losses} <= {"no word"}


def test_the_reason_can_depend_on_the_pointer() -> None:
    losses = find_losses(TARGET, ["/kind", "/devices", "/flow"], lambda pointer: f"not {pointer}")
    assert losses == (Loss("/host", "not /host"),)


def test_devices_in_a_list_have_pointers_with_indices() -> None:
    target: Any = {"kind": "composite", "devices": [{"kind": "cuda"}, {"kind": "metal"}]}
    losses = find_losses(target, ["/kind", "/devices/0"], "")
    assert [loss.pointer for loss in losses] == ["/devices/1"]


@given(strategies.documents.filter(lambda value: isinstance(value, dict)), st.data())
def test_every_leaf_is_either_written_or_lost(target: Any, data: st.DataObject) -> None:
    places = sorted(leaves(target))
    written = data.draw(st.sets(st.sampled_from(places))) if places else set()
    lost = {loss.pointer for loss in find_losses(target, written, "")}
    for place in places:
        above = {place[:end] for end in range(len(place) + 1) if place[end : end + 1] in ("", "/")}
        assert bool(above & lost) != (place in written)


def subject(**members: Any) -> Subject:
    return Subject("acme/board@1.2.0", TARGET, KINDS, **members)


def test_a_whole_target_has_the_exact_reference() -> None:
    result = subject(composed={GPU: "acme/gpu@1.0.0"})
    assert result.target == TARGET
    assert result.reference == "acme/board@1.2.0"
    assert result.origins == {"": "acme/board@1.2.0", GPU: "acme/gpu@1.0.0"}


def test_a_node_has_the_exact_reference_and_its_pointer() -> None:
    result = subject(composed={"/host": "acme/cpu@1.0.0"}, part=close_node(TARGET, GPU))
    assert result.reference == "acme/board@1.2.0#/devices/gpu"
    assert result.origins == {"": "acme/board@1.2.0#/devices/gpu", "/host": "acme/cpu@1.0.0"}
    assert look_up(result.target, "/host") == TARGET["host"]


def test_json_exports_include_dropped() -> None:
    text = Export({"target": {"kind": "c"}}, (Loss("/host", "no host here"),)).text
    assert json.loads(text) == {
        "target": {"kind": "c"},
        "dropped": [{"pointer": "/host", "reason": "no host here"}],
    }
    assert text.encode() == canonical(json.loads(text))
    assert json.loads(Export({}).text) == {"dropped": []}


def test_text_exports_are_returned_unchanged() -> None:
    assert Export("--target=arm\n", (Loss("/host", ""),)).text == "--target=arm\n"
