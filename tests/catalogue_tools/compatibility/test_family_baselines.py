"""The largest families of clouds, with the build for each."""

from typing import Any

from catalogue_tools.compatibility.family_baselines import LARGEST, family_lines

Target = dict[str, Any]


def cloud(family: str, mcpu: str, *mattr: str, category: str = "cloud-instance") -> Target:
    facts = {"category": category, "vendor": "Acme", "family": family}
    triple = "x86_64-unknown-linux-gnu"
    features = {"mattr": [*mattr]} if mattr else {}
    return {"kind": "llvm", "mtriple": triple, "mcpu": mcpu, **features, "hardware": facts}


def test_each_family_has_a_build_that_all_its_types_run() -> None:
    mixed = [cloud("Large", "haswell"), cloud("Large", "haswell"), cloud("Large", "skylake-avx512")]
    *_, large, small = family_lines([cloud("Small", "znver3"), *mixed])
    assert large.startswith("| Acme | Large | 3 | `haswell` | AVX-512 (avx512f, avx512bw and ")
    assert large.endswith(" more) on 1 of 3 |")
    assert small == "| Acme | Small | 1 | `znver3` | nothing |"


def test_features_beyond_a_name_are_counted() -> None:
    (*_, line) = family_lines([cloud("A", "x86-64-v2", "+aes", "+avx", "+sha")])
    assert line == "| Acme | A | 1 | `x86-64-v2` +aes, +avx and 1 more | nothing |"


def test_the_largest_families_are_listed_and_nothing_but_clouds() -> None:
    targets = [cloud(f"{number:02}", "haswell") for number in range(LARGEST + 5)]
    targets += [cloud("server", "haswell", category="server-cpu")] * 9
    targets += [cloud("large", "haswell")] * 2
    lines = list(family_lines(targets))
    assert len(lines) == 2 + LARGEST
    assert lines[2].startswith("| Acme | large | 2 |")
    assert not any("server" in line for line in lines)


def test_a_family_without_a_common_build_says_why() -> None:
    other = cloud("A", "haswell") | {"mtriple": "aarch64-unknown-linux-gnu", "mcpu": "cortex-a72"}
    (*_, line) = family_lines([cloud("A", "haswell"), other])
    assert line.startswith("| Acme | A | 2 | none | The machines differ in system")
