"""Names that other tags supersede: released ones are deprecated, others become aliases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from catalogue_tools.entries import DEPRECATED, ReleasedTag
from catalogue_tools.facts import Row, read_table
from catalogue_tools.in_memory import InMemoryRegistry
from catalogue_tools.tags import GeneratedTag, Superseded, WrittenTag
from registry.domain.descriptions.machines import join
from registry.domain.document import Json
from registry.domain.kinds.kinds import HARDWARE
from ttag_rules.nodes import HOST

INSTANCES = "tvm/aws_tags"  # names of TVM's
JUDGED = "corrections/other_names"
FOR_PEOPLE = frozenset({HARDWARE, "model"})  # no code depends on them
MAX_NAMES = 4  # of options in a sentence


def tags() -> Iterator[Superseded]:
    """Yield TVM's names of EC2 instances, which inherit from those of AWS, and judged ones."""
    for row in read_table(INSTANCES).rows:
        if "machine" in row and "trn" not in row:
            reason = "The same instance type, by the name that AWS gives it"
            yield Superseded(row["tag"], row["machine"], reason)
    for row in read_table(JUDGED).rows:
        yield Superseded(row["tag"], row["successor"], row["reason"])


# Decision 136: a released name is never taken back, so it cannot become an alias.
def with_deprecations(
    released: Mapping[str, ReleasedTag],
    superseded: Iterable[Superseded],
    registry: InMemoryRegistry | None = None,
) -> dict[str, ReleasedTag]:
    """Return released tags, those that others supersede as deprecated, the others as in use.

    `registry` has the newest versions: the reason of a tag that builds otherwise than its
    successor says in which options.
    """
    rows = {row.name: _explained(row, registry) if registry else row for row in superseded}
    return {name: _deprecated(tag, rows.get(name)) for name, tag in released.items()}


def with_aliases(
    tags: Iterable[GeneratedTag], released: Collection[str], superseded: Iterable[Superseded]
) -> list[GeneratedTag]:
    """Return tags with the names that they supersede and that no release has as a tag."""
    aliases: dict[str, list[str]] = defaultdict(list)
    for row in superseded:
        if row.name not in released:
            aliases[row.successor].append(row.name)
    return [replace(tag, aliases=(*tag.aliases, *aliases[tag.name])) for tag in tags]


def superseded_problems(
    superseded: Sequence[Superseded],
    tags: Iterable[GeneratedTag],
    written: Mapping[str, WrittenTag],
    released: Collection[str],
) -> Iterator[str]:
    """Yield a sentence for each name that cannot be superseded as stated."""
    given = {tag.name for tag in tags}
    replaced = {row.name for row in superseded}
    for row in superseded:
        if row.name in written and row.name not in released:
            yield f"{row.name} is written by hand only: deprecate it in its file."
        if row.successor in replaced or row.successor not in {*given, *written}:
            yield f"{row.name} is superseded by {row.successor}, which is no tag in use."
        if row.successor not in given and row.name not in released:
            yield f"{row.name} cannot be an alias of {row.successor}, which is not generated."


def _deprecated(tag: ReleasedTag, row: Superseded | None) -> ReleasedTag:
    entry = {name: value for name, value in tag.entry.items() if name != DEPRECATED}
    if row is None:
        return replace(tag, entry=entry)
    versions = entry.pop("versions")
    reason = {"reason": row.reason, "successor": row.successor}
    return replace(tag, entry={**entry, DEPRECATED: reason, "versions": versions})


# Decision 166: a superseded tag gets no corrections, so whoever resolves it is told of them.
def _explained(row: Superseded, registry: InMemoryRegistry) -> Superseded:
    """Return a row whose reason names the options that the two tags state differently."""
    if row.name not in registry.versions:
        return row
    targets = (registry.versions[tag][-1].published.target for tag in (row.name, row.successor))
    options = differing_options(*targets)
    if not options:
        return row
    if len(options) > MAX_NAMES:
        options[MAX_NAMES - 1 :] = [f"{len(options) - MAX_NAMES + 1} more options"]
    stated = f"another {options[0]}" if len(options) == 1 else f"other values of {join(options)}"
    return replace(row, reason=f"{row.reason.rstrip('.')}. The successor has {stated}")


def differing_options(old: Json, new: Json) -> list[str]:
    """Return the options of two targets, and of their hosts, that differ for a compiler."""
    left, right = (target if isinstance(target, dict) else {} for target in (old, new))
    hosts = (target.get(HOST) for target in (left, right))
    in_hosts = [] if HOST not in {*left} | {*right} else differing_options(*hosts)
    names = (left.keys() | right.keys()) - FOR_PEOPLE - {HOST}
    own = sorted(name for name in names if left.get(name) != right.get(name))
    return [*own, *(f"{name} of the host" for name in in_hosts)]


# Decision 136: boards/ keeps boards of makers without a namespace.
def with_former_names(
    row: Row, noun: str, machine: Iterable[GeneratedTag | Superseded]
) -> Iterator[GeneratedTag | Superseded]:
    """Yield the tags of a machine, and those of its former name as superseded by them.

    `noun` says what it is, as "board".
    """
    for item in machine:
        yield item
        if "former" in row:
            former = row["former"] + item.name.removeprefix(row["tag"])
            if isinstance(item, Superseded):
                yield replace(item, name=former)
            else:
                yield Superseded(former, item.name, f"The same {noun}, with its maker")
