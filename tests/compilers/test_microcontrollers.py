"""clang knows the cores of microcontrollers, and takes away the floating point that they lack."""

import re

import pytest

from catalogue_tools.cpus import cores
from catalogue_tools.microcontrollers import others, stm32
from tests.compilers import tools

SUBJECTS = (cores.tags, others.tags, stm32.tags)
CORES = sorted({str(tag.body.get("mcpu", "")) for subject in SUBJECTS for tag in subject()})
MICROCONTROLLERS = [core for core in CORES if core.startswith("cortex-m")]


def features(core: str) -> set[str]:
    """Return the features that clang's driver passes on for a core, with signs."""
    command = (tools.clang(), "--target=arm-none-eabi", f"-mcpu={core}", "-mfloat-abi=hard")
    output = tools.run("sh", "-c", f"{' '.join(command)} -x c -c -### /dev/null 2>&1")
    return set(re.findall(r'"-target-feature" "([+-][^"]+)"', output))


@pytest.mark.parametrize("core", MICROCONTROLLERS)
def test_clang_knows_the_core(core: str) -> None:
    assert features(core)


@pytest.mark.parametrize(
    ("core", "present", "absent"),
    [
        ("cortex-m4", {"+vfp4d16sp", "+dsp"}, {"+fp64"}),
        ("cortex-m4+nofp", {"+dsp"}, {"+vfp4d16sp"}),
        ("cortex-m7", {"+fp64"}, set()),
        ("cortex-m7+nofp.dp", {"+fp-armv8d16sp"}, {"+fp64"}),
        ("cortex-m33+nodsp+nofp", set(), {"+dsp", "+fp-armv8d16sp"}),
    ],
)
def test_core_has_the_floating_point_that_it_says(
    core: str, present: set[str], absent: set[str]
) -> None:
    found = features(core)
    assert present <= found
    assert not absent & found
