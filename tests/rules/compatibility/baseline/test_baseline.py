"""The largest target that runs on several machines."""

from typing import Any

import pytest
from hypothesis import given, reject, strategies as st

from tests.rules.compatibility.test_laws import architectures, leaves
from ttag_rules.compatibility.baseline.baseline import (
    TooFewBuilds,
    UnacceptableBuild,
    UnusableMachines,
    baseline,
)
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

LINUX = {
    "x86": "x86_64-unknown-linux-gnu",
    "a64": "aarch64-unknown-linux-gnu",
    "rv64": "riscv64-unknown-linux-gnu",
}

Target = dict[str, Any]


def cpu(mcpu: str, triple: str = "x86", **options: Any) -> Target:
    return {"kind": "llvm", "mtriple": LINUX.get(triple, triple), "mcpu": mcpu, **options}


def gpu(arch: str, host: str = "") -> Target:
    leaf: Target = {"kind": "cuda", "arch": arch}
    return {**leaf, "host": cpu(host)} if host else leaf


FLEETS = [
    # machines, builds, the options of each build
    ([cpu("haswell")], 1, [{"mcpu": "haswell"}]),
    ([cpu("haswell"), cpu("haswell")], 1, [{"mcpu": "haswell"}]),
    ([cpu("haswell"), cpu("skylake-avx512"), cpu("znver3")], 1, [{"mcpu": "haswell"}]),
    ([cpu("x86-64-v3"), cpu("znver4")], 1, [{"mcpu": "x86-64-v3"}]),
    ([cpu("nehalem"), cpu("znver4")], 1, [{"mcpu": "x86-64-v2"}]),  # a level that loses nothing
    ([cpu("haswell", mattr=["-fma"]), cpu("znver3")], 1, [{"mcpu": "x86-64-v2"}]),
    ([cpu("cortex-a72", "a64"), cpu("neoverse-v1", "a64")], 1, [{"mcpu": "cortex-a72"}]),
    ([cpu("haswell"), cpu("cortex-a72", "a64")], 2, [{"mcpu": "haswell"}, {"mcpu": "cortex-a72"}]),
    ([gpu("sm_80"), gpu("sm_86")], 1, [{"kind": "cuda", "arch": "sm_80"}]),
    ([gpu("sm_80"), gpu("sm_90")], 1, [{"kind": "nvptx", "mcpu": "sm_80"}]),
    ([gpu("sm_80"), gpu("sm_87")], 1, [{"kind": "nvptx", "mcpu": "sm_80"}]),  # Tegra
    ([gpu("sm_90a"), gpu("sm_90")], 1, [{"kind": "cuda", "arch": "sm_90"}]),
    (
        [{"kind": "rocm", "mcpu": "gfx1100"}, {"kind": "rocm", "mcpu": "gfx1102"}],
        1,
        [{"kind": "rocm", "mcpu": "gfx11-generic"}],
    ),
    ([{"kind": "rocm", "mcpu": "gfx90a"}] * 2, 1, [{"kind": "rocm", "mcpu": "gfx90a"}]),
]


@pytest.mark.parametrize(("machines", "builds", "expected"), FLEETS)
def test_a_build_has_what_all_its_machines_have(
    machines: list[Target], builds: int, expected: list[Target]
) -> None:
    result = baseline(machines, builds)
    assert [
        {name: each.target.get(name) for name in options}
        for each, options in zip(result.builds, expected, strict=True)
    ] == expected
    for build in result.builds:
        for index in build.machines:
            assert verdict(build.target, machines[index]).answer is Answer.YES


def test_what_is_beyond_a_level_is_switched_on() -> None:
    machines = [cpu("haswell", mattr=["-fma"]), cpu("znver3")]
    (build,) = baseline(machines).builds
    assert "+avx2" in build.target["mattr"]
    assert not {"+avx", "+fma", "-fma"} & {*build.target["mattr"]}  # avx2 implies avx


def test_losses_are_the_features_that_a_machine_cannot_use() -> None:
    (build,) = baseline([cpu("haswell"), cpu("skylake-avx512")]).builds
    assert build.losses[0] == frozenset()
    assert {"avx512f", "aes"} <= build.losses[1]
    assert "avx2" not in build.losses[1]


def test_a_second_build_takes_what_loses_most() -> None:
    machines = [cpu("haswell"), cpu("broadwell"), cpu("znver4")]
    result = baseline(machines, 2)
    assert [build.machines for build in result.builds] == [(0, 1), (2,)]
    assert result.is_optimal
    assert result.loss < baseline(machines, 1).loss


