"""Features of Arm chips as machines report them: dumps of Linux, and a table made from dumps."""

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
from catalogue_tools.facts import Row, cached, read_table, rows_by
from catalogue_tools.sources.arm_socs_table import FLAGS as LISTED_FLAGS
from catalogue_tools.tags import Disagreement
from registry.domain.document import Json

DUMPS = "cpu-dumps/arm"
LISTED = "arm-socs-table/socs"
JUDGED = "corrections/chip_features"


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
class Listing:
    """The flags that a table of chips lists as absent, of some."""

    absent: frozenset[str]
    url: str

    def reports(self, feature: Feature) -> bool | None:
        """Return whether the chip has a feature; None if the table does not say."""
        if not feature.flags[64] & {*LISTED_FLAGS}:
            return None
        return not feature.flags[64] & self.absent


@dataclass(frozen=True, slots=True)
class Evidence:
    """The features that dumps and tables together state of a chip.

    `reported` are features that one of them reports, `always` those that each dump does, `denied`
    those that one of them does not report although it could.
    """

    reported: frozenset[str]
    always: frozenset[str]
    denied: frozenset[str]

    @property
    def judged(self) -> frozenset[str]:
        """Features that are reported, or denied."""
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


def statements_of(tag: str) -> tuple[Listing | Dump, ...]:
    """Return what says which features a chip has: the table of chips, then the dumps."""
    row = rows_by(LISTED, "tag").get(tag)
    listing = (Listing(frozenset(row["absent"]), read_table(LISTED).url()),) if row else ()
    return (*listing, *_dumps().get(tag, ()))


@cached
def evidence(tag: str) -> Evidence:
    """Return what is known of a chip's features; nothing if there is no dump."""
    answers = {name: _answers(tag, feature) for name, feature in features().items()}
    return Evidence(
        frozenset(name for name, given in answers.items() if True in given),
        frozenset(name for name in answers if _is_always_reported(tag, name)),
        frozenset(name for name, given in answers.items() if False in given)
        | {*_correction(tag).get("absent", ())},
    )


def differences(tag: str, implied: Set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the features that a chip lacks, and has more, than names of cores imply."""
    known = evidence(tag)
    return known.absent & implied, known.added - implied


def reasons(tag: str, names: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each reason why features of a chip are off, or on."""
    known, correction = evidence(tag), _correction(tag)
    if correction and {*names} & {*correction["absent"]}:
        yield correction["reason"]
    rest = {*names} - {*correction.get("absent", ())}
    absent, reported = known.absent & rest, known.reported & rest
    if nowhere := absent - reported:
        yield f"Linux does not report {feature_text(nowhere)} on machines with this chip."
    if disputed := absent & reported:
        yield f"Not every machine with this chip has {feature_text(disputed)}."
    if added := reported - absent:
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
    """Return what decides on some features of a chip: the first that says so of each."""
    urls: dict[str, None] = {}
    for name in in_order(names):
        decisive = name not in evidence(tag).denied
        said_by = [
            statement.url
            for statement in statements_of(tag)
            if statement.reports(features()[name]) is decisive
        ]
        urls |= dict.fromkeys(said_by[:1] or [_correction(tag)["source"]])
    return tuple(urls)


def conflicts(tag: str, implied: frozenset[str]) -> Iterator[Disagreement]:
    """Yield the features that cores imply, and some machines with a chip report, others not."""
    known = evidence(tag)
    if names := in_order(known.reported & known.absent & implied):
        texts = {one.url: _reported_text(one, names) for one in statements_of(tag)}
        values: dict[str, Json] = {url: text for url, text in texts.items() if text}
        choice = f"{','.join(f'-{name}' for name in names)}: code without runs on all machines"
        yield Disagreement(tag, "mattr", values, choice)


def _correction(tag: str) -> Row:
    """Return what a person judged of a chip; empty if nobody had to."""
    return rows_by(JUDGED, "tag").get(tag, {})


def _answers(tag: str, feature: Feature) -> set[bool | None]:
    return {statement.reports(feature) for statement in statements_of(tag)}


def _is_always_reported(tag: str, name: str) -> bool:
    dumps = {dump.reports(features()[name]) for dump in _dumps().get(tag, ())}
    return dumps == {True} and False not in _answers(tag, features()[name])


def _reported_text(statement: Listing | Dump, names: list[str]) -> str:
    """Return which features a machine reports, as "sve2 reported"; empty if nothing is known."""
    answers = {name: statement.reports(features()[name]) for name in names}
    if reported := [name for name, said in answers.items() if said]:
        return f"{', '.join(reported)} reported"
    absent = [name for name, said in answers.items() if said is False]
    return f"no {' or '.join(absent)} reported" if absent else ""


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
