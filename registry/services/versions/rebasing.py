"""Rebases dependents: publishes new versions from their unchanged sources, parents first.

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
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, Permission
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import last_event_number
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

BATCH_SIZE = 500  # versions per transaction, for which other writers wait half a second
MAX_NAMED_REFERENCES = 4  # moved references in a message


@dataclass(frozen=True, slots=True)
class RebaseStep:
    """The version planned for a tag, or the reason why it would be rejected."""

    tag: int
    text: str
    exact: str
    number: str = ""
    bump: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a rebase, parents first, and the tags in cycles, which cannot be rebased.

    `is_complete` if these are all steps.
    """

    steps: tuple[RebaseStep, ...]
    downstream: Downstream
    circular: tuple[str, ...] = ()
    is_complete: bool = True

    @property
    def counts(self) -> Counter[str]:
        """Return the number of steps by bump, and of rejected ones."""
        return Counter(step.bump or REFUSED for step in self.steps)


@dataclass(slots=True)
class RebaseOutcome:
    """The published versions of a rebase, as exact references, and skipped tags with reasons."""

    published: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def plan_rebase(
    roots: Iterable[TagName], *, only: Collection[TagName] = (), limit: int | None = None
) -> Plan:
    """Plan a rebase of the dependents of some tags, or only of those in `only`.

    Planning stops after `limit` steps. Takes at most seven queries for each thousand tags of a
    level, or more if targets are large. Raises `Refused` (TAG_UNKNOWN).
    """
    among = set(_tag_keys(only).values()) if only else None
    return _plan(find_downstream(list(_tag_keys(list(roots)).values()), among), limit)


def plan_updates(names: Collection[TagName]) -> Plan:
    """Plan updates of some tags to the versions that their references now resolve to.

    Takes as many queries as `plan_rebase`. Raises `Refused` (TAG_UNKNOWN).
    """
    return _plan(dependency_order(list(_tag_keys(names).values())), None)


def _plan(downstream: Downstream, limit: int | None) -> Plan:
    remaining = (
        _step(redraft)
        for redraft in redraft_all(downstream, PendingVersions(), kinds.current_kinds())
        if redraft.moves
    )
    steps = tuple(islice(remaining, limit))
    is_complete = next(remaining, None) is None
    circular = Tag.objects.filter(pk__in=downstream.circular).order_by("text")
    return Plan(steps, downstream, tuple(circular.values_list("text", flat=True)), is_complete)


def rebase(
    plan: Plan,
    *,
    actor: Actor | None,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> RebaseOutcome:
    """Publish the versions of a plan.

    Skips a step that would now result in another version, and the steps that depend on it. Checks
    the actor's permission in all namespaces before the first write and in each transaction. Raises
    `Refused` (UNAUTHENTICATED, FORBIDDEN) if it is missing; earlier transactions are kept.
    """
    names = [TagName.parse(step.text) for step in plan.steps]
    permission = permissions.require_all(actor, Action.PUBLISH, names)
    steps = {step.tag: step for step in plan.steps if not step.refusal}
    outcome = RebaseOutcome()
    done = 0
    for level in plan.downstream.levels:
        for chunk in chunks([tag for tag in level if tag in steps], BATCH_SIZE):
            _write([steps[tag] for tag in chunk], permission, outcome)
            done += len(chunk)
            report(done, len(steps))
    outcome.skipped += [(step.text, step.refusal) for step in plan.steps if step.refusal]
    return outcome


def update_all(names: Collection[TagName], *, actor: Actor | None) -> RebaseOutcome:
    """Update some tags, each after those of them that it depends on.

    Skips tags that are up to date, or that the actor may not publish.
    Raises `Refused` (UNAUTHENTICATED, TAG_UNKNOWN).
    """
    actor = permissions.authenticated(actor)
    allowed = set(permissions.filter_allowed(actor, Action.PUBLISH, names))
    plan = plan_updates([name for name in names if name in allowed])
    outcome = rebase(plan, actor=actor)
    planned = {step.text for step in plan.steps}
    for name in names:
        if name not in allowed:
            reason = f"{actor.user} may not publish in {name.namespace}; propose it instead"
            outcome.skipped.append((str(name), reason))
        elif str(name) in plan.circular:
            outcome.skipped.append((str(name), "it depends on itself"))
        elif str(name) not in planned:
            outcome.skipped.append((str(name), "it is up to date"))
    return outcome


def sort_by_dependency(names: Collection[TagName]) -> list[str]:
    """Sort tags so that each follows those of them that it depends on; circular ones come last.

    Raises `Refused` (TAG_UNKNOWN).
    """
    texts = {pk: text for text, pk in _tag_keys(names).items()}
    order = dependency_order(list(texts))
    ordered = [tag for level in order.levels for tag in level]
    return [texts[tag] for tag in (*ordered, *sorted(order.circular))]


def _write(steps: Sequence[RebaseStep], permission: Permission, outcome: RebaseOutcome) -> None:
    """Publish some steps of one level in one transaction."""
    seen = last_event_number()
    redrafts = _redraft(steps)
    with authorized_write(permission):
        if last_event_number() != seen:  # a write in between can change the drafts
            redrafts = _redraft(steps)
        ready = list(_planned_drafts(steps, redrafts, outcome))
        versions = store_versions(ready, publisher=permission.user)
        indexing.reindex_tags([version.tag_id for version in versions])
    outcome.published += [version.exact for version in versions]


def _redraft(steps: Sequence[RebaseStep]) -> dict[int, Redraft]:
    redrafts = redraft([step.tag for step in steps], PendingVersions(), kinds.current_kinds())
    return {result.version.tag_id: result for result in redrafts}


def _planned_drafts(
    steps: Sequence[RebaseStep], redrafts: dict[int, Redraft], outcome: RebaseOutcome
) -> Iterator[NumberedDraft]:
    """Yield the drafts that still match the plan; record the others as skipped."""
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
            result.version.source_urls,
            author_id=result.version.body_author_id,
        )


def _difference(step: RebaseStep, current: RebaseStep | None) -> str:
    if current is None:
        return "it is now up to date, or yanked"
    if current.refusal:
        return current.refusal
    return (
        f"planned as {step.bump} {step.number} of {step.exact}; it would now be {current.bump} "
        f"{current.number} of {current.exact}"
    )


def _step(result: Redraft) -> RebaseStep:
    version, draft = result.version, result.draft
    if draft is None or draft.number is None or draft.bump is None:
        detail = result.refusal.detail if result.refusal else "nothing would change"
        return RebaseStep(version.tag_id, version.tag.text, version.exact, refusal=detail)
    return RebaseStep(
        version.tag_id, version.tag.text, version.exact, str(draft.number), draft.bump
    )


def rebase_message(result: Redraft) -> str:
    """Return the message of a rebased version, which names the references that moved."""
    moves = [f"{move.old} to {move.new}" for move in result.moves[:MAX_NAMED_REFERENCES]]
    rest = len(result.moves) - len(moves)
    return f"Rebased: {', '.join(moves)}{f' and {rest} more' if rest else ''}"


def _tag_keys(names: Collection[TagName]) -> dict[str, int]:
    """Return the primary keys of tags by name. Raises `Refused` (TAG_UNKNOWN)."""
    tags = dict(Tag.objects.filter(text__in=map(str, names)).values_list("text", "pk"))
    for name in names:
        if str(name) not in tags:
            raise Refused(Code.TAG_UNKNOWN, f"There is no tag {name}.")
    return tags
