"""What a format is: a function from a closed target to text that another tool reads (section 8).

A format leaves nothing out in silence: what it cannot say it says it dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from registry.domain.composition import Node
from registry.domain.document import Json, canonical
from registry.domain.kinds import Kinds
from registry.domain.parts import MOST_NAMED, Part
from registry.domain.pointer import ROOT, child
from registry.domain.tuning import preimages

MEDIA = "vnd.target-tag-registry"  # the vendor's tree of the formats that are ours


@dataclass(frozen=True)
class Subject:
    """What is written in a format: a version's target, or one node of it.

    `exact` is the version's reference, `whole` its target. `composed` maps pointers into the whole
    to the exact references of versions that stand there unchanged. `cpus` are the CPU names that
    LLVM knows, by architecture. `is_recorded`: nodes are to say where they come from.
    """

    exact: str
    whole: dict[str, Any]
    kinds: Kinds
    part: Part | None = None
    composed: Mapping[str, str] = field(default_factory=dict)
    cpus: Mapping[str, frozenset[str]] = field(default_factory=dict)
    is_recorded: bool = False

    @property
    def target(self) -> dict[str, Any]:
        """The closed target that is to be written."""
        return self.part.target if self.part else self.whole

    @property
    def reference(self) -> str:
        """What names the target: the exact reference, of a node with its pointer as a fragment."""
        return f"{self.exact}#{self.part.pointer}" if self.part else self.exact

    @cached_property
    def origins(self) -> dict[str, str]:
        """The references of what stands unchanged in the target, by pointers into it."""
        found = self.part.within(self.composed) if self.part else dict(self.composed)
        return {**found, ROOT: self.reference}

    def asked_for(self, found: Iterable[Node]) -> list[str]:
        """The pointers by which `?node=` reaches nodes of the target; at most 20."""
        pointers = (node.pointer for node in islice(found, MOST_NAMED))
        return [self.part.origin(each) if self.part else each for each in pointers]

    @cached_property
    def preimages(self) -> dict[str, dict[str, Any]]:
        """What the tuning keys of the target's leaves digest, as in the whole document."""
        found = preimages(self.whole, self.kinds)
        return self.part.within(found) if self.part else found


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a format left out: where it stands in the target, and why."""

    pointer: str
    reason: str

    @property
    def shown(self) -> dict[str, Json]:
        """As answers have it."""
        return {"pointer": self.pointer, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Export:
    """A target as a format says it: text, or the members of a JSON object; and what it does not."""

    content: str | dict[str, Json]
    dropped: tuple[Loss, ...] = ()

    @property
    def text(self) -> str:
        """What is handed out; JSON has `dropped` among its members."""
        if isinstance(self.content, str):
            return self.content
        losses: list[Json] = [loss.shown for loss in self.dropped]
        return canonical({**self.content, "dropped": losses}).decode()


@dataclass(frozen=True, slots=True)
class Format:
    """A format by its name and media type; `write` may raise `Refused` (FORMAT_UNFIT).

    `summary` is one sentence for people. `members` are those of its JSON object, of text none.
    `can_record`: nodes can say in it where they come from.
    """

    name: str
    media_type: str
    summary: str
    write: Callable[[Subject], Export]
    members: tuple[str, ...] = ()
    can_record: bool = False


def left_out(
    target: Json, said: Collection[str], reason: str | Callable[[str], str]
) -> tuple[Loss, ...]:
    """What a format that says only the values at some pointers drops: the topmost places.

    A value is said with all that is inside of it. `reason` is one for all, or by pointer.
    """
    because = reason if callable(reason) else lambda pointer: reason
    around = {
        "/".join(place.split("/")[:end]) for place in said for end in range(1, place.count("/") + 1)
    }
    return tuple(
        Loss(pointer, because(pointer))
        for pointer in _unsaid(target, frozenset(said), around, ROOT)
    )


def _unsaid(
    value: Json, said: Collection[str], around: Collection[str], pointer: str
) -> Iterator[str]:
    if pointer in said:
        return
    if pointer not in around:
        yield pointer
        return
    parts: Iterable[tuple[str | int, Json]] = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    for key, part in parts:
        yield from _unsaid(part, said, around, child(pointer, key))
