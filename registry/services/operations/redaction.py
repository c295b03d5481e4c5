"""Redacting: a secret or a personal datum taken out of what is published, by the operator.

The one write that changes what is published. Where a target changes, so does its digest: nothing is
ever served under a digest that it does not have. Such a version is yanked in the same write, for
it is not what was published; the log keeps which digest became which.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Model

from registry.domain import document, user_text
from registry.domain.errors import Code, Refused, refuse_all
from registry.domain.reference import Reference
from registry.models import Event, KindRevision, Name, Version, immutability
from registry.services.core import redaction_marks
from registry.services.core.permissions import Actor
from registry.services.core.transactions import append_event, write_lock
from registry.services.operations import text_columns
from registry.services.operations.snapshots import snapshot
from registry.services.operations.text_columns import Occurrence
from registry.services.versions import yanking

TOMBSTONE = "[redacted]"
MIN_TEXT = 4  # characters; a shorter text stands in too much that has nothing to do with it
MAX_REASON = 400  # characters; with the words before it, it is the reason of yanks
MAX_SHOWN = 5
Changes = dict[type[Model], dict[Any, dict[str, Any]]]  # columns by primary key


@dataclass(frozen=True, slots=True)
class RedactionResult:
    """What was changed, in which event, and which versions were yanked for it."""

    places: list[Occurrence]
    event: Event
    yanked: list[str]


def find_text(text: str) -> list[Occurrence]:
    """Everywhere that a text stands. Nothing is written.

    Raises `Refused`: REQUEST_INVALID for a text that is too short, CONFLICT where it stands in a
    name, as a key or as a rule of a kind.
    """
    _check_text(text)
    with snapshot():
        return _redactable(text)


def redact(text: str, *, reason: str, actor: Actor) -> RedactionResult:
    """Replace a text by `[redacted]` wherever people wrote it, and yank what was made from it.

    Compares to the letter. Other writes wait meanwhile. Raises `Refused` as `find` does,
    REQUEST_INVALID for a reason that is none or holds the text, CONFLICT where it stands nowhere.
    """
    _check_text(text)
    reason = user_text.strip_text(reason)
    refuse_all(user_text.text_faults(reason, "/reason", most=MAX_REASON, needed=True))
    if text in reason:
        raise Refused(Code.REQUEST_INVALID, "The reason holds the text; it stays in the log.")
    with write_lock():
        places = _redactable(text)
        if not places:
            raise Refused(Code.CONFLICT, "The text stands nowhere.")
        changes = _changes(places)
        exact = {version.pk: version.exact for version in _retargeted(changes)}
        digests = _follow_digests(changes)
        _write(changes)
        for old, new in digests.items():
            Name.objects.filter(is_alias=True, digest=old).update(digest=new)
        yanked = list(_yank(exact, f"Text in it was redacted: {reason}", actor))
        event = append_event(
            redaction_marks.ACTION,
            "text",
            actor=actor.user,
            namespace="",
            reason=reason,
            rows={model._meta.label_lower: sorted(rows) for model, rows in changes.items()},
            digests=digests,
        )
    return RedactionResult(places, event, yanked)


def erase_traces() -> str:
    """Let the database forget what it keeps of replaced rows; what is left to do by hand.

    Outside of any transaction. PostgreSQL would lock out every reader meanwhile: the operator says
    when.
    """
    if connection.vendor == "postgresql":
        return "PostgreSQL keeps what was replaced until VACUUM FULL, and in its write-ahead log."
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        is_busy, *_ = cursor.fetchone()
    return "Others are reading: until they end, the write-ahead log holds the text." * is_busy


def _check_text(text: str) -> None:
    if len(text.strip()) < MIN_TEXT:
        raise Refused(
            Code.REQUEST_INVALID,
            f"The text has {len(text.strip())} characters: expected at least {MIN_TEXT}, for less "
            "would hit what has nothing to do with it.",
        )
    if text in TOMBSTONE:
        raise Refused(Code.REQUEST_INVALID, f"The text is part of {TOMBSTONE}.")


def _redactable(text: str) -> list[Occurrence]:
    found = list(text_columns.find_occurrences(text, TOMBSTONE))
    fixed = [str(place) for place in found if place.value is None]
    if fixed:
        more = f", and {len(fixed) - MAX_SHOWN} more" if len(fixed) > MAX_SHOWN else ""
        raise Refused(
            Code.CONFLICT,
            "The text is a name, or part of one, a label, or what a kind checks: others refer to "
            "it, so it is not redacted. Yank its versions and deprecate the tag; close the "
            f"account; publish under another name. It stands in {'; '.join(fixed[:MAX_SHOWN])}"
            f"{more}.",
        )
    return found


def _changes(places: Collection[Occurrence]) -> Changes:
    changes: Changes = defaultdict(lambda: defaultdict(dict))
    for place in places:
        changes[place.model][place.key][place.column] = place.value
    return changes


def _retargeted(changes: Changes) -> list[Version]:
    """The versions whose targets change, parents before those made from them."""
    pks = [pk for pk, columns in changes.get(Version, {}).items() if "target" in columns]
    light = Version.objects.filter(pk__in=pks).select_related("tag").order_by("pk")
    return list(light.only("major", "minor", "patch", "tag__text"))


def _follow_digests(changes: Changes) -> dict[str, str]:
    """Add the digests of what is left to the changes; which became which."""
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
    with _changeable({model._meta.db_table for model in changes}):
        for model, rows in changes.items():
            for pk, columns in rows.items():
                model._base_manager.filter(pk=pk).update(**columns)


@contextmanager
def _changeable(tables: Collection[str]) -> Iterator[None]:
    """Take the triggers against changes off some tables, inside a transaction, and put them back.

    Where an error ends the transaction, they come back with everything else.
    """
    triggers = [
        trigger
        for trigger in immutability.expected_triggers()
        if trigger.table in tables and trigger.operation == "UPDATE"
    ]
    with connection.cursor() as cursor:
        for trigger in triggers:
            cursor.execute(
                f'ALTER TABLE "{trigger.table}" DISABLE TRIGGER "{trigger.name}"'  # readers go on
                if connection.vendor == "postgresql"
                else f'DROP TRIGGER "{trigger.name}"'
            )
        yield
        connection.check_constraints()  # PostgreSQL alters no table that has checks outstanding
        if connection.vendor == "postgresql":
            for trigger in triggers:
                cursor.execute(
                    f'ALTER TABLE "{trigger.table}" ENABLE ALWAYS TRIGGER "{trigger.name}"'
                )
        else:
            immutability.install_triggers()
    if missing := immutability.missing_triggers():
        raise Refused(Code.INTERNAL, f"Triggers did not come back: {', '.join(missing)}.")


def _yank(exact: dict[int, str], reason: str, actor: Actor) -> Iterator[str]:
    """Yank versions that are not yanked yet."""
    yanked = set(Version.objects.filter(pk__in=exact).yanked().values_list("pk", flat=True))
    for pk, reference in exact.items():
        if pk not in yanked:
            yanking.yank(Reference.parse(reference), reason=reason, actor=actor)
            yield reference
