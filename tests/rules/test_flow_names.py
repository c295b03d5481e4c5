"""The names of pass settings. tests/tvm/test_pass_settings.py compares them with TVM."""

import pytest
from hypothesis import given, strategies as st

from ttag_rules.flow_names import (
    BOOLEANS,
    CURRENT,
    EARLIER_NAMES,
    GONE,
    INTEGERS,
    OBJECTS,
    current_name,
    is_accepted,
    repeated_names,
)


@pytest.mark.parametrize(
    ("name", "current"),
    [
        ("tir.disable_vectorize", "tirx.disable_vectorize"),
        ("tir.LoopPartition", "s_tir.LoopPartition"),
        ("tir.lwp_max_depth", "s_tir.lwp_max_depth"),
        ("tir.Simplify", "tirx.StmtSimplify"),
        ("tir.ptx_ldg32", "tirx.s_tir.ldg32"),
        ("tirx.ptx.ldg32", "tirx.s_tir.ldg32"),
        ("tir.usmp.enable", "tir.usmp.enable"),
        ("relay.FuseOps.max_depth", "relay.FuseOps.max_depth"),
        ("acme.fast", "acme.fast"),
    ],
)
def test_current_names(name: str, current: str) -> None:
    assert current_name(name) == current


def test_earlier_names_lead_to_current_ones() -> None:
    assert set(EARLIER_NAMES.values()) <= CURRENT
    assert not CURRENT & EARLIER_NAMES.keys()
    assert all(current_name(name) == name for name in CURRENT)
    assert not GONE & (CURRENT | EARLIER_NAMES.keys())


def test_each_setting_has_one_type() -> None:
    assert len(BOOLEANS) + len(INTEGERS) + len(OBJECTS) == len(CURRENT)


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("tirx.noalias", True, True),
        ("tirx.noalias", 1, False),
        ("tirx.vtcm_capacity", 1, True),
        ("tirx.vtcm_capacity", True, False),
        ("tirx.vtcm_capacity", 1.0, False),
        ("tirx.UnrollLoop", "x", False),
        ("tir.noalias", True, False),
        ("acme.fast", True, False),
    ],
)
def test_values_that_tvm_accepts(name: str, value: object, accepted: bool) -> None:
    assert is_accepted(name, value) is accepted


@given(st.lists(st.sampled_from(sorted(CURRENT | EARLIER_NAMES.keys() | GONE)), unique=True))
def test_names_of_one_setting_are_found_together(names: list[str]) -> None:
    repeated = repeated_names(names)
    assert all(len({current_name(name) for name in group}) == 1 < len(group) for group in repeated)
    once = set(names) - {name for group in repeated for name in group}
    assert len({current_name(name) for name in names}) == len(once) + len(repeated)
