"""Rebases dependents: publishes new versions of them from their unchanged sources, parents first.

A rebase is planned, then written in short transactions, each of which checks its part of the plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.models import Tag
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor, Permission
from registry.services.core.transactions import authorized_write, last_event_number
from registry.services.kinds import kinds
from registry.services.search import indexing
from registry.services.versions.dependents_graph import (
    Downstream,
    chunks,
    dependency_order,
    find_downstream,
)
from registry.services.versions.impact import REFUSED
from registry.services.versions.redrafting import PendingVersions, Redraft, redraft, redraft_all
from registry.services.versions.storage import NumberedDraft, store_versions

BATCH_SIZE = 500  # versions per transaction: other writers wait half a second
MAX_NAMED_REFERENCES = 4  # moved references in a message


@dataclass(frozen=True, slots=True)
class Step:
    """The version planned for one tag; `refusal` says why there can be none."""

    tag: int
    text: str
    exact: str
    number: str = ""
    bump: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a rebase, parents first, and the tags that a cycle prevents.

    `is_complete` says whether these are all steps.
    """

    steps: tuple[Step, ...]
    downstream: Downstream
    circular: tuple[str, ...] = ()
    is_complete: bool = True

    @property
    def counts(self) -> Counter[str]:
        """Return the number of steps by bump, and of those refused."""
        return Counter(step.bump or REFUSED for step in self.steps)


@dataclass(slots=True)
class Outcome:
    """The outcome of a rebase: versions published, and tags skipped with the reason."""

    exact: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)

    @property
    def published(self) -> int:
        """Return the number of versions published."""
        return len(self.exact)


def plan_rebase(
    roots: Iterable[TagName], *, only: Collection[TagName] = (), most: int | None = None
) -> Plan:
    """Plan a rebase of the dependents of some tags, or only of those in `only`.

    Planning stops after `most` steps. Takes eight queries for each thousand tags of a level.
    Raises `Refused` (TAG_UNKNOWN).
    """
    among = set(_tags(only).values()) if only else None
    return _plan(find_downstream(list(_tags(list(roots)).values()), among), most)


def plan_updates(names: Collection[TagName]) -> Plan:
    """Plan updates of some tags to what their references resolve to today.

    Takes as many queries as `plan_rebase`. Raises `Refused` (TAG_UNKNOWN).
    """
    return _plan(dependency_order(list(_tags(names).values())), None)


def _plan(downstream: Downstream, most: int | None) -> Plan:
    remaining = (
        _step(redraft)
        for redraft in redraft_all(downstream, PendingVersions(), kinds.current_kinds())
        if redraft.moves
    )
    steps = tuple(islice(remaining, most))
    is_complete = next(remaining, None) is None
    circular = Tag.objects.filter(pk__in=downstream.circular).order_by("text")
    return Plan(steps, downstream, tuple(circular.values_list("text", flat=True)), is_complete)


