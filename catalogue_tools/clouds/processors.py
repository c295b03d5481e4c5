"""Processors of cloud machines: which of several is the oldest, and the target for one."""

from __future__ import annotations

from collections.abc import Collection

from catalogue_tools.llvm_targets import LINUX, llvm_target
from registry.domain.document import Json

# LLVM's names, oldest first: code for a processor runs on those after it in its row.
GENERATIONS = (
    (
        *("sandybridge", "ivybridge", "haswell", "broadwell", "skylake-avx512", "cascadelake"),
        *("icelake-server", "sapphirerapids", "emeraldrapids", "graniterapids"),
    ),
    ("znver1", "znver2", "znver3", "znver4", "znver5"),
)
# LLVM's names of the platforms that Google documents.
PLATFORMS = {
    "Ampere Altra": "neoverse-n1",
    "Broadwell": "broadwell",
    "Cascade Lake": "cascadelake",
    "Emerald Rapids": "emeraldrapids",
    "Genoa": "znver4",
    "Google Axion": "neoverse-v2",
    "Granite Rapids": "graniterapids",
    "Haswell": "haswell",
    "Ice Lake": "icelake-server",
    "Ivy Bridge": "ivybridge",
    "Milan": "znver3",
    "Rome": "znver2",
    "Sandy Bridge": "sandybridge",
    "Sapphire Rapids": "sapphirerapids",
    "Skylake": "skylake-avx512",
}
MAX_TEXT = 90  # characters of a list of processors; leaves room for the family's name


# Decision 071: a machine type is compiled for the oldest processor it may have.
def oldest(mcpus: Collection[str]) -> str:
    """Return the oldest of several processors, by LLVM's names.

    Raises `ValueError` if none of them can run the code of all others.
    """
    if len(set(mcpus)) == 1:
        return next(iter(mcpus))
    for generations in GENERATIONS:
        if set(mcpus) <= set(generations):
            return min(mcpus, key=generations.index)
    raise ValueError(f"no processor is the oldest of {sorted(mcpus)}")


def is_older(mcpu: str, other: str) -> bool:
    """Return whether a processor is known to be older than another."""
    return mcpu != other and any(
        {mcpu, other} <= set(generations) and generations.index(mcpu) < generations.index(other)
        for generations in GENERATIONS
    )


def linux_target(mcpu: str) -> dict[str, Json]:
    """Return the target for a processor under Linux, without its number of cores."""
    is_arm = mcpu.startswith(("cortex-", "neoverse-"))
    return llvm_target(LINUX["aarch64" if is_arm else "x86"], mcpu)


def processor_list(names: Collection[str]) -> str:
    """Return processors as text, such as "A, B or C".

    Long lists are cut to what is in parentheses, the names of microarchitectures.
    """
    text = _joined(list(names))
    if len(text) <= MAX_TEXT:
        return text
    short = [name[name.index("(") + 1 : name.index(")")] for name in names if "(" in name]
    return _joined(list(dict.fromkeys(short)))


def _joined(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
