"""Whatever the registry writes for a valid target is accepted."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from registry.domain.formats import FORMATS
from tests.client.texts.subjects import catalogue, written
from tests.domain.formats.machines import cpu_leaves, machine
from tests.domain.strategies import targets
from ttag.texts import CHECKS, proven
from ttag.unsafe import unsafe_values

TRIPLES = [
    *("aarch64-linux-android21", "armv7a-linux-androideabi", "x86_64-pc-win32", "linux-x86_64"),
    *("arm64-apple-ios17.0-simulator", "arm64-apple-macosx14", "loongarch64-linux-gnu"),
    *("s390x-ibm-linux", "wasm32-unknown-wasi", "sparcv9-sun-solaris2.11", "x86_64"),
]
leaves = st.one_of(
    cpu_leaves,
    st.builds(
        lambda leaf, triple: {**leaf, "mtriple": triple}, cpu_leaves, st.sampled_from(TRIPLES)
    ),
)
machine_bodies = st.one_of(
    leaves,
    st.fixed_dictionaries(
        {
            "kind": st.just("composite"),
            "devices": st.lists(
                st.one_of(
                    leaves,
                    st.sampled_from(
                        [
                            {"kind": "cuda", "arch": "sm_90"},
                            {"kind": "cuda", "arch": "sm_80"},
                            {"kind": "metal"},
                            {"kind": "vulkan", "device": "adreno"},
                            {"kind": "vulkan", "device": "mali", "model": "mali-g78"},
                            {"kind": "vulkan", "device": "mali", "model": "mali-g52"},
                            {"kind": "rocm", "mcpu": "gfx90a", "mattr": ["+xnack"]},
                            {"kind": "hexagon", "mcpu": "hexagonv68"},
                        ]
                    ),
                ),
                min_size=1,
                max_size=3,
            ),
        },
        optional={"host": leaves, "executor": st.just("aot")},
    ),
)


def test_each_format_is_checked() -> None:
    assert {*CHECKS} == {*FORMATS}


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_each_distinct_text_of_the_catalogue_is_accepted(form: str) -> None:
    texts = [each for each in catalogue() if each.export.format == form]
    assert len(texts) > 30
    for each in texts:
        proven(each.export, each.resolution, source="The registry")


@given(targets)
def test_texts_of_any_valid_target_are_accepted(body: object) -> None:
    subject = machine(body)
    if any(each.pointer.endswith("/mtriple") for each in unsafe_values(subject.target)):
        return  # without an architecture, no text describes it
    for each in written(subject):
        proven(each.export, each.resolution, source="The registry")


@given(machine_bodies)
def test_texts_of_any_machine_are_accepted(body: object) -> None:
    for each in written(machine(body)):
        proven(each.export, each.resolution, source="The registry")


def test_the_catalogue_has_texts_of_each_format() -> None:
    assert {*Counter(each.export.format for each in catalogue())} == {*FORMATS}
