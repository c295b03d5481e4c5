"""Redaction: an operator removes a secret or personal data from published rows.

No other write changes them. If a target changes, so does its digest. Its version is yanked in the
same transaction, as it is no longer what was published; the event maps old digests to new ones, and
one more for each such version states the new one in the log's tree. No older leaf changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.db.models import Model

from registry.domain import document, user_text
from registry.domain.errors import Code, Refused, refuse_all
from registry.domain.reference import Reference
from registry.models import (
    Event,
    KindRevision,
    Name,
    User,
    Version,
    Webhook,
    immutability,
    triggers,
)
from registry.services.core import redaction_marks
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log import leaf_bytes
from registry.services.event_log.appending import EventEntry, append_event, append_events
from registry.services.operations import rebuild, text_columns
from registry.services.operations.snapshots import snapshot
from registry.services.operations.text_columns import Occurrence
from registry.services.search import term_index
from registry.services.versions import linting, yanking
from registry.services.versions.storage import store_leaves
from ttag_rules.option_patterns import REDACTED

MIN_TEXT = 4  # characters; shorter texts would match unrelated text
MAX_REASON = 400  # characters; yanks use it with a prefix
MAX_LISTED = 5  # places that an error lists
ROWS_OF_ADDRESSES = (EmailAddress, SocialAccount, Webhook)  # without it, a row has no use
Changes = dict[type[Model], dict[Any, dict[str, Any]]]  # columns by primary key


@dataclass(frozen=True, slots=True)
class RedactionResult:
    """The changed places, the event of the redaction, and the yanked versions."""

    places: list[Occurrence]
    event: Event
    yanked: list[str]


def find_text(text: str) -> list[Occurrence]:
    """Return every place that contains a text. Writes nothing.

    Raises `Refused`: REQUEST_INVALID if the text is too short, CONFLICT if it is part of a name,
    a key or a rule of a kind.
    """
    _check_text(text)
    with snapshot():
        return _redactable(text)


def redact(text: str, *, reason: str, actor: Actor) -> RedactionResult:
    """Replace a text by `[redacted]` wherever it occurs, and yank the versions that change.

    Case-sensitive. Other writes wait meanwhile. Raises `Refused` as `find_text` does,
    REQUEST_INVALID if the reason is empty or contains the text, CONFLICT if nothing contains it.
    """
    _check_text(text)
    reason = user_text.normalize_text(reason)
    refuse_all(user_text.text_faults(reason, "/reason", max_length=MAX_REASON, is_required=True))
    if text.casefold() in reason.casefold():
        raise Refused(Code.REQUEST_INVALID, "The reason contains the text.")
    with write_lock():
        places = _redactable(text)
        if not places:
            raise Refused(Code.CONFLICT, "The text was not found.")
        changes = _changes(places)
        exact = {version.pk: version.exact for version in _changed_versions(changes)}
        digests = _update_digests(changes)
        _write(changes)
        linting.relint(list(exact))
        for old, new in digests.items():
            Name.objects.filter(is_alias=True, digest=old).update(digest=new)
        yanked = list(_yank(exact, f"Redacted: {reason}", actor))
        term_index.forget_unused_terms()
        event = append_event(
            redaction_marks.ACTION,
            "text",
            actor=actor.user,
            namespace="",
            reason=reason,
            rows={model._meta.label_lower: sorted(rows) for model, rows in changes.items()},
            digests=digests,
        )
        revisions = KindRevision.objects.filter(pk__in=changes.get(KindRevision, ()))
        state_digests(
            list(Version.objects.filter(pk__in=exact).select_related("tag").order_by("pk")),
            list(revisions.select_related("kind").order_by("pk")),
            actor=actor.user,
        )
    return RedactionResult(places, event, yanked)


# Decision 025: a redacted target has another digest, which an event states.
def state_digests(
    versions: Sequence[Version], revisions: Sequence[KindRevision], *, actor: User
) -> None:
    """Append an event for each version and revision of a kind that has got another digest.

    Its leaf states the new one, so that the older leaf need not change. Call under the write lock.
    """
    entries = [
        EventEntry(
            "version.redacted",
            version.exact,
            version.tag.text.partition("/")[0],
            {"digest": version.digest},
        )
        for version in versions
    ]
    numbers = append_events(entries, actor=actor)
    store_leaves(zip(numbers, (version.pk for version in versions), strict=True))
    append_events(
        [
            EventEntry(
                "kind.redacted",
                revision.kind.name,
                "",
                {"revision": revision.number, "digest": revision.digest},
            )
            for revision in revisions
        ],
        actor=actor,
    )


def erase_traces() -> str:
    """Erase old rows from SQLite's files; return a reminder of remaining manual steps, if any.

    Call outside any transaction. On PostgreSQL it would block all readers, so the operator chooses
    the time.
    """
    if connection.vendor == "postgresql":
        return "PostgreSQL keeps old rows until VACUUM FULL, and in its write-ahead log."
    is_busy = rebuild.rewrite_file()
    return "The write-ahead log contains the text until current readers finish." * is_busy


def _check_text(text: str) -> None:
    if len(text.strip()) < MIN_TEXT:
        raise Refused(
            Code.REQUEST_INVALID,
            f"The text has {len(text.strip())} characters: expected at least {MIN_TEXT}, because "
            "shorter texts match unrelated text.",
        )
    if text in REDACTED:
        raise Refused(Code.REQUEST_INVALID, f"The text is part of {REDACTED}.")


def _redactable(text: str) -> list[Occurrence]:
    occurrences = list(text_columns.find_occurrences(text, REDACTED))
    fixed = [str(place) for place in occurrences if place.value is None or _is_in_leaf(place)]
    if fixed:
        rest = f", and {len(fixed) - MAX_LISTED} more" if len(fixed) > MAX_LISTED else ""
        raise Refused(
            Code.CONFLICT,
            "The text is part of a name, a label or a rule of a kind, which cannot be redacted "
            "because others refer to it. Yank the versions and deprecate the tag, or close the "
            f"account, and publish under another name. Occurrences: {'; '.join(fixed[:MAX_LISTED])}"
            f"{rest}.",
        )
    return occurrences


def _is_in_leaf(place: Occurrence) -> bool:
    """Return whether a leaf of the log would change, which holds names and digests only."""
    if place.model is not Event or place.value is None:
        return False
    event = Event.objects.get(pk=place.key)
    before = leaf_bytes.leaf_of(event, is_backfilled=False)
    setattr(event, place.column, place.value)
    return leaf_bytes.leaf_of(event, is_backfilled=False) != before


def _changes(places: Collection[Occurrence]) -> Changes:
    changes: Changes = defaultdict(lambda: defaultdict(dict))
    for place in places:
        changes[place.model][place.key][place.column] = place.value
    return changes


def _changed_versions(changes: Changes) -> list[Version]:
    """Return the versions whose targets change, parents before their dependents."""
    pks = [pk for pk, columns in changes.get(Version, {}).items() if "target" in columns]
    light = Version.objects.filter(pk__in=pks).select_related("tag").order_by("pk")
    return list(light.only("major", "minor", "patch", "tag__text"))


def _update_digests(changes: Changes) -> dict[str, str]:
    """Add the new digests to the changes; return a map of old digests to new ones."""
    digests = {}
    for model, column in ((Version, "target"), (KindRevision, "source")):
        old = dict(
            model._base_manager.filter(pk__in=changes.get(model, ())).values_list("pk", "digest")
        )
        for pk, columns in changes.get(model, {}).items():
            if column in columns:
                data = columns[column].encode()
                columns["digest"] = digests[old[pk]] = document.digest(data)
                if model is Version:
                    columns["size"] = len(data)
    return digests


def _write(changes: Changes) -> None:
    with _updates_allowed({model._meta.db_table for model in changes}):
        for model, rows in changes.items():
            for pk, columns in rows.items():
                row = model._base_manager.filter(pk=pk)
                if model in ROWS_OF_ADDRESSES and "" in columns.values():
                    row.delete()
                else:
                    row.update(**columns)


@contextmanager
def _updates_allowed(tables: Collection[str]) -> Iterator[None]:
    """Disable the triggers against updates of some tables, within a transaction.

    If an error ends the transaction, the rollback restores them.
    """
    suspended = [
        trigger
        for trigger in immutability.expected_triggers()
        if trigger.table in tables and trigger.operation == "UPDATE"
    ]
    with connection.cursor() as cursor:
        for trigger in suspended:
            cursor.execute(
                f'ALTER TABLE "{trigger.table}" DISABLE TRIGGER "{trigger.name}"'
                if connection.vendor == "postgresql"
                else f'DROP TRIGGER "{trigger.name}"'
            )
        yield
        connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
        if connection.vendor == "postgresql":
            for trigger in suspended:
                cursor.execute(
                    f'ALTER TABLE "{trigger.table}" ENABLE ALWAYS TRIGGER "{trigger.name}"'
                )
        else:
            immutability.install_triggers()
    if missing := triggers.missing():
        raise Refused(Code.INTERNAL, f"Triggers are missing: {', '.join(missing)}.")


def _yank(exact: dict[int, str], reason: str, actor: Actor) -> Iterator[str]:
    """Yank the versions that are not yanked yet; yield their references."""
    yanked = set(Version.objects.filter(pk__in=exact).yanked().values_list("pk", flat=True))
    for pk, reference in exact.items():
        if pk not in yanked:
            yanking.yank(Reference.parse(reference), reason=reason, actor=actor)
            yield reference
