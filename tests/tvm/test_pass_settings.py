"""TVM has the pass settings that the registry knows."""

import pytest

from tests.domain.builders import KINDS
from tests.tvm.compiler import Compiler
from tests.tvm.exported import exported

SWITCHES = [
    name
    for name, schema in KINDS["flow"].schema["properties"].items()
    if "." in name and schema["type"] == "boolean"
]


def test_some_pass_settings_are_booleans() -> None:
    assert "tir.disable_vectorize" in SWITCHES


@pytest.mark.parametrize("name", SWITCHES)
def test_tvm_accepts_the_setting(tvm: Compiler, name: str) -> None:
    body = {"kind": "llvm", "mcpu": "haswell", "flow": {name: True, "link-params": True}}
    settings = exported(body)["pass_config"]
    assert list(settings.values()) == [True]
    assert tvm.call("configure", config=settings) == settings
