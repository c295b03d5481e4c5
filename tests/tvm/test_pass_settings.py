"""TVM has the pass settings that the registry knows."""

import pytest

from registry.domain.checks.unsafe_text import UNSAFE_SETTINGS
from tests.domain.builders import KINDS
from tests.tvm.compiler import Compiler, TvmError
from tests.tvm.exported import exported
from ttag_rules.flow_names import BOOLEANS, CURRENT, EARLIER_NAMES, GONE, INTEGERS

SWITCHES = [
    name
    for name, schema in KINDS["flow"].schema["properties"].items()
    if "." in name and schema["type"] == "boolean"
]


def test_some_pass_settings_are_booleans() -> None:
    assert "tir.disable_vectorize" in SWITCHES


def test_the_table_of_names_has_tvms_settings_by_type(tvm: Compiler) -> None:
    settings = tvm.call("pass_settings")
    assert settings.keys() == CURRENT
    assert {name for name, kind in settings.items() if kind == "bool"} == BOOLEANS
    integers = {name for name, kind in settings.items() if kind in ("int", "ir.IntImm")}
    assert integers == INTEGERS


@pytest.mark.parametrize("name", sorted(EARLIER_NAMES.keys() | GONE))
def test_tvm_rejects_earlier_names(tvm: Compiler, name: str) -> None:
    with pytest.raises(TvmError):
        tvm.call("configure", config={name: True})


@pytest.mark.parametrize("name", sorted((BOOLEANS | INTEGERS) - UNSAFE_SETTINGS.keys()))
def test_tvm_accepts_every_setting_of_pass_config(tvm: Compiler, name: str) -> None:
    value = name in BOOLEANS or 1
    settings = exported({"kind": "llvm", "mcpu": "haswell", "flow": {name: value}})["pass_config"]
    assert tvm.call("configure", config=settings) == {name: value}


@pytest.mark.parametrize("name", SWITCHES)
def test_tvm_accepts_the_setting(tvm: Compiler, name: str) -> None:
    body = {"kind": "llvm", "mcpu": "haswell", "flow": {name: True, "link-params": True}}
    settings = exported(body)["pass_config"]
    assert list(settings.values()) == [True]
    assert tvm.call("configure", config=settings) == settings
