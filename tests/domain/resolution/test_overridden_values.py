"""The inherited value that an own value overrides."""

from typing import Any

import pytest

from registry.domain.resolution.overridden_values import OverriddenValue, overridden_value


def use(pointer: str, resolved: str, relation: str = "inherits") -> dict[str, str]:
    return {"pointer": pointer, "resolved": resolved, "relation": relation}


PARENTS: dict[str, Any] = {
    "a/p@1.0.0": {"kind": "cuda", "arch": "sm_80", "host": {"kind": "c", "mcpu": "x"}, "libs": []},
    "a/mixin@1.0.0": {"arch": "sm_90", "libs": {"$append": ["cudnn"]}},
    "a/gpu@1.0.0": {"kind": "cuda", "arch": "sm_53"},
}
OF_ROOT = [use("", "a/p@1.0.0"), use("", "a/mixin@1.0.0")]


@pytest.mark.parametrize(
    ("pointer", "uses", "expected"),
    [
        ("/kind", OF_ROOT, OverriddenValue("a/p@1.0.0", "cuda")),
        (
            "/arch",
            OF_ROOT,
            OverriddenValue("a/mixin@1.0.0", "sm_90"),
        ),  # the last that says something
        ("/libs", OF_ROOT, OverriddenValue("a/p@1.0.0", [])),  # an edit is no value
        ("/host/mcpu", OF_ROOT, OverriddenValue("a/p@1.0.0", "x")),
        ("/model", OF_ROOT, None),
        ("/arch", [use("", "a/p@1.0.0", "composes")], None),
        ("/arch", [use("", "a/unknown@1.0.0")], None),
        ("/arch", [], None),
        (
            "/devices/gpu/arch",
            [use("", "a/p@1.0.0"), use("/devices/gpu", "a/gpu@1.0.0")],
            OverriddenValue("a/gpu@1.0.0", "sm_53"),
        ),
        ("/devices/gpu2/arch", [use("/devices/gpu", "a/gpu@1.0.0")], None),
    ],
)
def test_overridden_value_of_a_parent(
    pointer: str, uses: list[dict[str, str]], expected: OverriddenValue | None
) -> None:
    assert overridden_value(pointer, uses, PARENTS) == expected
