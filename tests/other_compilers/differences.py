"""What differs between two releases of a compiler, as lines for people."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from registry.domain.document import canonical
from registry.domain.kinds.kinds import Kinds
from registry.domain.proofs import BUILT, Proof, Reading

EXAMPLES = 3  # of the tags that a line names
ABSENT = object()


@dataclass(frozen=True)
class Uses:
    """The tags whose newest version a compiler reads alike."""

    by_reading: Mapping[Reading, frozenset[str]]

    def text(self, readings: Iterable[Reading]) -> str:
        """Return how many tags are read so, and the first of them."""
        tags = sorted({tag for reading in readings for tag in self.by_reading.get(reading, ())})
        if not tags:
            return "no newest version"
        more = ", ..." if len(tags) > EXAMPLES else ""
        return f"{counted(len(tags))}: {', '.join(tags[:EXAMPLES])}{more}"


def changed_entries(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entries that came, went or changed, in the order of their names."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, ABSENT), after.get(name, ABSENT)
        if old is ABSENT:
            yield f"+ {name}: {_short(new)}"
        elif new is ABSENT:
            yield f"- {name}: {_short(old)}"
        elif old != new:
            yield f"~ {name}: {_short(old)} -> {_short(new)}"


def changed_keys(
    targets: Mapping[Reading, tuple[Mapping[str, Any], Mapping[str, Any]]],
    kinds: Kinds,
    uses: Uses,
) -> Iterator[str]:
    """Yield the options that TVM fills in otherwise, and whether tuning keys depend on them.

    `targets` holds each leaf as the two releases export it; one that refuses it exports `error`.
    """
    groups: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
    for reading, (old, new) in targets.items():
        kind = str(old.get("kind") or new.get("kind"))
        for name in old.keys() | new.keys():
            if old.get(name) != new.get(name):
                groups[kind, name, _short(old.get(name)), _short(new.get(name))].append(reading)
    for (kind, name, was, becomes), readings in sorted(groups.items()):
        option = kinds.targets[kind].option(name) if kind in kinds.targets else None
        affects = name == "error" or (option is not None and option.affects_tuning)
        keys = "keys depend on it" if affects else "no key depends on it"
        yield f"{kind} {name}: {was} -> {becomes}; {keys}; {uses.text(readings)}"


def changed_proofs(pairs: Iterable[tuple[Reading, Proof, Proof]], uses: Uses) -> Iterator[str]:
    """Yield what builds that did not, and the other way round, by compiler and reason."""
    groups: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
    for reading, old, new in pairs:
        if (old.reach in BUILT) != (new.reach in BUILT):
            reason = new.reason or old.reason
            groups[reading[0], old.reach, new.reach, reason].append(reading)
    for (compiler, was, becomes, reason), readings in sorted(groups.items()):
        yield f"{compiler}: {was} -> {becomes}: {reason}; {uses.text(readings)}"


def changed_names(
    before: frozenset[str], after: frozenset[str], tags: Mapping[str, int]
) -> Iterator[str]:
    """Yield the names that are gone and how many tags state them, and the names that are new."""
    lost = before - after
    for name in sorted(name for name in lost if tags[name]):
        yield f"- {name}: {counted(tags[name])}"
    if unused := sorted(name for name in lost if not tags[name]):
        yield f"- in no tag: {', '.join(unused)}"
    if added := sorted(after - before):
        yield f"+ {', '.join(added)}"


def counted(tags: int) -> str:
    """Return a number of tags in words."""
    return f"{tags} {'tag' if tags == 1 else 'tags'}"


def _short(value: Any) -> str:
    """Return a value as JSON, at most a line long."""
    text = canonical(value).decode() if value is not None else "none"
    return text if len(text) <= 120 else f"{text[:117]}..."
