"""Identify what a pasted text describes, and find its tags. Nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q

from registry.domain.identify import identifying, relation
from registry.domain.identify.input_limits import refuse_unreadable
from registry.domain.identify.readings import Fact, Ignored, Reading, Recognised
from registry.domain.identify.relation import Related
from registry.domain.names.name_folding import fold_name
from registry.domain.search.part_numbers import chip_of
from registry.models import Entry, Status
from registry.services.identify import abstract_tags, naming
from registry.services.identify.naming import Naming
from registry.services.kinds import kinds
from registry.services.search.deadlines import time_limit

MAX_TAGS = 5  # of a reading
MAX_NAME = 100  # characters of a text that is nothing but a name
NO_TAG = "no tag has this name"
OF_ANOTHER = "the tag of this name states another processor"
YANKED = "every version of the tag of this name is yanked"
DEPRECATED = "the tag is deprecated"
OTHER_CHIP = "the machine of this name has another chip"
BARE_NAME = "name of a machine"
ORDER = ("same", "contains", "near")


@dataclass(frozen=True, slots=True)
class RelatedTag:
    """A tag of a reading by its exact reference, with its relation and what differs.

    `body` is the tag's own body with the values that the text says otherwise; empty for a tag of
    what several machines share, and where nothing differs.
    """

    reference: str
    tag: str
    related: Related
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Identified:
    """A reading, completed by the machine that it names, with its tags, the best first."""

    reading: Reading
    tags: tuple[RelatedTag, ...] = ()

    @property
    def describes(self) -> bool:
        """Return whether it has a target or tags: a name alone, of no tag, describes nothing."""
        return "kind" in self.reading.body or bool(self.tags or self.reading.search)

    @property
    def search(self) -> str:
        """The query string of the list that a wish leads to; empty for a description."""
        return urlencode(self.reading.search)


@dataclass(frozen=True, slots=True)
class Identification:
    """The readings of a text, the forms that were recognised, and the ignored parts."""

    readings: tuple[Identified, ...]
    recognised: tuple[Recognised, ...]
    ignored: tuple[Ignored, ...]


# Decision 145: a name as a whole, or the same processor, leads to a tag; likeness never does.
def identify_text(text: str) -> Identification:
    """Return what a text describes. Raises `Refused` for a text that cannot be one, or is too long.

    The number of queries does not depend on the text.
    """
    refuse_unreadable(text)
    answer = identifying.identify(text, kinds.current_kinds().kinds)
    bare = () if answer.readings or answer.ignored else tuple(_bare_name(text))
    with time_limit():
        catalogue = _Catalogue.of(answer.readings or bare)
    identified = [catalogue.identify(reading) for reading in answer.readings or bare]
    found = tuple(each for each in identified if each.describes)
    nothing = [each.reading for each in identified if not each.describes]
    return Identification(
        found,
        (*answer.recognised, *(form for each in bare if found for form in each.recognised)),
        (*answer.ignored, *(part for each in nothing for part in catalogue.ignored(each, text))),
    )


def _bare_name(text: str) -> Iterator[Reading]:
    """Yield the reading of one line in which no reader has found anything: it may be a name."""
    name = text.strip()
    if len(fold_name(name)) >= naming.MIN_NAME and len(name) <= MAX_NAME and "\n" not in name:
        start = text.index(name)
        form = Recognised(BARE_NAME, start, start + len(name))
        yield Reading({}, recognised=(form,), names=(name, *filter(None, (chip_of(name),))))


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """The tags that some readings may describe, with their newest versions."""

    named: Mapping[str, Naming]
    abstract: Mapping[tuple[str, str], tuple[str, ...]]
    entries: Mapping[str, Entry]
    targets: Mapping[str, dict[str, Any]]

    @classmethod
    def of(cls, readings: Iterable[Reading]) -> _Catalogue:
        """Load what names and processors of the readings lead to. Four queries."""
        readings = tuple(readings)
        named = naming.find_named({name for reading in readings for name in reading.names})
        abstract = abstract_tags.find([reading.body for reading in readings])
        entries = _entries(
            {tag for tags in abstract.values() for tag in tags},
            {root for each in named.values() for root in naming.roots(each.tags)},
        )
        targets = {
            text: json.loads(entry.version.target)
            for text, entry in entries.items()
            if entry.version
        }
        return cls(named, abstract, entries, targets)

    def identify(self, reading: Reading) -> Identified:
        """Return a reading with the tags of its first known name, else of its processor."""
        tags: list[RelatedTag] = []
        for name in reading.names:
            if tags := self._related(reading, self._with_variants(name), is_named=True):
                tags.sort(key=lambda tag: not _is_called(tag.tag, name))
                parts = [(self.targets[tag.tag], tag.related) for tag in tags]
                reading = relation.completed(reading, parts)
                stated = (
                    (name, self._reason(name)),  # several machines have the name
                    (reading.chip, self._other_chip(reading, tags[0].tag)),
                )
                notes = (f"{part}: {reason}" for part, reason in stated if reason)
                reading = replace(reading, notes=(*reading.notes, *notes))
                break
        else:
            if reading.names:
                note = f"{reading.names[-1]}: {self._absence(reading)}"
                reading = replace(reading, notes=(*reading.notes, note))
        if not tags and (processor := abstract_tags.processor_of(reading.body)):
            known = [tag for tag in self.abstract.get(processor, ()) if tag in self.targets]
            tags = self._related(reading, known)
        if len(tags) > MAX_TAGS:
            note = f"the nearest {MAX_TAGS} of {len(tags)} tags are listed"
            reading = replace(reading, notes=(*reading.notes, note))
        listed = tags[:MAX_TAGS]
        old = [each.tag for each in listed if self.entries[each.tag].status == Status.DEPRECATED]
        superseded = (f"{tag}: {DEPRECATED}" for tag in old)
        return Identified(replace(reading, notes=(*reading.notes, *superseded)), tuple(listed))

    def ignored(self, reading: Reading, text: str) -> Iterator[Ignored]:
        """Yield the name of a reading that describes nothing besides, with the reason."""
        parts: tuple[Fact | Recognised, ...] = (*reading.facts, *reading.recognised)
        for part in parts[:1]:
            name = text[part.start : part.end]
            yield Ignored(name, self._absence(reading), part.start, part.end)

    def _reason(self, name: str) -> str:
        return self.named.get(name, Naming()).reason

    def _other_chip(self, reading: Reading, tag: str) -> str:
        """Return that a tag has another chip than the text names, if that has a tag."""
        chips = naming.roots(self.named.get(reading.chip, Naming()).tags)
        version = self.entries[tag].version
        lineage = json.loads(version.lineage) if version else []
        inherited = {tag, *(reference.partition("@")[0] for reference in lineage)}
        return "" if inherited & {*chips} or not chips else OTHER_CHIP

    def _absence(self, reading: Reading) -> str:
        """Return why no tag is that of a reading's names."""
        reasons = (*map(self._reason, reading.names), self._launch(reading))
        if reason := next(filter(None, reasons), ""):
            return reason
        if any(map(self._with_variants, reading.names)):
            return OF_ANOTHER
        tags = {tag for name in reading.names for tag in self.named.get(name, Naming()).tags}
        return YANKED if tags & self.entries.keys() else NO_TAG

    def _launch(self, reading: Reading) -> str:
        """Return that the machines of a reading's names were launched after the year beside it."""
        tags = (tag for name in reading.names for tag in self._with_variants(name))
        years = sorted(filter(None, (relation.launch_year_of(self.targets[tag]) for tag in tags)))
        if not reading.year or not years or years[0] <= reading.year:
            return ""
        return f"was launched in {years[0]}, not in {reading.year}"

    def _with_variants(self, name: str) -> list[str]:
        """Return the tags that a name stands for, and their variants: one can be of its kind."""
        roots = naming.roots(self.named.get(name, Naming()).tags)
        return [tag for tag in self.targets if tag.partition(":")[0] in roots]

    def _related(
        self, reading: Reading, tags: Iterable[str], *, is_named: bool = False
    ) -> list[RelatedTag]:
        """Return the nearest tag of each machine among some, those of the same processor only.

        With the variant of a machine comes the machine itself, which can be of another kind.
        """
        machines: dict[str, list[RelatedTag]] = {}
        for tag in tags:
            related = relation.relate(reading, self.targets[tag], is_named=is_named)
            if related:
                candidate = self._tag(tag, related, is_named=is_named)
                machines.setdefault(tag.partition(":")[0], []).append(candidate)
        nearest = []
        for machine, candidates in machines.items():
            fitting = [each for each in candidates if not relation.contradicts(each.related)]
            if best := min(fitting, key=_distance, default=None):
                nearest += [each for each in candidates if each is best or each.tag == machine]
        return sorted(nearest, key=_distance)

    def _tag(self, tag: str, related: Related, *, is_named: bool) -> RelatedTag:
        entry = self.entries[tag]
        source = json.loads(entry.version.source) if entry.version and is_named else {}
        body = relation.corrected(source, related) if is_named and related.differences else {}
        return RelatedTag(entry.exact or tag, tag, related, body)


def _is_called(tag: str, name: str) -> bool:
    """Return whether a tag has a name itself: of several, it is the one without more words."""
    return fold_name(tag.partition("/")[2]) == fold_name(name)


def _entries(tags: Iterable[str], roots: Iterable[str]) -> dict[str, Entry]:
    """Return the entries of tags, and of others with all their variants, by name. One query.

    Those of tags without a version that is not yanked have none.
    """
    condition = Q(text__in={*tags, *roots})
    for root in roots:
        condition |= Q(text__gt=f"{root}:", text__lt=f"{root};")
    rows = Entry.objects.filter(condition).select_related("version")
    return {entry.text: entry for entry in rows}


def _distance(candidate: RelatedTag) -> tuple[int, int, int, str]:
    related = candidate.related
    is_variant = ":" in candidate.tag
    return ORDER.index(related.relation), len(related.differences), is_variant, candidate.tag
