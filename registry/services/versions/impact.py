"""What publishing a body would mean downstream: the bump and the diff that each dependent would get
by being rebased (design section 6)."""

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

REFUSED = "REFUSED"  # counted beside the bumps


@dataclass(frozen=True, slots=True)
class Effect:
    """What would become of one tag: the next version of its unchanged source.

    `number` and `bump` are None where that would be refused; `refusal` then says why.
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
        """Whether the next version can be published."""
        return self.refusal is None

    @property
    def errors(self) -> tuple[Fault, ...]:
        """Every fault of the next version."""
        return self.refusal.errors if self.refusal else ()

    @classmethod
    def of(cls, redraft: Redraft) -> Effect:
        """Of a draft, with its diff computed."""
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
    """The first effects, parents first, and how many of each bump there are among all computed.

    `downstream` counts the tags that floating references lead to, an upper bound of the effects;
    `is_whole` says whether all of them were looked at. `circular` names tags on circles, which no
    publication can follow.
    """

    effects: tuple[Effect, ...]
    counts: Counter[str]
    downstream: int
    is_whole: bool
    circular: tuple[str, ...] = ()


def compute_impact(draft: Draft, *, limit: int) -> Impact:
    """What a draft would mean, at most `limit` effects; computing stops there."""
    found = _downstream(draft)
    if found is None:
        return Impact((), Counter(), 0, is_whole=True)
    ahead = _effects(draft, *found)
    effects = tuple(islice(ahead, limit))
    is_whole = next(ahead, None) is None
    counts = Counter(effect.bump or REFUSED for effect in effects)
    return Impact(effects, counts, len(found[1]), is_whole, _circular(found[1]))


def iterate_effects(draft: Draft) -> Iterator[Effect]:
    """Every effect of a draft, parents first, one at a time: ten thousand in bounded memory."""
    found = _downstream(draft)
    if found is not None:
        yield from _effects(draft, *found)


def _downstream(draft: Draft) -> tuple[int, Downstream] | None:
    """The tag's primary key and what is downstream of it; None where nothing would move."""
    tag = Tag.objects.filter(text=str(draft.tag)).values_list("pk", flat=True).first()
    if tag is None or draft.number is None:
        return None
    return tag, find_downstream([tag])


def _effects(draft: Draft, tag: int, found: Downstream) -> Iterator[Effect]:
    coming = PendingVersions()
    coming.add(tag, draft)
    for redraft in redraft_all(found, coming, kinds.current_kinds()):
        if redraft.moves:
            yield Effect.of(redraft)


def _circular(found: Downstream) -> tuple[str, ...]:
    if not found.circular:
        return ()
    tags = Tag.objects.filter(pk__in=sorted(found.circular)[:100])
    return tuple(tags.order_by("text").values_list("text", flat=True))
