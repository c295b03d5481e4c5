from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import Json
from registry.domain.kinds.option_lookup import OptionLookup
from tests.domain.builders import KINDS, leaves, target_of
from tests.domain.strategies import targets
from ttag_rules.nodes import nodes
from ttag_rules.pointer import PointerUnknown

PATCH: Json = {
    "mcpu": "x",
    "libs": {"$append": ["x"]},
    "host": {"mattr": ["+x"]},
    "devices": {"a": {"arch": "sm_90"}, "b": None},
    "executor": {"unpacked-api": True},
    "flow": None,
}
TARGET: Json = {
    "kind": "composite",
    "model": "x",
    "host": {"kind": "llvm", "mcpu": "x"},
    "devices": {"host": {"kind": "cuda", "arch": "sm_90"}, "hardware": {"kind": "c", "march": "x"}},
    "executor": {"kind": "aot", "unpacked-api": True},
    "flow": {"link-params": True, "a.b": 1},
    "hardware": {"cores": 1, "peak_ops_per_s": {"fp32": 1}},
}


@pytest.mark.parametrize(
    ("pointer", "names"),
    [
        ("/kind", {"kind"}),
        ("/model", {"model"}),
        ("/host/mcpu", {"mcpu"}),
        ("/devices/host/arch", {"arch"}),
        ("/devices/hardware/march", {"march"}),
        ("/devices/hardware", set()),
        ("/devices", set()),
        ("/host", set()),
        ("", set()),
        ("/executor/kind", {"kind"}),
        ("/executor/unpacked-api", {"unpacked-api"}),
        ("/flow/link-params", {"link-params"}),
        ("/flow/a.b", {"a.b"}),
        ("/hardware/peak_ops_per_s/fp32", {"peak_ops_per_s"}),
        ("/hardware", set(KINDS["hardware"].options)),
    ],
)
def test_options_at_pointers(pointer: str, names: set[str]) -> None:
    assert {option.name for option in OptionLookup(TARGET, KINDS).options_at(pointer)} == names


def test_a_malformed_pointer_raises() -> None:
    with pytest.raises(PointerUnknown):
        OptionLookup(TARGET, KINDS).options_at("host")


@pytest.mark.parametrize(
    ("pointer", "root_kinds", "count"),
    [
        ("/mcpu", ("llvm",), 1),
        ("/mcpu", ("llvm", "rocm", "opencl"), 2),
        ("/mcpu", (), sum("mcpu" in kind.options for kind in KINDS.targets.values())),
        ("/libs/$append", ("llvm",), 1),
        ("/host/mattr", ("llvm",), sum("mattr" in kind.options for kind in KINDS.targets.values())),
        ("/devices/a/arch", ("composite",), 1),
        ("/devices/b", ("composite",), len(KINDS.targets)),  # a device is taken away
        ("/executor/unpacked-api", ("llvm",), 1),
        ("/flow", ("llvm",), len(KINDS["flow"].options)),  # all settings are taken away
    ],
)
def test_a_mixins_option_is_looked_up_in_every_possible_kind(
    pointer: str, root_kinds: tuple[str, ...], count: int
) -> None:
    assert len(OptionLookup(PATCH, KINDS, root_kinds).options_at(pointer)) == count


@given(targets)
def test_every_value_of_a_target_belongs_to_an_option(body: Json) -> None:
    target = target_of(body)
    lookup = OptionLookup(target, KINDS)
    for pointer in leaves(target):
        assert len(lookup.options_at(pointer)) == 1


@given(targets, st.randoms(use_true_random=False))
def test_earlier_lookups_change_no_later_one(body: Json, random: Random) -> None:
    target = target_of(body)
    pointers = [*leaves(target), *(node.pointer for node in nodes(target))]
    random.shuffle(pointers)
    lookup = OptionLookup(target, KINDS)
    for pointer in pointers:
        assert lookup.options_at(pointer) == OptionLookup(target, KINDS).options_at(pointer)


def test_a_node_is_found_once_for_all_its_values() -> None:
    target: Json = {"kind": "llvm", "flow": {f"a.b{index}": index for index in range(100)}}
    lookup = OptionLookup(target, KINDS)
    with patch.object(lookup, "_split", wraps=lookup._split) as split:
        for index in range(100):
            assert len(lookup.options_at(f"/flow/a.b{index}")) == 1
    assert split.call_count == 1
