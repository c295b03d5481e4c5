"""Features of Arm chips as machines report them, from dumps of what Linux shows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass

from catalogue_tools.arm_features import (
    Feature,
    Release,
    feature_text,
    features,
    implied,
    implied_by_name,
    in_order,
    release,
)
from catalogue_tools.facts import Row, cached, read_table
from catalogue_tools.tags import Disagreement

DUMPS = "cpu-dumps/arm"


@dataclass(frozen=True, slots=True)
class Dump:
    """The features that Linux reported on a machine. `kernel` is () if no release is stated."""

    flags: frozenset[str]
    bits: int
    kernel: Release
    url: str

    def reports(self, feature: Feature) -> bool | None:
        """Return whether the machine has a feature; None if this kernel cannot say."""
        if not feature.flags[self.bits]:
            return None
        if feature.flags[self.bits] <= self.flags:
            return True
        return None if self._release() < feature.since[self.bits] else False

    def _release(self) -> Release:
        """Return the kernel's release, or the least one that reports all these flags."""
        reported = (known for known in features().values() if known.flags[self.bits] <= self.flags)
        return self.kernel or max((known.since[self.bits] for known in reported), default=())


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the dumps of a chip say together.

    `reported` are features that a dump reports, `always` those that each does, `denied` those that
    a dump does not report although its kernel could.
    """

    reported: frozenset[str]
    always: frozenset[str]
    denied: frozenset[str]

    @property
    def judged(self) -> frozenset[str]:
        """Features that some dump reports, or could."""
        return self.reported | self.denied

    @property
    def absent(self) -> frozenset[str]:
        """Features to switch off: those that a machine lacks, and that code could need."""
        return frozenset(name for name in self.denied if not features()[name].harmless)

    @property
    def added(self) -> frozenset[str]:
        """Features to switch on where a name does not imply them."""
        return frozenset(name for name in self.always if features()[name].added)


def dumped_tags() -> frozenset[str]:
    """Return the tags of chips that have dumps."""
    return frozenset(_dumps())


def dumps_of(tag: str) -> tuple[Dump, ...]:
    """Return the dumps of a chip."""
    return _dumps().get(tag, ())


@cached
def evidence(tag: str) -> Evidence:
    """Return what the dumps of a chip say; nothing if it has none."""
    answers = {
        name: {dump.reports(feature) for dump in dumps_of(tag)}
        for name, feature in features().items()
    }
    return Evidence(
        frozenset(name for name, said in answers.items() if True in said),
        frozenset(name for name, said in answers.items() if said == {True}),
        frozenset(name for name, said in answers.items() if False in said),
    )


def differences(tag: str, implied: Set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the features that a chip lacks, and has more, than names of cores imply."""
    known = evidence(tag)
    return known.absent & implied, known.added - implied


def reasons(absent: Collection[str], added: Collection[str]) -> Iterator[str]:
    """Yield a sentence for the features that dumps switch off, and on."""
    if absent:
        yield f"Linux does not report {feature_text(absent)} on machines with this chip."
    if added:
        yield f"Linux reports {feature_text(added)} on every machine with this chip."


def corrected_mattr(tag: str, mcpu: str, mattr: Sequence[str], architecture: str) -> list[str]:
    """Return `mattr` without what a chip lacks; as it is if the chip lacks nothing of it.

    What is corrected leaves out what the name of a 64-bit core implies, as tags of chips do.
    """
    absent = evidence(tag).absent
    kept = [text for text in mattr if text[0] == "-" or text[1:] not in absent]
    off = [f"-{name}" for name in in_order(absent & implied(mcpu, kept, architecture))]
    if not off and kept == [*mattr]:
        return kept
    needless = implied_by_name(mcpu) if architecture == "aarch64" else frozenset()
    return [*(text for text in kept if text[1:] not in needless), *off]


def urls_of(tag: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the dumps that decide on some features: the first that says so of each."""
    urls: dict[str, None] = {}
    for name in in_order(names):
        decisive = name in evidence(tag).always
        said_by = (dump.url for dump in dumps_of(tag) if dump.reports(features()[name]) is decisive)
        urls[next(said_by)] = None
    return tuple(urls)


def conflicts(tag: str, implied: frozenset[str]) -> Iterator[Disagreement]:
    """Yield the features that cores imply, and some machines with a chip report, others not."""
    known = evidence(tag)
    if names := in_order(known.reported & known.absent & implied):
        values = {dump.url: _reported_text(dump, names) for dump in dumps_of(tag)}
        choice = f"{','.join(f'-{name}' for name in names)}: code without runs on all machines"
        yield Disagreement(tag, "mattr", values, choice)


def _reported_text(dump: Dump, names: list[str]) -> str:
    """Return which of some features a machine reports, as "sve2 reported"."""
    reported = [name for name in names if dump.reports(features()[name])]
    return f"{', '.join(reported)} reported" if reported else f"no {', '.join(names)} reported"


@cached
def _dumps() -> dict[str, tuple[Dump, ...]]:
    dumps: dict[str, tuple[Dump, ...]] = {}
    for row in read_table(DUMPS).rows:
        dumps[row["tag"]] = (*dumps.get(row["tag"], ()), _dump(row))
    return dumps


def _dump(row: Row) -> Dump:
    return Dump(
        frozenset(row["flags"].split()),
        row.get("bits", 64),
        release(row["kernel"]) if "kernel" in row else (),
        read_table(DUMPS).url(row["source"], row["path"]),
    )
