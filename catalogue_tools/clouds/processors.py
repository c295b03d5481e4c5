"""Processors of cloud machines: which of several is the oldest, and the target for one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from catalogue_tools.facts import rows_by
from catalogue_tools.llvm_targets import LINUX, llvm_target
from registry.domain.document import Json

# LLVM's names, oldest first: code for a processor runs on those after it in its row.
GENERATIONS = (
    (
        *("sandybridge", "ivybridge", "haswell", "broadwell", "skylake-avx512", "cascadelake"),
        *("icelake-server", "sapphirerapids", "emeraldrapids", "graniterapids"),
    ),
    # Cooper Lake has a feature that Ice Lake lacks.
    (
        *("sandybridge", "ivybridge", "haswell", "broadwell", "skylake-avx512", "cascadelake"),
        *("cooperlake", "sapphirerapids", "emeraldrapids", "graniterapids"),
    ),
    ("znver1", "znver2", "znver3", "znver4", "znver5"),
    ("neoverse-n1", "neoverse-n2"),
)
LEVELS = ("x86-64-v4", "x86-64-v3", "x86-64-v2")  # what processors of two makers share
FEATURES = "zig/x86_features"
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
    "Turin": "znver5",
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


def common(mcpus: Collection[str]) -> str:
    """Return the oldest of several processors, or the level of x86-64 that all of them have.

    Raises `ValueError` if there is neither.
    """
    try:
        return oldest(mcpus)
    except ValueError:
        for level in LEVELS:
            if all(implied_features(level) <= implied_features(mcpu) for mcpu in mcpus):
                return level
        raise


def implied_features(mcpu: str) -> Set[str]:
    """Return the features of an x86 processor that machines report; of others none."""
    return {*rows_by(FEATURES, "mcpu").get(mcpu, {}).get("features", ())}


def is_older(mcpu: str, other: str) -> bool:
    """Return whether a processor is known to be older than another."""
    return mcpu != other and any(
        {mcpu, other} <= set(generations) and generations.index(mcpu) < generations.index(other)
        for generations in GENERATIONS
    )


def linux_target(mcpu: str, hidden: Iterable[str] = ()) -> dict[str, Json]:
    """Return the target for a processor under Linux, without its number of cores.

    `hidden` are the features of the processor that machines do not have.
    """
    is_arm = mcpu.startswith(("cortex-", "neoverse-"))
    written_off = [f"-{feature}" for feature in hidden]
    return llvm_target(LINUX["aarch64" if is_arm else "x86"], mcpu, written_off)


def processor_list(names: Collection[str]) -> str:
    """Return processors as text, such as "A, B or C".

    Long lists are cut to what is in parentheses, the names of microarchitectures, and what is too
    long even then to as many as fit.
    """
    text = _joined(list(names))
    if len(text) <= MAX_TEXT:
        return text
    parts = [name[name.index("(") + 1 : name.index(")")] for name in names if "(" in name]
    short = list(dict.fromkeys(parts)) or list(names)
    while len(_joined([*short, "others"])) > MAX_TEXT:
        short.pop()
    return _joined(short if len(short) == len({*parts}) else [*short, "others"])


def _joined(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
