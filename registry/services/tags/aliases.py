"""Creates and changes aliases, which are alternative names of tags or versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from registry.domain.errors import Code, Refused, report_errors_at
from registry.domain.names.name_folding import fold_name
from registry.domain.reference import Reference
from registry.models import ChangeKind, Event, Name, Namespace, PendingChange
from registry.services.core import permissions
from registry.services.core.paging import PAGE
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import EventEntry, append_events
from registry.services.namespaces import four_eyes
from registry.services.namespaces.lookup import require_namespace
from registry.services.search import indexing
from registry.services.search.filters import names_containing
from registry.services.versions import dependencies, selection
from registry.services.versions.selection import SelectedVersion
from ttag_rules.names import alias_problem

POINTED = "alias.pointed"  # the event action
BATCH_SIZE = 2000  # rows per statement


@dataclass(frozen=True, slots=True)
class Alias:
    """An alias, and whether it has just been created.

    A pending alias is not stored: it shows what somebody else has to confirm.
    """

    name: Name
    is_new: bool
    is_pending: bool = False

    @property
    def reference(self) -> Reference:
        """Return the reference that the alias points at."""
        return alias_target(self.name)


def alias_target(alias: Name) -> Reference:
    """Return the reference that an alias points at. Needs its tag loaded."""
    return Reference(alias.tag.text, alias.selector)


def all_aliases() -> QuerySet[Name]:
    """Return all aliases with the tags that they point at."""
    return Name.objects.filter(is_alias=True).select_related("tag")


def aliases_of(tag: str) -> QuerySet[Name]:
    """Return the aliases that point at a tag, by name."""
    return all_aliases().filter(tag__text=tag).order_by("text")


def aliases_like(rows: QuerySet[Name], query: str) -> QuerySet[Name]:
    """Return the aliases that contain a query."""
    return rows.filter(pk__in=names_containing(query).values("pk"))


def alias_history(alias: Name) -> list[tuple[Event, str]]:
    """Return the newest 101 events that pointed an alias, with the references."""
    namespace, _, _ = alias.text.partition("/")
    rows = Event.objects.filter(namespace=namespace, action=POINTED, subject=alias.text)
    events = rows.select_related("actor").order_by("-number")[: PAGE + 1]  # a page, and if more
    return [(event, json.loads(event.detail)["to"]) for event in events]


def point_alias(
    text: str, reference: Reference, *, actor: Actor | None, expected: str | None = None
) -> Alias:
    """Create an alias of a tag or of one of its versions, or point an alias elsewhere.

    `expected` is the reference that the alias currently must point at, empty if it must not exist;
    None disables the check. Without a change, nothing is written. Under four-eyes, the change stays
    pending until somebody else points the alias at the same reference.

    Raises `Refused`: REFERENCE_INVALID for a malformed alias, NAMESPACE_UNKNOWN,
    PRECONDITION_FAILED, CONFLICT if the text is a tag's name or the reference an alias, CYCLE if a
    tag that refers to the alias would depend on itself, and the errors of resolving the reference.
    """
    permission = permissions.require(actor, Action.POINT_ALIAS, Reference(text))
    if problem := alias_problem(text):
        raise Refused(Code.REFERENCE_INVALID, f"{problem}.")
    with authorized_write(permission):
        namespace = require_namespace(text.partition("/")[0])
        existing = Name.objects.select_related("tag", "namespace").filter(text=text).first()
        if existing and not existing.is_alias:
            raise Refused(Code.CONFLICT, f"{text} is the name of a tag; names cannot be reused.")
        current = str(alias_target(existing)) if existing else ""
        if expected not in (None, current):
            now = f"it points at {current or 'nothing'}"
            problem = f"has changed: {now}, not at {expected}" if expected else f"exists: {now}"
            raise Refused(Code.PRECONDITION_FAILED, f"{text} {problem}.")
        choice = _select(reference)
        if current == str(reference) and existing:
            return Alias(existing, is_new=False)
        if existing and dependencies.would_create_cycle(existing, choice.tag, reference.selector):
            raise Refused(
                Code.CYCLE,
                f"If {text} pointed at {reference}, a tag that refers to {text} would depend on "
                "itself.",
            )
        previous = existing.tag_id if existing else None
        alias = _pointed(existing or Name(text=text, namespace=namespace), choice, reference)
        requested = {}
        if four_eyes.needs_confirmation(namespace, permission.actor):
            change = _pending_change(alias, current)
            requester = four_eyes.request_or_confirm(change, permission)
            if requester is None:
                return Alias(alias, is_new=False, is_pending=True)
            requested = {"requested_by": requester.username}
        _save(alias, previous)
        entry = _event(alias, reference, was=current, **requested)
        append_events([entry], actor=permission.user)
    return Alias(alias, is_new=existing is None)


def point_aliases(
    targets: Mapping[str, Reference], *, actor: Actor | None
) -> dict[str, Alias | Refused]:
    """Point aliases at references, each as `point_alias` does; return the alias or error by text.

    Takes a constant number of queries, and more for each that is not new or cannot be created.
    Raises `Refused` if the actor may not point one of them.
    """
    subjects = [Reference(text) for text in targets]
    permission = permissions.require_all(actor, Action.POINT_ALIAS, subjects)
    with authorized_write(permission):
        new = _new_aliases(targets, permission.actor)
        results = {
            text: _point_one(text, reference, permission.actor)
            for text, reference in targets.items()
            if text not in new
        }
        names = Name.objects.bulk_create(new.values(), BATCH_SIZE)
        indexing.add_names(names)
        append_events(
            [_event(alias, targets[text], was="") for text, alias in new.items()],
            actor=permission.user,
        )
    return results | {text: Alias(alias, is_new=True) for text, alias in new.items()}


def _new_aliases(targets: Mapping[str, Reference], actor: Actor) -> dict[str, Name]:
    """Return the aliases that can be created without further checks, by text. Three queries."""
    existing = set(Name.objects.filter(text__in=targets).values_list("text", flat=True))
    owners = {text: text.partition("/")[0] for text in targets}
    namespaces = Namespace.objects.in_bulk(set(owners.values()), field_name="name")
    answers = selection.select_all(targets.values())
    new = {}
    for text, reference in targets.items():
        namespace, choice = namespaces.get(owners[text]), answers[str(reference)]
        if (
            text not in existing
            and not alias_problem(text)
            and namespace
            and not four_eyes.needs_confirmation(namespace, actor)
            and isinstance(choice, SelectedVersion)
            and not choice.is_alias
        ):
            new[text] = _pointed(Name(text=text, namespace=namespace), choice, reference)
    return new


def _point_one(text: str, reference: Reference, actor: Actor) -> Alias | Refused:
    try:
        return point_alias(text, reference, actor=actor)
    except Refused as refusal:
        return refusal


def _event(alias: Name, reference: Reference, *, was: str, **detail: str) -> EventEntry:
    detail_of_move = {"to": str(reference), "was": was or None, **detail}
    return EventEntry(POINTED, alias.text, alias.namespace.name, detail_of_move)


def _pending_change(alias: Name, current: str) -> PendingChange:
    return PendingChange(
        namespace=alias.namespace,
        kind=ChangeKind.ALIAS,
        subject=alias.text,
        before=current,
        after=str(alias_target(alias)),
    )


def _select(reference: Reference) -> SelectedVersion:
    """Resolve a reference. Raises `Refused` (CONFLICT) if it goes through an alias."""
    with report_errors_at("/reference"):
        choice = selection.select_one(reference)
        if choice.is_alias:
            raise Refused(
                Code.CONFLICT,
                f"{reference.text} is itself an alias; point at {choice.tag} instead.",
                suggestions=[choice.tag.text],
            )
    return choice


def _pointed(alias: Name, choice: SelectedVersion, reference: Reference) -> Name:
    """Return an alias that points at a reference, without storing it."""
    alias.tag = choice.tag
    alias.major, alias.minor, alias.patch = (*reference.selector.numbers, None, None, None)[:3]
    alias.digest = reference.selector.digest
    alias.is_alias, alias.folded = True, fold_name(alias.text)
    return alias


def _save(alias: Name, previous: int | None) -> None:
    """Store an alias, and index it; `previous` is the key of the tag that it was a name of."""
    alias.save()
    if previous is None:
        indexing.add_names([alias])
    elif previous != alias.tag_id:
        indexing.reindex_tags([previous, alias.tag_id])