def rebase(
    plan: Plan,
    *,
    actor: Actor | None,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> Outcome:
    """Publish the versions of a plan.

    A step that would now lead to another version is skipped with the reason, and so are the steps
    that depend on it. The actor's permission in all namespaces is checked before the first write
    and again in each transaction. Raises `Refused` (UNAUTHENTICATED, FORBIDDEN) if the actor may
    not publish in one of them; earlier transactions are kept.
    """
    permission = _require(plan.steps, actor)
    steps = {step.tag: step for step in plan.steps if not step.refusal}
    outcome = Outcome()
    done = 0
    for level in plan.downstream.levels:
        for chunk in chunks([tag for tag in level if tag in steps], BATCH_SIZE):
            _write([steps[tag] for tag in chunk], permission, outcome)
            done += len(chunk)
            report(done, len(steps))
    outcome.skipped += [(step.text, step.refusal) for step in plan.steps if step.refusal]
    return outcome


def update_all(names: Collection[TagName], *, actor: Actor | None) -> Outcome:
    """Update some tags, each after those of them that it depends on.

    Tags that are up to date, or in which the actor may not publish, are skipped with the reason.
    Raises `Refused` (UNAUTHENTICATED, TAG_UNKNOWN).
    """
    actor = permissions.authenticated(actor)
    allowed = set(permissions.allowed_among(actor, Action.PUBLISH, names))
    plan = plan_updates([name for name in names if name in allowed])
    outcome = rebase(plan, actor=actor)
    planned = {step.text for step in plan.steps}
    for name in names:
        if name not in allowed:
            reason = f"{actor.user} may not publish in {name.namespace}: propose it"
            outcome.skipped.append((str(name), reason))
        elif str(name) in plan.circular:
            outcome.skipped.append((str(name), "it is made from itself, in a circle"))
        elif str(name) not in planned:
            outcome.skipped.append((str(name), "it is up to date"))
    return outcome


def sort_by_dependency(names: Collection[TagName]) -> list[str]:
    """Sort tags so that each follows those of them that it depends on; circular ones come last.

    Raises `Refused` (TAG_UNKNOWN).
    """
    texts = {pk: text for text, pk in _tags(names).items()}
    order = dependency_order(list(texts))
    placed = [tag for level in order.levels for tag in level]
    return [texts[tag] for tag in (*placed, *sorted(order.circular))]


def _write(steps: Sequence[Step], permission: Permission, outcome: Outcome) -> None:
    """Publish some steps of one level in one transaction."""
    seen = last_event_number()
    redrafts = _redraft(steps)
    with authorized_write(permission):
        if last_event_number() != seen:  # a write in between can change the drafts
            redrafts = _redraft(steps)
        ready = list(_ready(steps, redrafts, outcome))
        versions = store_versions(ready, publisher=permission.user)
        indexing.reindex_tags([version.tag_id for version in versions])
    outcome.exact += [version.exact for version in versions]


def _redraft(steps: Sequence[Step]) -> dict[int, Redraft]:
    redrafts = redraft([step.tag for step in steps], PendingVersions(), kinds.current_kinds())
    return {result.version.tag_id: result for result in redrafts}


def _ready(
    steps: Sequence[Step], redrafts: dict[int, Redraft], outcome: Outcome
) -> Iterator[NumberedDraft]:
    """Yield the drafts that are still as planned; record the others as skipped."""
    for step in steps:
        result = redrafts.get(step.tag)
        current = _step(result) if result and result.moves else None
        draft = result.draft if result else None
        if current != step or result is None or draft is None or draft.number is None:
            outcome.skipped.append((step.text, _difference(step, current)))
            continue
        yield NumberedDraft(
            draft,
            draft.number,
            result.version.tag,
            rebase_message(result),
            author_id=result.version.body_author_id,
        )


def _difference(step: Step, current: Step | None) -> str:
    if current is None:
        return "it is up to date, or yanked, meanwhile"
    if current.refusal:
        return current.refusal
    return (
        f"planned as {step.bump} {step.number} of {step.exact}; it would now be {current.bump} "
        f"{current.number} of {current.exact}"
    )


def _step(result: Redraft) -> Step:
    version, draft = result.version, result.draft
    if draft is None or draft.number is None or draft.bump is None:
        detail = result.refusal.detail if result.refusal else "nothing would change"
        return Step(version.tag_id, version.tag.text, version.exact, refusal=detail)
    return Step(version.tag_id, version.tag.text, version.exact, str(draft.number), draft.bump)


def rebase_message(result: Redraft) -> str:
    """Return the message of a rebased version, which names the references that moved."""
    moves = [f"{move.old} to {move.new}" for move in result.moves[:MAX_NAMED_REFERENCES]]
    rest = len(result.moves) - len(moves)
    return f"Rebased: {', '.join(moves)}{f' and {rest} more' if rest else ''}"


def _require(steps: Sequence[Step], actor: Actor | None) -> Permission:
    """Return the permission to publish all of the tags. One query."""
    names = [TagName.parse(step.text) for step in steps]
    return permissions.require_all(actor, Action.PUBLISH, names)


def _tags(names: Collection[TagName]) -> dict[str, int]:
    tags = dict(Tag.objects.filter(text__in=map(str, names)).values_list("text", "pk"))
    for name in names:
        if str(name) not in tags:
            raise Refused(Code.TAG_UNKNOWN, f"There is no tag {name}.")
    return tags
