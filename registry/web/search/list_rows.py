"""Tags as rows of a list, each with a line of what it is and the facts to choose by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.descriptions.one_line import one_line
from registry.domain.search.comparable_facts import ComparableFact
from registry.domain.search.list_columns import CHIP, ListColumn, fitting_columns
from registry.models import Entry
from registry.services.search.list_facts import ListedFacts, text_of
from registry.web.core.units import fact_text

NAMED_ABOVE = frozenset({"name", "vendor", "arch", "/kind", "/hardware/model", "/hardware/family"})
FIELDS = {"/hardware/category": "category"}
Maxima = Mapping[str, float]  # of a page, by column; its bars compare with them
WITHOUT_BAR = frozenset({"year"})  # no quantity: half as much means nothing


@dataclass(frozen=True, slots=True)
class Cell:
    """A fact of a tag, empty if it is not stated; `share` is that of the page's largest, in %."""

    title: str  # of its column
    text: str = ""
    share: int | None = None
    tag: str = ""  # that the text links to
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag in a list; `reasons` are the fields and values by which it matches a search."""

    entry: Entry
    line: str = ""
    cells: tuple[Cell, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()

    @property
    def code_name(self) -> str:
        """Return the kind of the target and its architecture, as code has them."""
        return f"{self.entry.kind} {self.entry.arch}".strip()

    @property
    def has_notes(self) -> bool:
        """Return whether something is said of the tag besides its facts."""
        return bool(self.entry.successor or self.reasons or self.entry.unstated)


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """A family in a list, with those of its members that follow in the list."""

    family: str
    members: tuple[TagRow, ...]
    cells: tuple[Cell, ...]
    line: str


@dataclass(frozen=True, slots=True)
class ListTable:
    """The columns of a list, and its rows."""

    columns: Sequence[ListColumn] = ()
    rows: Sequence[TagRow | FamilyRow] = ()

    @property
    def has_folded(self) -> bool:
        """Return whether a family stands for its members."""
        return any(isinstance(row, FamilyRow) for row in self.rows)


def list_table(
    entries: Sequence[Entry],
    facts: Mapping[int, ListedFacts],
    *,
    chosen: Sequence[str] = (),
    sorted_by: str = "",
    folds_families: bool = False,
) -> ListTable:
    """Return the table of some entries, in their order, with the facts that were read of them.

    The columns are those that were chosen, or fit most of the entries, and that of the order.
    """
    categories = [facts[entry.pk].category for entry in entries]
    columns = fitting_columns((*chosen, sorted_by) if chosen else (), categories)
    if sorted_by and sorted_by not in [column.name for column in columns]:
        columns += fitting_columns([sorted_by], ())
    maxima = {column.name: max(_numbers(column, facts.values()), default=0) for column in columns}
    rows = [_row(entry, facts[entry.pk], columns, maxima) for entry in entries]
    if folds_families:
        return ListTable(columns, list(_folded(rows, facts, columns, maxima)))
    return ListTable(columns, rows)


def _share(column: ListColumn, number: float, maxima: Maxima) -> int | None:
    """Return the share of the page's largest value in percent, at least 1; None for no bar."""
    largest = maxima[column.name]
    if column.name in WITHOUT_BAR or not largest:
        return None
    return max(1, round(100 * number / largest))


def _numbers(column: ListColumn, facts: Iterable[ListedFacts]) -> Iterator[float]:
    for listed in facts:
        stated = listed.facts.get(column.pointer)
        if column.fact and stated and stated.number is not None:
            yield stated.number


def _row(
    entry: Entry, listed: ListedFacts, columns: Iterable[ListColumn], maxima: Maxima
) -> TagRow:
    return TagRow(
        entry,
        one_line(_stated(entry, listed), entry.kind, is_family=entry.is_family),
        tuple(_cell(column, listed, maxima) for column in columns),
        tuple(
            (FIELDS.get(reason.field) or reason.field.lstrip("/"), reason.value)
            for reason in entry.reasons
            if reason.field not in NAMED_ABOVE
        ),
    )


def _stated(entry: Entry, listed: ListedFacts) -> dict[str, str]:
    """Return the facts of which the line below a name is made."""
    return {
        "vendor": entry.vendor,
        "family": entry.family,
        "model": listed.model,
        "category": listed.category,
    }


def _cell(column: ListColumn, listed: ListedFacts, maxima: Maxima) -> Cell:
    if column.name == CHIP:
        return Cell(column.title, listed.chip_model or listed.chip, tag=listed.chip)
    if column.fact is None:
        return Cell(column.title, text_of(listed.facts, column.pointer))
    number = next(_numbers(column, [listed]), None)
    share = None if number is None else _share(column, number, maxima)
    return Cell(column.title, _fact_text(column.fact, number), share, is_number=True)


def _fact_text(fact: ComparableFact, number: float | None) -> str:
    """Return a fact with its unit, unless the title of its column says the unit."""
    text = fact_text(fact, number)
    return text.partition(" ")[0] if fact.title.lower().endswith(fact.unit or " ") else text


def _folded(
    rows: Sequence[TagRow],
    facts: Mapping[int, ListedFacts],
    columns: Sequence[ListColumn],
    maxima: Maxima,
) -> Iterator[TagRow | FamilyRow]:
    """Yield the rows, those of one family as one, in the place of the first of them."""
    members: dict[str, list[TagRow]] = {}
    for row in rows:
        if (family := facts[row.entry.pk].family) and not row.entry.is_family:
            members.setdefault(family, []).append(row)
    folded = {family: rows for family, rows in members.items() if len(rows) > 1}
    for row in rows:
        family = row.entry.text if row.entry.is_family else facts[row.entry.pk].family
        if family not in folded:
            yield row
        elif of_family := members.pop(family, None):
            listed = [facts[member.entry.pk] for member in of_family]
            cells = tuple(_range(column, listed, maxima) for column in columns)
            line = one_line(
                _stated(of_family[0].entry, listed[0]) | {"model": ""},
                of_family[0].entry.kind,
                is_family=True,
            )
            yield FamilyRow(family, tuple(of_family), cells, line)


def _range(column: ListColumn, listed: Sequence[ListedFacts], maxima: Maxima) -> Cell:
    """Return the values of several tags as one: what all have, or the smallest and the largest."""
    cells = {_cell(column, one, maxima) for one in listed}
    if len(cells) == 1:
        return next(iter(cells))
    values = sorted(set(_numbers(column, listed)))
    if column.fact is None or not values:
        return Cell(column.title, is_number=column.fact is not None)
    texts = dict.fromkeys(_fact_text(column.fact, number) for number in (values[0], values[-1]))
    return Cell(
        column.title, " to ".join(texts), _share(column, values[-1], maxima), is_number=True
    )
