"""Reads what lists say about each tag besides its entry: its facts, its chip and its family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from registry.domain.search.list_columns import COLUMNS
from registry.models import Ancestry, Attribute, Entry
from registry.services.search.facets import CATEGORY_POINTER

MODEL_POINTER = "/hardware/model"
POINTERS = (
    CATEGORY_POINTER,
    MODEL_POINTER,
    *(column.pointer for column in COLUMNS.values() if column.pointer),
)
# Of what machines are built around, as opposed to what they contain beside it.
CHIPS = frozenset({"soc", "microcontroller", "server-cpu", "desktop-cpu", "laptop-cpu"})


class StatedFact(NamedTuple):
    """A value as text, and as a number if it is one."""

    text: str
    number: float | None


Facts = Mapping[str, StatedFact]  # by pointer


class Ancestor(NamedTuple):
    """A tag in the lineage of another."""

    tag: int
    text: str
    is_family: bool


@dataclass(frozen=True, slots=True)
class ListedFacts:
    """The facts of a tag in a list. `family` is the tag of its family, `chip` that of its chip."""

    facts: Facts = field(default_factory=dict)
    family: str = ""
    chip: str = ""
    chip_model: str = ""

    @property
    def category(self) -> str:
        return text_of(self.facts, CATEGORY_POINTER)

    @property
    def model(self) -> str:
        return text_of(self.facts, MODEL_POINTER)


def text_of(facts: Facts, pointer: str) -> str:
    """Return the text of a fact; empty if it is not stated."""
    return facts[pointer].text if pointer in facts else ""


def read_list_facts(entries: Collection[Entry]) -> Mapping[int, ListedFacts]:
    """Return what a list says about tags, by the primary key of the tag. Two queries."""
    lineages = _lineages(entry.version_id for entry in entries if entry.version_id)
    ancestors = (ancestor.tag for lineage in lineages.values() for ancestor in lineage)
    facts = _facts({*(entry.pk for entry in entries), *ancestors})
    return {
        entry.pk: _listed_facts(entry.pk, lineages.get(entry.version_id or 0, []), facts)
        for entry in entries
    }


def _listed_facts(tag: int, lineage: Iterable[Ancestor], facts: Mapping[int, Facts]) -> ListedFacts:
    """Return what a list says about one tag, whose lineage has the nearest ancestors first."""
    own = facts.get(tag, {})
    category = text_of(own, CATEGORY_POINTER)
    family = chip = Ancestor(0, "", is_family=False)
    for ancestor in reversed(list(lineage)):
        of_ancestor = text_of(facts.get(ancestor.tag, {}), CATEGORY_POINTER)
        # A cloud instance with a GPU inherits from the family of the GPU, too.
        if ancestor.is_family and of_ancestor == category:
            family = ancestor
        elif of_ancestor in CHIPS and of_ancestor != category and not ancestor.is_family:
            chip = ancestor
    model = text_of(facts.get(chip.tag, {}), MODEL_POINTER)
    return ListedFacts(own, family.text, chip.text, model)


def _lineages(versions: Iterable[int]) -> Mapping[int, list[Ancestor]]:
    """Return the ancestors of each version, the nearest first. One query."""
    lineages: dict[int, list[Ancestor]] = defaultdict(list)
    rows = Ancestry.objects.filter(version__in=list(versions)).order_by("version", "position")
    columns = ("version", "ancestor__tag", "ancestor__tag__text", "ancestor__tag__is_family")
    for version, *ancestor in rows.values_list(*columns):
        lineages[version].append(Ancestor(*ancestor))
    return lineages


def _facts(tags: Collection[int]) -> Mapping[int, Facts]:
    """Return the facts of tags that lists say. One query."""
    facts: dict[int, dict[str, StatedFact]] = defaultdict(dict)
    names = {pointer.rpartition("/")[2] for pointer in POINTERS}
    rows = Attribute.objects.filter(tag__in=tags, name__in=names, pointer__in=POINTERS)
    for tag, pointer, text, number in rows.values_list("tag", "pointer", "text", "number"):
        facts[tag][pointer] = StatedFact(text, number)
    return facts
