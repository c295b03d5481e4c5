"""One load of the catalogue: what it makes, what it leaves alone, what it is told to adopt."""

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
    """What the catalogue holds."""

    NAMESPACE = "namespace"
    KIND = "kind"
    VERSION = "version"
    ALIAS = "alias"

    def counted(self, count: int) -> str:
        """So many of them, in words."""
        plural = "es" if self is CatalogueItem.ALIAS else "s"
        return f"{count} {self}{plural if count != 1 else ''}"


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a load has put in place, with what is to be known about it, a line each."""

    what: CatalogueItem
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A name that a load has left as it is: why, and what to do, in sentences."""

    name: str
    why: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What came of a load."""

    made: tuple[Change, ...]
    left: tuple[Skipped, ...]

    @property
    def counts(self) -> Counter[CatalogueItem]:
        """How much was made, of each sort."""
        return Counter(each.what for each in self.made)


@dataclass(slots=True)
class CatalogueLoad:
    """A load as it goes on."""

    account: User
    wanted: frozenset[str] = frozenset()  # names to adopt
    explains: bool = False  # what revisions of kinds would do is looked at, for a plan
    made: list[Change] = field(default_factory=list)
    left: list[Skipped] = field(default_factory=list)
    adopted: set[str] = field(default_factory=set)

    @property
    def actor(self) -> Actor:
        """The account, as which whoever runs the server loads: nobody takes that right away."""
        return Actor.operator(self.account)

    def make(self, what: CatalogueItem, name: str, *notes: str) -> None:
        """Note what has been put in place."""
        self.made.append(Change(what, name, notes))

    def leave(self, name: str, why: str, *notes: str) -> None:
        """Note what is left as it is."""
        self.left.append(Skipped(name, why, notes))

    def adopts(self, name: str) -> bool:
        """Whether what would be left alone is to be taken all the same."""
        if name in self.wanted:
            self.adopted.add(name)
        return name in self.wanted

    def fail(self, name: str, refusal: Refused, why: str) -> None:
        """Note that a name is left alone since taking it is refused; raise that where asked to."""
        if refusal.code is Code.BUSY or self.adopts(name):
            raise refusal
        self.leave(name, why)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Raise `Refused` (REQUEST_INVALID) for a name to adopt that does not ship."""
        for name in sorted(self.wanted - set(known)):
            near = nearest_names(name, known)
            mean = f" Did you mean {', '.join(near)}?" if near else ""
            raise Refused(
                Code.REQUEST_INVALID,
                f"Nothing that ships has the name {echo(name)}.{mean}",
                suggestions=near,
            )

    def refuse_idle(self) -> None:
        """Raise `Refused` (CONFLICT) for names to adopt of which nothing was left alone."""
        if idle := sorted(self.wanted - self.adopted):
            is_are = "is" if len(idle) == 1 else "are"
            raise Refused(
                Code.CONFLICT,
                f"Nothing is adopted: {', '.join(idle)} {is_are} not among what is left alone. "
                f"{COMMAND} --plan shows what is.",
            )

    @property
    def outcome(self) -> LoadResult:
        """What has come of it so far."""
        return LoadResult(tuple(self.made), tuple(self.left))


def adopt_hint(name: str, effect: str) -> str:
    """The sentence that says how to take what ships."""
    return f"{COMMAND} --adopt {name} {effect}."
