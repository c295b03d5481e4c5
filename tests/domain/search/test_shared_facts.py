"""A machine differs from what all machines of a series share, or nothing is said."""

import pytest

from registry.domain.search.shared_facts import Machine, differences
from ttag_rules.compatibility.tables import shipped_tables


def cpu(family: str, mcpu: str, *mattr: str, arch: str = "x86_64") -> Machine:
    return Machine("llvm", family, arch, mcpu, mattr)


def gpu(family: str, arch: str) -> Machine:
    return Machine("cuda", family, arch)


ZEN_3, ZEN_4 = cpu("Zen 3", "znver3"), cpu("Zen 4", "znver4")
ADA, BLACKWELL = gpu("Ada Lovelace", "sm_89"), gpu("Blackwell", "sm_120")
N1, V1 = cpu("Ares", "neoverse-n1", arch="aarch64"), cpu("Zeus", "neoverse-v1", arch="aarch64")


def said(machine: Machine, *series: Machine) -> list[str]:
    return list(differences(machine, series, shipped_tables()))


@pytest.mark.parametrize(
    ("machine", "series", "expected"),
    [
        (ZEN_4, [ZEN_3] * 3, ["Zen 4, not Zen 3", "has AVX-512"]),
        (ZEN_3, [ZEN_4] * 3, ["Zen 3, not Zen 4", "lacks AVX-512"]),
        (ADA, [BLACKWELL] * 3, ["Ada Lovelace, not Blackwell", "sm_89, not sm_120"]),
        (V1, [N1] * 3, ["Zeus, not Ares", "has SVE"]),
        (cpu("", "znver4"), [ZEN_3] * 3, ["has AVX-512"]),
        (cpu("Zen 4", "znver4", "-avx512f"), [ZEN_3, ZEN_3, cpu("Zen 3", "znver3")], [
            "Zen 4, not Zen 3",
        ]),
    ],
)  # fmt: skip
def test_what_all_members_share_differs(
    machine: Machine, series: list[Machine], expected: list[str]
) -> None:
    assert said(machine, *series) == expected


@pytest.mark.parametrize(
    ("machine", "series"),
    [
        (ZEN_3, [ZEN_3] * 3),
        (ZEN_4, [ZEN_3] * 2),  # too few
        (ZEN_4, [ZEN_3, ZEN_3, ZEN_4]),  # they disagree
        (BLACKWELL, [ADA, ADA, BLACKWELL]),
        (ZEN_4, [ADA] * 3),  # of another kind: what a CPU has, no GPU lacks
        (ADA, [BLACKWELL, BLACKWELL, ZEN_3]),
        (cpu("", "native"), [ZEN_4] * 3),  # any processor
        (cpu("", "x86-64"), [ZEN_4] * 3),  # a level, and perhaps more
        (cpu("", "generic"), [ZEN_4] * 3),
        (cpu("", "unknown9"), [ZEN_4] * 3),
        (cpu("", ""), [ZEN_4] * 3),
        (ZEN_4, [cpu("Zen 4", "native")] * 3),
        (ZEN_4, [cpu("Zen 4", "znver3"), cpu("Zen 4", "znver4"), cpu("Zen 4", "znver4")]),
        (cpu("", "znver4"), [cpu("", "znver3"), cpu("", "x86-64-v3"), cpu("", "znver2")]),
    ],
)
def test_nothing_is_said_where_nothing_is_certain(machine: Machine, series: list[Machine]) -> None:
    assert said(machine, *series) == []


def test_features_of_other_architectures_are_not_compared() -> None:
    assert said(V1, *[ZEN_3] * 3) == ["Zeus, not Zen 3", "aarch64, not x86_64"]
