"""Impact of publishing a body: the bump and the diff that rebasing would give each dependent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from registry.domain.diff import Change
from registry.domain.errors import Fault, Refused
from registry.models import Tag
from registry.services.kinds import kinds
from registry.services.versions.dependents_graph import Downstream, find_downstream
from registry.services.versions.drafting import Draft
from registry.services.versions.redrafting import (
    MovedReference,
    PendingVersions,
    Redraft,
    redraft_all,
)

REFUSED = "REFUSED"  # in place of a bump


@dataclass(frozen=True, slots=True)
class Effect:
    """The next version of a dependent, from its unchanged source.

    `number` and `bump` are None if that version would be rejected, with `refusal`.
    """

    tag: str
    exact: str
    number: str | None
    bump: str | None
    diff: tuple[Change, ...]
    moves: tuple[MovedReference, ...]
    refusal: Refused | None

    @property
    def is_valid(self) -> bool:
        """Return whether the next version can be published."""
        return self.refusal is None

    @property
    def errors(self) -> tuple[Fault, ...]:
        """Return every fault of the next version."""
        return self.refusal.errors if self.refusal else ()

    @classmethod
    def from_redraft(cls, redraft: Redraft) -> Effect:
        """Return the effect of a redraft, with its diff."""
        draft, version = redraft.draft, redraft.version
        return cls(
            tag=version.tag.text,
            exact=version.exact,
            number=str(draft.number) if draft else None,
            bump=draft.bump if draft else None,
            diff=draft.diff if draft else (),
            moves=redraft.moves,
            refusal=redraft.refusal,
        )


@dataclass(frozen=True, slots=True)
class Impact:
    """The first effects, parents first, and the number of effects by bump.

    `downstream` counts all tags that depend on the tag through floating references, an upper bound
    of the effects; `is_complete` if all were computed. `circular` names tags in cycles, which
    cannot be rebased.
    """

    effects: tuple[Effect, ...]
    counts: Counter[str]
    downstream: int
    is_complete: bool
    circular: tuple[str, ...] = ()


def compute_impact(draft: Draft, *, limit: int) -> Impact:
    """Return the impact of a draft, with at most `limit` effects computed."""
    affected = _downstream(draft)
    if affected is None:
        return Impact((), Counter(), 0, is_complete=True)
    remaining = _effects(draft, *affected)
    effects = tuple(islice(remaining, limit))
    is_complete = next(remaining, None) is None
    counts = Counter(effect.bump or REFUSED for effect in effects)
    return Impact(effects, counts, len(affected[1]), is_complete, _circular(affected[1]))


def iterate_effects(draft: Draft) -> Iterator[Effect]:
    """Iterate over all effects of a draft, parents first, in bounded memory."""
    affected = _downstream(draft)
    if affected is not None:
        yield from _effects(draft, *affected)


def _downstream(draft: Draft) -> tuple[int, Downstream] | None:
    """Return the tag's primary key and dependents; None if the draft changes nothing."""
    tag = Tag.objects.filter(text=str(draft.tag)).values_list("pk", flat=True).first()
    if tag is None or draft.number is None:
        return None
    return tag, find_downstream([tag])


def _effects(draft: Draft, tag: int, downstream: Downstream) -> Iterator[Effect]:
    pending = PendingVersions()
    pending.add(tag, draft)
    for redraft in redraft_all(downstream, pending, kinds.current_kinds()):
        if redraft.moves:
            yield Effect.from_redraft(redraft)


def _circular(downstream: Downstream) -> tuple[str, ...]:
    if not downstream.circular:
        return ()
    tags = Tag.objects.filter(pk__in=downstream.circular)
    return tuple(tags.order_by("text").values_list("text", flat=True))
