"""The consumers of each value, and whether it affects tuning."""

from registry.domain.document import Json
from registry.domain.kinds.consumers import TargetConsumers, ValueConsumers
from tests.domain.builders import KINDS

TARGET: Json = {
    "kind": "composite",
    "model": "board",
    "libs": ["dnnl"],
    "devices": [{"kind": "llvm", "mcpu": "haswell", "model": "chip"}],
    "flow": {"link-params": True},
}


def at(pointer: str) -> ValueConsumers:
    return TargetConsumers(TARGET, KINDS).consumers_of(pointer)


def test_consumers_of_a_leafs_options() -> None:
    assert at("/devices/0/mcpu") == ValueConsumers(("codegen",), affects_tuning=True)
    assert at("/devices/0/model") == ValueConsumers(("annotation",), affects_tuning=True)


def test_only_inherited_options_of_a_composite_affect_tuning() -> None:
    assert not at("/model").affects_tuning
    assert at("/libs").affects_tuning


def test_executor_options_do_not_affect_tuning() -> None:
    assert not at("/flow/link-params").affects_tuning


def test_consumers_in_a_mixin_depend_on_its_possible_kinds() -> None:
    patch: Json = {"mcpu": "cortex-m7"}
    assert TargetConsumers(patch, KINDS, ["llvm"]).consumers_of("/mcpu").consumers == ("codegen",)
    assert TargetConsumers(patch, KINDS, ["cuda"]).consumers_of("/mcpu").consumers == (
        "annotation",
    )
