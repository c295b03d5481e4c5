"""Targets that no schema allows get an answer, too."""

from typing import Any

from hypothesis import given, strategies as st

from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
odd_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
OPTIONS = ("mtriple", "mcpu", "mattr", "mabi", "mfloat-abi", "cl-opt", "vector-width", "codegen")
kinds = st.sampled_from(["llvm", "c", "composite", "byoc", "cuda", "", "none of these"])
texts = st.sampled_from(
    ["x86_64-linux-gnu", "haswell", "native", "+avx2", "-", "riscv64-linux-gnu", "sm_90", "arm"]
)
options = st.dictionaries(
    st.sampled_from(OPTIONS), texts | st.lists(texts, max_size=2) | odd_values
)


@st.composite
def targets(draw: st.DrawFn) -> dict[str, Any]:
    target = {**draw(options), "kind": draw(kinds | odd_values)}
    if draw(st.booleans()):
        target["host"] = draw(odd_values) if draw(st.booleans()) else {**draw(options), "kind": "c"}
    if draw(st.booleans()):
        target["devices"] = draw(odd_values)
    return target


@given(targets(), targets())
def test_odd_targets_are_answered(code: dict[str, Any], machine: dict[str, Any]) -> None:
    result = verdict(code, machine)
    assert isinstance(result.answer, Answer)
    assert result.reason


def test_an_empty_target_is_unknown() -> None:
    assert verdict({}, {}).answer is Answer.UNKNOWN
