"""Settings of a target that TVM, or its table of tags, would silently ignore."""

import re
from typing import Any

import pytest

from tests.client.tvm_accounts import accounts
from ttag.tvm.accounting.outcomes import Lost
from ttag.tvm.description import Description, Origin
from ttag.tvm.losses import lost_in_build, lost_in_table

CPU = {"kind": "llvm"}


def description(build: dict[str, Any], target: dict[str, Any] = CPU, **members: Any) -> Description:
    """Return the description of a target in the format `tvm`."""
    pass_config = members.pop("pass_config", {})
    return Description(Origin("acme/x@1.0.0", ""), target, build, pass_config, **members)


def lost_pointers(lossy: Description) -> list[str]:
    """Return the pointers of what a build loses."""
    entries = accounts(lossy).values()
    return [entry.pointer for entry in entries if isinstance(entry.outcome, Lost)]


@pytest.mark.parametrize(
    "settings",
    [
        {"executor": {"kind": "vm"}},
        {"executor": {"kind": "aot"}, "runtime": {"kind": "cpp"}},
        {"executor": {"kind": "aot", "unpacked-api": False, "interface-api": "packed"}},
        {"runtime": {"kind": "cpp", "system-lib": False}},
        {"flow": {"link-params": True, "enable-byoc": ["npu"]}},
        {"labels": ["first"]},
    ],
)
def test_build_follows_these_settings(settings: dict[str, Any]) -> None:
    assert lost_pointers(description({"": settings})) == []


@pytest.mark.parametrize(
    ("settings", "lost"),
    [
        ({"executor": {"kind": "aot", "interface-api": "c"}}, "/executor/interface-api"),
        ({"runtime": {"kind": "cpp", "system-lib": True}}, "/runtime/system-lib"),
        (
            {"flow": {"relay.backend.use_auto_scheduler": True}},
            "/flow/relay.backend.use_auto_scheduler",
        ),
    ],
)
def test_build_loses_these_settings(settings: dict[str, Any], lost: str) -> None:
    assert lost_pointers(description({"": settings})) == [lost]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tir.disable_vectorize", "tirx.disable_vectorize"),
        ("tir.use_async_copy", "tirx.use_async_copy"),
        ("tir.enable_debug", "tirx.enable_debug"),
    ],
)
def test_renamed_pass_setting_is_not_lost(old: str, new: str) -> None:
    build = {"": {"flow": {old: True}}}
    assert lost_pointers(description(build, pass_config={new: True})) == []


def test_lost_value_is_named_with_its_pointer_and_what_to_do() -> None:
    aligned = {"executor": {"kind": "aot", "workspace-byte-alignment": 64}}
    entries = accounts(description({"": aligned})).values()
    (loss,) = lost_in_build(entries)
    assert re.fullmatch(r"/executor/workspace-byte-alignment = 64 \(TVM .*: remove it\)", loss)


def test_dropped_values_are_lost_except_facts_for_people() -> None:
    dropped = ("/hardware", "/devices/gpu/hardware", "/devices/gpu/clock")
    lossy = description({}, dropped=dropped)
    assert lost_pointers(lossy) == lost_in_table(lossy) == ["/devices/gpu/clock"]


@pytest.mark.parametrize(
    ("build", "lost"),
    [
        ({"": {"executor": {"kind": "vm"}, "runtime": {"kind": "cpp"}}}, []),
        ({"": {"executor": {"kind": "vm"}, "runtime": {"kind": "cuda-graph"}}}, ["/runtime"]),
        ({"/host": {"executor": {"kind": "aot"}}}, ["/host/executor"]),
        ({"": {"flow": {"link-params": True}}}, ["/flow/link-params"]),
    ],
)
def test_table_holds_the_target_alone(build: dict[str, Any], lost: list[str]) -> None:
    assert lost_in_table(description(build)) == lost


def test_table_loses_the_devices_of_a_composite() -> None:
    composite = {"kind": "composite", "devices": [CPU], "host": CPU}
    assert lost_in_table(description({"": {"labels": ["cpu"]}}, composite)) == ["/devices"]