def test_no_more_builds_are_made_than_lose_less() -> None:
    assert len(baseline([cpu("haswell")] * 3, 8).builds) == 1


def test_builds_go_to_the_families_that_lose_most() -> None:
    machines = [cpu("cortex-a72", "a64"), cpu("cortex-a73", "a64"), cpu("nehalem"), cpu("znver5")]
    result = baseline(machines, 3)
    assert [build.machines for build in result.builds] == [(0, 1), (2,), (3,)]


@pytest.mark.parametrize(
    "machines",
    [
        [cpu("haswell"), cpu("cortex-a72", "a64")],
        [cpu("haswell"), cpu("haswell", "x86_64-unknown-linux-musl")],
        [cpu("haswell"), gpu("sm_80", "haswell")],
        [gpu("sm_80"), {"kind": "rocm", "mcpu": "gfx90a"}],
        [cpu("sifive-u74", "rv64"), cpu("sifive-u74", "rv64", mabi="lp64")],
    ],
)
def test_machines_that_share_no_target_need_a_build_each(machines: list[Target]) -> None:
    with pytest.raises(TooFewBuilds, match="they need 2 builds, and 1 may be made"):
        baseline(machines, 1)
    assert len(baseline(machines, 2).builds) == 2


def test_what_a_compiler_objects_to_is_said_in_another_way() -> None:
    machines = [cpu("haswell"), cpu("znver4")]
    refused: list[Target] = []

    def objection(body: Target) -> str:
        if body["mcpu"] in ("haswell", "x86-64-v3"):
            refused.append(body)
            return f"no {body['mcpu']}"
        return ""

    (build,) = baseline(machines, objection=objection).builds
    assert refused
    assert build.target["mcpu"] not in ("haswell", "x86-64-v3")
    assert [verdict(build.target, machine).answer for machine in machines] == [Answer.YES] * 2


def test_a_build_of_which_no_body_is_accepted_is_refused_with_the_first_reason() -> None:
    with pytest.raises(UnacceptableBuild, match="no haswell") as problem:
        baseline([cpu("haswell"), cpu("znver4")], objection=lambda body: f"no {body['mcpu']}")
    assert problem.value.machines == (0, 1)


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (cpu("native"), "no table of the instructions of native"),
        ({"kind": "llvm", "mcpu": "haswell", "mtriple": "xtensa-none-elf"}, "no table"),
        ({"num-cores": 4}, "states no kind"),
        ({"kind": "composite", "devices": [gpu("sm_80"), {"kind": "metal"}]}, "several kinds"),
    ],
)
def test_machines_of_which_too_little_is_stated_are_named(machine: Target, reason: str) -> None:
    with pytest.raises(UnusableMachines, match=reason) as problems:
        baseline([cpu("haswell"), machine], 1)
    assert [problem.index for problem in problems.value.problems] == [1]


def test_no_machines_need_no_build() -> None:
    assert baseline([], 1).builds == ()


@pytest.mark.parametrize(
    "machine",
    [
        cpu("alderlake", mattr=["+soft-float"]),
        cpu("cortex-a53", "armv7-unknown-linux-gnueabihf", mattr=["+soft-float"]),
        {**cpu("cortex-a53", "armv7-unknown-linux-gnueabihf"), "mfloat-abi": "soft"},
        cpu("pwr8", "powerpc64le-unknown-linux-gnu", mabi="elfv1"),
    ],
)
def test_a_build_has_the_calling_convention_of_its_machines(machine: Target) -> None:
    (build,) = baseline([machine], 1).builds
    assert verdict(build.target, machine).answer is Answer.YES


@given(
    architectures.flatmap(lambda name: st.lists(leaves(name), min_size=1, max_size=5)),
    st.integers(1, 3),
)
def test_a_build_runs_on_each_of_its_machines(machines: list[Target], builds: int) -> None:
    try:
        result = baseline(machines, builds)
    except TooFewBuilds:  # profiles and restrictions of Arm, conventions
        reject()
    assert sorted(index for build in result.builds for index in build.machines) == [
        *range(len(machines))
    ]
    for build in result.builds:
        for index in build.machines:
            answer = verdict(build.target, machines[index]).answer
            assert answer is Answer.YES, (build.target, machines[index])
