"""Ask every reader what a text describes; where two read the same characters, the earlier wins."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.identify.notations import tvm_calls
from registry.domain.identify.readers import READERS, imported
from registry.domain.identify.readings import Ignored, Reading, Recognised
from registry.domain.kinds.kinds import Kinds

MAX_READINGS = 16  # a machine has eight GPUs; a longer list is a list, and not a machine


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
    of_targets = (
        imported.whole_reader(kinds),
        tvm_calls.reader(kinds),
        imported.part_reader(kinds),
    )
    for reader in (*of_targets, *READERS):
        earlier = tuple(kept)
        kept += (reading for reading in reader(text) if not any(map(reading.overlaps, earlier)))
    recognised = sorted({form for reading in kept for form in reading.recognised}, key=_place)
    ignored = sorted({part for reading in kept for part in reading.ignored}, key=_place)
    readings = sorted((reading for reading in kept if not reading.is_empty), key=_first_place)
    return Identification(tuple(readings[:MAX_READINGS]), tuple(recognised), tuple(ignored))


def _place(part: Recognised | Ignored) -> tuple[int, int]:
    return part.start, part.end


def _first_place(reading: Reading) -> int:
    return min((form.start for form in reading.recognised), default=0)
