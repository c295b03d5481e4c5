"""Correcting lists of features."""

from typing import Any

from hypothesis import given, strategies as st

from registry.domain.tvm.feature_repairs import correct_features, split_target_id
from registry.domain.tvm.source_locations import Findings
from tests.domain import strategies
from tests.domain.builders import target_of

FEATURES = st.lists(strategies.features, max_size=4)
UNSIGNED = st.lists(
    st.one_of(strategies.features, strategies.alphanumeric, st.just("")),
    unique_by=lambda feature: feature.lstrip("+-"),
)


def correct(features: Any) -> tuple[Any, Findings]:
    """Return the corrected list, and the findings."""
    findings = Findings()
    return correct_features(features, "/mattr", findings), findings


@given(FEATURES)
def test_features_with_signs_are_unchanged(features: list[str]) -> None:
    corrected, findings = correct(features)
    assert corrected == features
    assert not findings.notes


@given(UNSIGNED)
def test_corrected_features_are_valid_and_every_change_is_noted(features: list[str]) -> None:
    corrected, findings = correct(features)
    assert target_of({"kind": "llvm", "mattr": corrected})["mattr"] == corrected
    assert [f.lstrip("+-") for f in corrected] == [f.lstrip("+-") for f in features if f]
    assert len(findings.notes) == sum(feature[:1] not in {"+", "-"} for feature in features)


@given(st.lists(strategies.features, min_size=1, max_size=4), FEATURES)
def test_target_ids_are_split_into_cpu_and_features(own: list[str], stated: list[str]) -> None:
    suffix = "".join(f":{feature[1:]}{feature[0]}" for feature in own)
    node: dict[str, Any] = {"kind": "rocm", "mcpu": f"gfx90a{suffix}", "mattr": stated}
    findings = Findings()
    split_target_id(node, "", findings)
    assert node == {"kind": "rocm", "mcpu": "gfx90a", "mattr": [*own, *stated]}
    assert len(findings.notes) == 1


@given(st.sampled_from(["gfx90a", "skylake", "gfx1100"]), FEATURES)
def test_other_processors_are_unchanged(cpu: str, features: list[str]) -> None:
    node = {"kind": "rocm", "mcpu": cpu, "mattr": features}
    findings = Findings()
    split_target_id(node, "", findings)
    assert node == {"kind": "rocm", "mcpu": cpu, "mattr": features}
    assert not findings.notes
