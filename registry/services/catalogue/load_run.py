"""One load of the catalogue: what it creates, what it skips and what it adopts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from registry.domain.errors import Code, Refused, echo
from registry.domain.near_names import nearest_names
from registry.models import User
from registry.services.core.permissions import Actor

COMMAND = "manage.py load_catalogue"


class CatalogueItem(StrEnum):
    """A kind of thing that the catalogue ships."""

    NAMESPACE = "namespace"
    KIND = "kind"
    VERSION = "version"
    ALIAS = "alias"

    def counted(self, count: int) -> str:
        """Return a count of them, such as "2 aliases"."""
        plural = "es" if self is CatalogueItem.ALIAS else "s"
        return f"{count} {self}{plural if count != 1 else ''}"


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a load has created, with notes, one a line."""

    what: CatalogueItem
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A name that a load has left alone, with the reason and the remedy."""

    name: str
    why: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The changes and skipped names of a load."""

    made: tuple[Change, ...]
    left: tuple[Skipped, ...]

    @property
    def counts(self) -> Counter[CatalogueItem]:
        """Return the number of changes of each sort."""
        return Counter(change.what for change in self.made)


@dataclass(slots=True)
class CatalogueLoad:
    """A load in progress, which records its changes and skipped names."""

    account: User
    wanted: frozenset[str] = frozenset()  # names to adopt
    explains: bool = False  # whether to preview revisions of kinds, for a plan
    made: list[Change] = field(default_factory=list)
    left: list[Skipped] = field(default_factory=list)
    adopted: set[str] = field(default_factory=set)

    @property
    def actor(self) -> Actor:
        """Return the catalogue account, acting for the operator."""
        return Actor.operator(self.account)

    def make(self, what: CatalogueItem, name: str, *notes: str) -> None:
        """Record something that has been created."""
        self.made.append(Change(what, name, notes))

    def leave(self, name: str, why: str, *notes: str) -> None:
        """Record a name that is left alone."""
        self.left.append(Skipped(name, why, notes))

    def adopts(self, name: str) -> bool:
        """Return whether a name is to be adopted, and record that it was needed."""
        if name in self.wanted:
            self.adopted.add(name)
        return name in self.wanted

    def fail(self, name: str, refusal: Refused, why: str) -> None:
        """Record an error as a skipped name; raise it if the name is to be adopted, or if BUSY."""
        if refusal.code is Code.BUSY or self.adopts(name):
            raise refusal
        self.leave(name, why)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Raise `Refused` (REQUEST_INVALID) if a name to adopt does not ship."""
        for name in sorted(self.wanted - set(known)):
            near = nearest_names(name, known)
            hint = f" Did you mean {', '.join(near)}?" if near else ""
            raise Refused(
                Code.REQUEST_INVALID,
                f"Nothing that ships has the name {echo(name)}.{hint}",
                suggestions=near,
            )

    def refuse_idle(self) -> None:
        """Raise `Refused` (CONFLICT) if a name to adopt was not left alone."""
        if idle := sorted(self.wanted - self.adopted):
            is_are = "is" if len(idle) == 1 else "are"
            raise Refused(
                Code.CONFLICT,
                f"Nothing is adopted: {', '.join(idle)} {is_are} not among what is left alone. "
                f"{COMMAND} --plan shows what is.",
            )

    @property
    def outcome(self) -> LoadResult:
        """Return the result so far."""
        return LoadResult(tuple(self.made), tuple(self.left))


def adopt_hint(name: str, effect: str) -> str:
    """Return the command that adopts a name, and its effect, as a sentence."""
    return f"{COMMAND} --adopt {name} {effect}."
