"""Every write that can change an answer notes its tags under a new revision; others do not."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection

from registry.domain.reference import Reference, Tag as TagName
from registry.models import (
    AnswerChange,
    AnswerRevision,
    LintReport,
    Namespace,
    Tag,
    revision_triggers,
    triggers,
)
from registry.models.revision_triggers import RevisionTrigger, expected_triggers
from registry.services.core.permissions import Actor
from registry.services.operations import linting, redaction
from registry.services.tags import aliases, deprecation, renaming
from registry.services.versions import families, yanking
from tests.models.refusals import execute
from tests.publishing import person, propose, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("board")]

EXACT, TAG = Reference.parse("acme/board@1.0.0"), TagName.parse("acme/board")
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
            TAG, TagName.parse("acme/panel"), reason="clearer", actor=operator()
        ),
    ),
    "redaction": (
        connection.check_constraints,  # PostgreSQL cannot alter tables with deferred checks
        lambda: redaction.redact("secret message", reason="a slip", actor=operator()),
    ),
    "lints": (LintReport.objects.all().delete, linting.rebuild_lints),
    "removed lints": (nothing, LintReport.objects.all().delete),
}


def changed_since(number: int) -> list[set[str]]:
    """Return the tags of each later revision, and check that none is missing."""
    rows = AnswerChange.objects.filter(number__gt=number).order_by("number")
    changes = dict(rows.values_list("number", "tags"))
    assert [*changes] == [*range(number + 1, AnswerRevision.objects.get().number + 1)]
    return [set(json.loads(tags)) for tags in changes.values()]


@pytest.mark.parametrize("write", WRITES)
def test_write_that_changes_an_answer_names_the_tag(write: str) -> None:
    prepare, change = WRITES[write]
    prepare()
    before = AnswerRevision.objects.get().number
    change()
    assert "acme/board" in set().union(*changed_since(before))


@pytest.mark.parametrize("write", [write for write in WRITES if "lints" not in write])  # of all
def test_write_names_no_tag_that_it_does_not_change(write: str) -> None:
    publish("acme/other", WITH_LINT | {"num-cores": 3})
    prepare, change = WRITES[write]
    prepare()
    before = AnswerRevision.objects.get().number
    change()
    changes = changed_since(before)
    assert all(changes)
    renamed = {"acme/panel"} if write == "rename" else set()
    assert set().union(*changes) == {"acme/board"} | renamed


def test_alias_that_moves_names_both_tags() -> None:
    publish("acme/other", WITH_LINT | {"num-cores": 3})
    point_alias("acme/board")
    before = AnswerRevision.objects.get().number
    point_alias("acme/other")
    assert changed_since(before) == [{"acme/board", "acme/other"}]


def test_family_names_its_tag() -> None:
    before = AnswerRevision.objects.get().number
    families.set_family(TAG, is_family=True, actor=operator())
    assert set().union(*changed_since(before)) == {"acme/board"}


def test_other_writes_leave_the_revision_alone() -> None:
    before = AnswerRevision.objects.get().number
    propose("acme/board", WITH_LINT | {"num-cores": 2}, by="bob")
    cache.set("throttle", 1)
    assert AnswerRevision.objects.get().number == before


TOUCH = "UPDATE registry_tag SET created = created WHERE text = 'acme/board'"


def test_statement_without_rows_changes_nothing() -> None:
    before = AnswerRevision.objects.get().number
    execute("UPDATE registry_tag SET created = created WHERE text = 'acme/none'")
    assert AnswerRevision.objects.get().number == before


def test_only_the_last_revisions_are_kept() -> None:
    oldest = AnswerChange.objects.earliest("number").number
    number = oldest + revision_triggers.KEPT - 1
    AnswerRevision.objects.update(number=number)
    for steps in (1, 2):
        execute(TOUCH)
        assert AnswerRevision.objects.get().number == number + steps
        assert AnswerChange.objects.earliest("number").number == oldest + steps


def test_change_of_many_tags_at_once_is_one_of_any_tag() -> None:
    namespace = Namespace.objects.get(name="acme")
    before = AnswerRevision.objects.get().number
    tags = [
        Tag(text=f"acme/many{n}", namespace=namespace)
        for n in range(revision_triggers.MAX_TAGS + 1)
    ]
    Tag.objects.bulk_create(tags)
    changes = changed_since(before)
    assert changes == [set()] if connection.vendor == "postgresql" else len(changes) == len(tags)


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
