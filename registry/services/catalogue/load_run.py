"""The state and result of one load of the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from registry.domain.errors import TEMPORARY_CODES, Code, Refused, echo
from registry.domain.names.near_names import nearest_names
from registry.models import User
from registry.services.core.permissions import Actor

COMMAND = "manage.py load_catalogue"


class CatalogueItem(StrEnum):
    """A type of item in the catalogue."""

    NAMESPACE = "namespace"
    KIND = "kind"
    VERSION = "version"
    ALIAS = "alias"
    DEPRECATION = "deprecation"

    def count_phrase(self, count: int) -> str:
        """Return a count and the noun, such as "2 aliases"."""
        plural = "es" if self is CatalogueItem.ALIAS else "s"
        return f"{count} {self}{plural if count != 1 else ''}"


@dataclass(frozen=True, slots=True)
class CreatedItem:
    """An item that a load has created, with notes, one per line."""

    item: CatalogueItem
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A name that a load has skipped, with the reason and the remedy."""

    name: str
    reason: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The changes and skipped names of a load."""

    changes: tuple[CreatedItem, ...]
    skipped: tuple[Skipped, ...]

    @property
    def counts(self) -> Counter[CatalogueItem]:
        """Return the number of changes by item type."""
        return Counter(change.item for change in self.changes)


@dataclass(slots=True)
class CatalogueLoad:
    """A load in progress, which records its changes and skipped names."""

    account: User
    adopt: frozenset[str] = frozenset()  # names to load as shipped
    is_plan: bool = False  # previews the revisions of kinds
    changes: list[CreatedItem] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    adopted: set[str] = field(default_factory=set)
    left_out: Counter[str] = field(default_factory=Counter)  # skipped names, by namespace

    @property
    def actor(self) -> Actor:
        """Return the catalogue account, as used by an operator."""
        return Actor.operator(self.account)

    def attempt(self) -> CatalogueLoad:
        """Return a load of a part, which counts once it is included."""
        return CatalogueLoad(self.account, self.adopt, self.is_plan)

    def include(self, attempt: CatalogueLoad) -> None:
        """Add the changes and skipped names of a part."""
        self.changes += attempt.changes
        self.skipped += attempt.skipped
        self.adopted |= attempt.adopted
        self.left_out += attempt.left_out

    def add_change(self, item: CatalogueItem, name: str, *notes: str) -> None:
        """Record an item that has been created."""
        self.changes.append(CreatedItem(item, name, notes))

    def skip(self, name: str, reason: str, *notes: str) -> None:
        self.skipped.append(Skipped(name, reason, notes))

    def should_adopt(self, name: str) -> bool:
        """Return whether to adopt a name that would otherwise be skipped, and record it."""
        if name in self.adopt:
            self.adopted.add(name)
        return name in self.adopt

    def skip_or_raise(self, name: str, refusal: Refused, reason: str) -> None:
        """Skip a name because of an error; raise it if temporary or the name is to be adopted."""
        if refusal.code in TEMPORARY_CODES or self.should_adopt(name):
            raise refusal
        self.skip(name, reason)

    def refuse_unknown(self, names: Collection[str]) -> None:
        """Raise `Refused` (REQUEST_INVALID) if a name to adopt is not in the catalogue."""
        for name in sorted(self.adopt - set(names)):
            near = nearest_names(name, names)
            hint = f" Did you mean {', '.join(near)}?" if near else ""
            raise Refused(
                Code.REQUEST_INVALID,
                f"The catalogue does not contain {echo(name)}.{hint}",
                suggestions=near,
            )

    def refuse_unused(self) -> None:
        """Raise `Refused` (CONFLICT) if a name to adopt would not be skipped anyway."""
        if unused := sorted(self.adopt - self.adopted):
            raise Refused(
                Code.CONFLICT,
                f"Nothing to adopt: {', '.join(unused)} would not be skipped. "
                f"{COMMAND} --plan lists what would be.",
            )

    @property
    def result(self) -> LoadResult:
        return LoadResult(tuple(self.changes), tuple(self.skipped))


def adopt_hint(name: str, effect: str) -> str:
    """Return the command that adopts a name, and its effect, as a sentence."""
    return f"{COMMAND} --adopt {name} {effect}."
