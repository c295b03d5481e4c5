"""Ask every reader what a text describes; where two read the same characters, the earlier wins."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from registry.domain.identify.notations import (
    compiler_flags,
    gpu_architectures,
    microarchitectures,
    platforms,
    product_names,
    rust_and_zig,
    triples,
    wishes,
)
from registry.domain.identify.readers import (
    amd,
    android,
    apple,
    cuda_programs,
    imported,
    labels,
    nvidia,
    opencl,
    processors,
    vulkan,
)
from registry.domain.identify.readings import Ignored, Reader, Reading, Recognised
from registry.domain.kinds.kinds import Kinds

# Decision 146: an earlier one wins. What states a processor comes before what states a triple.
READERS: tuple[Reader, ...] = (
    nvidia.read,
    cuda_programs.read,
    amd.read,
    vulkan.read,
    opencl.read,
    processors.read_lscpu,
    processors.read_cpuinfo,
    apple.read,
    android.read,
    labels.read,
    rust_and_zig.read,
    compiler_flags.read,
    gpu_architectures.read,
    microarchitectures.read,
    triples.read,
    platforms.read,
    product_names.read,
    wishes.read,
)
MAX_OF_READER = 64  # readings; what a text repeats more often is a list
MAX_READINGS = 16  # a machine has eight GPUs; a longer list is a list, and not a machine
REST = f"only the first {MAX_READINGS} machines of a text are listed; this one and the rest are not"


@dataclass(frozen=True, slots=True)
class Identification:
    """The readings of a text in its order, what was recognised, and what was ignored and why."""

    readings: tuple[Reading, ...] = ()
    recognised: tuple[Recognised, ...] = ()
    ignored: tuple[Ignored, ...] = ()


def identify(text: str, kinds: Kinds) -> Identification:
    """Return what the readers find, those of the importers first: they read what is whole.

    It refuses no text; `input_limits` does.
    """
    kept: list[Reading] = []
    for reader in (imported.reader(kinds), *READERS):
        earlier = tuple(kept)
        found = islice(reader(text), MAX_OF_READER)
        kept += (reading for reading in found if not any(map(reading.overlaps, earlier)))
    recognised = sorted({form for reading in kept for form in reading.recognised}, key=_place)
    ignored = sorted({part for reading in kept for part in reading.ignored}, key=_place)
    readings = sorted((reading for reading in kept if not reading.is_empty), key=_first_place)
    if len(readings) > MAX_READINGS:
        form = min(readings[MAX_READINGS].recognised, key=_place)
        words = text[form.start : form.end]
        ignored = sorted([*ignored, Ignored(words, REST, form.start, form.end)], key=_place)
    return Identification(tuple(readings[:MAX_READINGS]), tuple(recognised), tuple(ignored))


def _place(part: Recognised | Ignored) -> tuple[int, int]:
    return part.start, part.end


def _first_place(reading: Reading) -> int:
    return min((form.start for form in reading.recognised), default=0)
