"""Every write that can change an answer advances the revision; other writes do not."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection

from registry.domain.reference import Reference, Tag
from registry.models import AnswerRevision, LintReport, Namespace, triggers
from registry.models.revision_triggers import RevisionTrigger, expected_triggers
from registry.services.core.permissions import Actor
from registry.services.operations import linting, redaction
from registry.services.tags import aliases, deprecation, renaming
from registry.services.versions import yanking
from tests.models.refusals import execute
from tests.publishing import person, propose, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("board")]

EXACT, TAG = Reference.parse("acme/board@1.0.0"), Tag.parse("acme/board")
WITH_LINT = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswel"}


@pytest.fixture
def board(acme: Namespace) -> None:
    publish("acme/board", WITH_LINT, message="a secret message")


def operator() -> Actor:
    return Actor.operator(person("alice"))


def point_alias(reference: str) -> None:
    aliases.point_alias(
        Reference.parse("acme/short").text, Reference.parse(reference), actor=operator()
    )


def yank() -> None:
    yanking.yank(EXACT, reason="wrong", actor=operator())


def deprecate() -> None:
    deprecation.deprecate(TAG, reason="old", actor=operator())


def nothing() -> None:
    """Prepare nothing."""


WRITES: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {  # what precedes, the write
    "publish": (nothing, lambda: publish("acme/board", WITH_LINT | {"num-cores": 2})),
    "yank": (nothing, yank),
    "unyank": (yank, lambda: yanking.unyank(EXACT, reason="right", actor=operator())),
    "deprecate": (nothing, deprecate),
    "undeprecate": (
        deprecate,
        lambda: deprecation.undeprecate(TAG, reason="in use", actor=operator()),
    ),
    "alias": (nothing, lambda: point_alias("acme/board")),
    "repointed alias": (
        lambda: point_alias("acme/board"),
        lambda: point_alias("acme/board@1"),
    ),
    "rename": (
        nothing,
        lambda: renaming.rename_tag(
            TAG, Tag.parse("acme/panel"), reason="clearer", actor=operator()
        ),
    ),
    "redaction": (
        connection.check_constraints,  # PostgreSQL cannot alter tables with deferred checks
        lambda: redaction.redact("secret message", reason="a slip", actor=operator()),
    ),
    "lints": (LintReport.objects.all().delete, linting.rebuild_lints),
    "removed lints": (nothing, LintReport.objects.all().delete),
}


@pytest.mark.parametrize("write", WRITES)
def test_write_that_changes_an_answer_advances_the_revision(write: str) -> None:
    prepare, change = WRITES[write]
    prepare()
    before = AnswerRevision.objects.get().number
    change()
    assert AnswerRevision.objects.get().number > before


def test_other_writes_leave_the_revision_alone() -> None:
    before = AnswerRevision.objects.get().number
    propose("acme/board", WITH_LINT | {"num-cores": 2}, by="bob")
    cache.set("throttle", 1)
    assert AnswerRevision.objects.get().number == before


def test_new_database_starts_from_a_number_that_no_older_one_has_reached() -> None:
    connection.check_constraints()
    before = AnswerRevision.objects.get().number
    AnswerRevision.objects.all().delete()
    triggers.install()
    assert AnswerRevision.objects.get().number > before


def drop(trigger: RevisionTrigger) -> None:
    where = f' ON "{trigger.table}"' if connection.vendor == "postgresql" else ""
    execute(f'DROP TRIGGER "{trigger.name}"{where}')


def test_missing_triggers_are_named_and_come_back_with_the_next_migration() -> None:
    connection.check_constraints()
    for trigger in expected_triggers():
        drop(trigger)
    assert triggers.missing() == sorted(trigger.name for trigger in expected_triggers())
    call_command("migrate", verbosity=0)
    assert triggers.missing() == []
