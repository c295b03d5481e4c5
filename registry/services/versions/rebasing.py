"""Rebase: new versions of dependents from their unchanged sources, parents first.

Planned first; then written in short transactions, each of which finds again what it was planned on.
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

BATCH_SIZE = 500  # versions that one transaction writes: half a second in which others wait
MAX_NAMED_REFERENCES = 4  # moved references that a message names


@dataclass(frozen=True, slots=True)
class Step:
    """What is planned for one tag. `refusal` says why nothing can be."""

    tag: int
    text: str
    exact: str
    number: str = ""
    bump: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps, parents first, and those that a circle makes impossible.

    `is_whole` says whether these are all the steps that there are.
    """

    steps: tuple[Step, ...]
    found: Downstream
    circular: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def counts(self) -> Counter[str]:
        """How many of each bump, and how many refused."""
        return Counter(step.bump or REFUSED for step in self.steps)


@dataclass(slots=True)
class Outcome:
    """What has become of a plan: what was published, and why others were not."""

    exact: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)

    @property
    def published(self) -> int:
        """How many were."""
        return len(self.exact)


def plan_rebase(
    roots: Iterable[TagName], *, only: Collection[TagName] = (), most: int | None = None
) -> Plan:
    """What rebasing the dependents of some tags would publish, perhaps of some of them only.

    Planning stops after `most` steps. Raises `Refused` (TAG_UNKNOWN). Queries: eight for each
    level, and for each thousand tags.
    """
    among = set(_tags(only).values()) if only else None
    return _planned(find_downstream(list(_tags(list(roots)).values()), among), most)


def plan_updates(names: Collection[TagName]) -> Plan:
    """What bringing some tags up to date would publish, whatever they are made from.

    Raises `Refused` (TAG_UNKNOWN). Queries as `plan`.
    """
    return _planned(dependency_order(list(_tags(names).values())), None)


def _planned(found: Downstream, most: int | None) -> Plan:
    ahead = (
        _step(each)
        for each in redraft_all(found, PendingVersions(), kinds.current_kinds())
        if each.moves
    )
    steps = tuple(islice(ahead, most))
    is_whole = next(ahead, None) is None
    circular = Tag.objects.filter(pk__in=found.circular).order_by("text")
    return Plan(steps, found, tuple(circular.values_list("text", flat=True)), is_whole)


def rebase(
    planned: Plan,
    *,
    actor: Actor | None,
    report: Callable[[int, int], None] = lambda _done, _total: None,
) -> Outcome:
    """Publish what was planned.

    A step whose tag has moved meanwhile, so that another version would come out, is skipped with
    the reason, and so is what follows from it. All namespaces are checked at once, before anything
    is written and again in each transaction. Raises `Refused` (UNAUTHENTICATED, FORBIDDEN) where
    the actor may not publish in one of them; what earlier transactions wrote stays.
    """
    permission = _permitted(planned.steps, actor)
    steps = {step.tag: step for step in planned.steps if not step.refusal}
    outcome = Outcome()
    done = 0
    for level in planned.found.levels:
        for chunk in chunks([tag for tag in level if tag in steps], BATCH_SIZE):
            _write([steps[tag] for tag in chunk], permission, outcome)
            done += len(chunk)
            report(done, len(steps))
    outcome.skipped += [(step.text, step.refusal) for step in planned.steps if step.refusal]
    return outcome


def update_all(names: Collection[TagName], *, actor: Actor | None) -> Outcome:
    """Bring some tags up to date, each after those of them that it is made from.

    One that is up to date, or where the actor may not publish, is skipped with the reason. Raises
    `Refused` (UNAUTHENTICATED, TAG_UNKNOWN).
    """
    actor = permissions.authenticated(actor)
    may = set(permissions.allowed_among(actor, Action.PUBLISH, names))
    planned = plan_updates([name for name in names if name in may])
    outcome = rebase(planned, actor=actor)
    told = {step.text for step in planned.steps}
    for name in names:
        if name not in may:
            why = f"{actor.user} may not publish in {name.namespace}: propose it"
            outcome.skipped.append((str(name), why))
        elif str(name) in planned.circular:
            outcome.skipped.append((str(name), "it is made from itself, in a circle"))
        elif str(name) not in told:
            outcome.skipped.append((str(name), "it is up to date"))
    return outcome


def sort_by_dependency(names: Collection[TagName]) -> list[str]:
    """Tags, each once, after those of them that it is made from; circular ones last.

    Raises `Refused` (TAG_UNKNOWN).
    """
    known = {pk: text for text, pk in _tags(names).items()}
    found = dependency_order(list(known))
    placed = [tag for level in found.levels for tag in level]
    return [known[tag] for tag in (*placed, *sorted(found.circular))]


def _write(steps: Sequence[Step], permission: Permission, outcome: Outcome) -> None:
    """Publish some steps of one level in one transaction."""
    seen = last_event_number()
    drafted = _drafted(steps)
    with authorized_write(permission):
        if (
            last_event_number() != seen
        ):  # something was written meanwhile: what was found may not hold
            drafted = _drafted(steps)
        ready = list(_ready(steps, drafted, outcome))
        versions = store_versions(ready, publisher=permission.user)
        indexing.reindex_tags([version.tag_id for version in versions])
    outcome.exact += [version.exact for version in versions]


def _drafted(steps: Sequence[Step]) -> dict[int, Redraft]:
    found = redraft([step.tag for step in steps], PendingVersions(), kinds.current_kinds())
    return {each.version.tag_id: each for each in found}


def _ready(
    steps: Sequence[Step], drafted: dict[int, Redraft], outcome: Outcome
) -> Iterator[NumberedDraft]:
    """The steps that still come out as planned; the others with the reason are skipped."""
    for step in steps:
        found = drafted.get(step.tag)
        now = _step(found) if found and found.moves else None
        if now != step or found is None or found.draft is None or found.draft.number is None:
            outcome.skipped.append((step.text, _difference(step, now)))
            continue
        yield NumberedDraft(
            found.draft, found.draft.number, found.version.tag, rebase_message(found)
        )


def _difference(step: Step, now: Step | None) -> str:
    if now is None:
        return "it is up to date, or yanked, meanwhile"
    if now.refusal:
        return now.refusal
    return (
        f"planned as {step.bump} {step.number} of {step.exact}; it would now be {now.bump} "
        f"{now.number} of {now.exact}"
    )


def _step(found: Redraft) -> Step:
    version, draft = found.version, found.draft
    if draft is None or draft.number is None or draft.bump is None:
        detail = found.refusal.detail if found.refusal else "nothing would change"
        return Step(version.tag_id, version.tag.text, version.exact, refusal=detail)
    return Step(version.tag_id, version.tag.text, version.exact, str(draft.number), draft.bump)


def rebase_message(found: Redraft) -> str:
    """Why the version is there: which references moved."""
    moves = [f"{move.old} to {move.new}" for move in found.moves[:MAX_NAMED_REFERENCES]]
    more = len(found.moves) - len(moves)
    return f"Rebased: {', '.join(moves)}{f' and {more} more' if more else ''}"


def _permitted(steps: Sequence[Step], actor: Actor | None) -> Permission:
    """Return the permission to publish all of the tags. One query."""
    names = [TagName.parse(step.text) for step in steps]
    return permissions.require_all(actor, Action.PUBLISH, names)


def _tags(names: Collection[TagName]) -> dict[str, int]:
    found = dict(Tag.objects.filter(text__in=map(str, names)).values_list("text", "pk"))
    for name in names:
        if str(name) not in found:
            raise Refused(Code.TAG_UNKNOWN, f"There is no tag {name}.")
    return found
