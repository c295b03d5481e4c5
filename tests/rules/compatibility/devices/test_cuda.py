"""Code for NVIDIA's GPUs. tests/tvm compares the rules with ptxas."""

import pytest

from ttag_rules.compatibility.options import FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension

YES, CONDITIONAL, UNKNOWN, NO = Answer.YES, Answer.CONDITIONAL, Answer.UNKNOWN, Answer.NO
CUBIN, PTX = frozenset({FileForm.CUBIN}), frozenset({FileForm.PTX})

CUBINS = [
    # code, machine, cubin alone, if PTX may be beside it
    ("sm_80", "sm_80", YES, YES),
    ("sm_80", "sm_86", YES, YES),
    ("sm_80", "sm_89", YES, YES),
    ("sm_86", "sm_80", NO, NO),
    ("sm_80", "sm_90", NO, CONDITIONAL),
    ("sm_70", "sm_75", YES, YES),
    ("sm_75", "sm_70", NO, NO),
    ("sm_60", "sm_61", YES, YES),
    ("sm_52", "sm_60", NO, CONDITIONAL),
    ("sm_90", "sm_90a", YES, YES),  # a chip of 9.0
    ("sm_90a", "sm_90", YES, YES),
    ("sm_90a", "sm_100", NO, NO),  # https://github.com/huggingface/kernels/issues/707
    ("sm_90", "sm_100", NO, CONDITIONAL),
    ("sm_100", "sm_120", NO, CONDITIONAL),  # data centre and desktop
    ("sm_120", "sm_100", NO, NO),
    ("sm_100a", "sm_103", NO, NO),
    ("sm_100f", "sm_103", YES, YES),
    ("sm_100f", "sm_110", NO, NO),
    ("sm_120f", "sm_121", YES, YES),
    ("sm_120a", "sm_121", NO, NO),
    ("sm_120", "sm_121", YES, YES),
    ("sm_101", "sm_110", YES, YES),  # one GPU with two names
    ("sm_101a", "sm_110", YES, YES),
    ("sm_80", "sm_87", NO, CONDITIONAL),  # Tegra
    ("sm_87", "sm_89", NO, CONDITIONAL),
    ("sm_87", "sm_87", YES, YES),
    ("sm_70", "sm_72", NO, CONDITIONAL),
    ("sm_62", "sm_61", NO, NO),
    ("sm_86", "sm_88", NO, CONDITIONAL),  # Tegra, too
    ("sm_88", "sm_89", NO, CONDITIONAL),
    ("sm_100", "sm_107", YES, YES),
    ("sm_100f", "sm_107", YES, YES),
    ("sm_103a", "sm_107", NO, NO),
    ("sm_107", "sm_103", NO, NO),
]


@pytest.mark.parametrize(("code", "machine", "alone", "beside"), CUBINS)
def test_cubins_run_within_one_major_version(
    code: str, machine: str, alone: Answer, beside: Answer
) -> None:
    built_for, has = {"kind": "cuda", "arch": code}, {"kind": "cuda", "arch": machine}
    result = verdict(built_for, has, Options(ships=CUBIN))
    assert result.answer is alone, result.reason
    assert verdict(built_for, has).answer is beside


@pytest.mark.parametrize(
    ("code", "machine", "answer"),
    [
        ("sm_80", "sm_90", YES),
        ("sm_80", "sm_120", YES),
        ("sm_80", "sm_87", YES),
        ("sm_90", "sm_80", NO),
        ("sm_90a", "sm_90", YES),
        ("sm_90a", "sm_100", NO),
        ("sm_100f", "sm_103", YES),
        ("sm_100f", "sm_120", NO),
    ],
)
def test_ptx_runs_on_what_is_later(code: str, machine: str, answer: Answer) -> None:
    has = {"kind": "cuda", "arch": machine}
    assert verdict({"kind": "nvptx", "mcpu": code}, has).answer is answer
    cuda = {"kind": "cuda", "arch": code}
    assert verdict(cuda, has, Options(ships=PTX)).answer is answer


def test_ptx_beside_a_cubin_is_a_condition_until_the_asker_says() -> None:
    built_for, has = {"kind": "cuda", "arch": "sm_80"}, {"kind": "cuda", "arch": "sm_90"}
    assert Condition("ships", "ptx") in verdict(built_for, has).conditions
    both = verdict(built_for, has, Options(ships=CUBIN | PTX))
    assert (both.answer, both.reason) == (YES, "The machine has all that the code needs.")


@pytest.mark.parametrize("arch", ["", "sm_", "gfx90a", "sm_9"])
def test_what_is_no_compute_capability_is_unknown(arch: str) -> None:
    gpu = {"kind": "cuda", "arch": "sm_80"}
    other = {"kind": "cuda", "arch": arch} if arch else {"kind": "cuda"}
    assert verdict(gpu, other).answer is UNKNOWN
    assert verdict(other, gpu).answer is UNKNOWN


def test_findings_name_both_options() -> None:
    (device, floor) = verdict(
        {"kind": "nvptx", "mcpu": "sm_80"}, {"kind": "cuda", "arch": "sm_90"}
    ).findings
    assert (device.dimension, device.built_for, device.machine) == (
        Dimension.DEVICE_CODE,
        "/mcpu",
        "/arch",
    )
    assert floor.dimension is Dimension.FLOOR
