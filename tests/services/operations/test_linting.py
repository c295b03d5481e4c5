"""Recomputing the lints of all versions."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Event, LintReport, User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.operations import linting, verify
from tests.publishing import WITHOUT_LINTS, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def lint(actor: str = "alice") -> str:
    out = StringIO()
    call_command("lint", actor=actor, stdout=out)
    return out.getvalue()


def codes(tag: str) -> list[str]:
    text = LintReport.objects.filter(version__tag__text=tag).values_list("lints", flat=True).first()
    return [lint["code"] for lint in json.loads(text or "[]")]


def know(monkeypatch: pytest.MonkeyPatch, *cpus: str) -> None:
    """Let LLVM know these processors of x86-64 only, as another release might."""
    facts = shipped_facts.lint_facts()
    changed = replace(facts, cpus={**facts.cpus, "x86_64": frozenset(cpus)})
    monkeypatch.setattr(shipped_facts, "lint_facts", lambda: changed)


def test_new_facts_replace_lints(monkeypatch: pytest.MonkeyPatch) -> None:
    publish("acme/old", WITHOUT_LINTS)
    publish("acme/new", WITHOUT_LINTS | {"mcpu": "neverwell"})
    assert (codes("acme/old"), codes("acme/new")) == ([], ["MCPU_UNKNOWN"])
    know(monkeypatch, "neverwell")
    assert "changed" in lint()
    assert (codes("acme/old"), codes("acme/new")) == (["MCPU_UNKNOWN"], [])


def test_linting_again_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    publish("acme/board", WITHOUT_LINTS)
    know(monkeypatch, "neverwell")
    lint()
    count = Event.objects.count()
    rows = list(LintReport.objects.order_by("pk").values())
    assert lint().endswith(" 0 changed.\n")
    assert Event.objects.count() == count
    assert list(LintReport.objects.order_by("pk").values()) == rows


def test_a_change_is_an_event(monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS)
    LintReport.objects.all().delete()
    know(monkeypatch, "neverwell")
    lint()
    event = Event.objects.order_by("-number")[0]
    assert (event.action, event.subject, event.actor) == ("lints.replaced", "lints", alice)
    detail = json.loads(event.detail)
    assert detail["changed"] == detail["linted"] == LintReport.objects.count()


def test_rebuilding_stores_the_same_lints_without_an_event() -> None:
    publish("acme/old", WITHOUT_LINTS | {"mcpu": "hasvell"})
    publish("acme/clean", WITHOUT_LINTS)
    stored = LintReport.objects.order_by("version").values_list("version", "count", "lints")
    rows = list(stored)
    count = Event.objects.count()
    LintReport.objects.all().delete()
    linting.rebuild_lints()
    assert rows
    assert list(stored.all()) == rows
    assert Event.objects.count() == count


def test_verification_finds_other_lints_and_the_command_replaces_them() -> None:
    publish("acme/board", WITHOUT_LINTS | {"mcpu": "hasvell"})
    publish("acme/clean", WITHOUT_LINTS)
    report = LintReport.objects.get(version__tag__text="acme/board")
    for changed in ({"count": 2}, {"lints": "[]"}):
        LintReport.objects.filter(pk=report.pk).update(**changed)
        assert len(findings()) == 1
    LintReport.objects.filter(pk=report.pk).delete()
    assert ["there are 0 lints; expected 1; run manage.py lint" in line for line in findings()] == [
        True
    ]
    lint()
    assert findings() == []


def findings() -> list[str]:
    return [str(finding) for finding in verify.verify()]


def test_the_lock_is_taken_for_changes_only(alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS | {"mcpu": "hasvell"})
    with CaptureQueriesContext(connection) as captured:
        lint()
    assert not [q for q in captured if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]


def test_progress_names_every_version(alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS)
    steps: list[tuple[str, int, int]] = []
    result = linting.lint_all(actor=Actor.operator(alice), report=lambda *step: steps.append(step))
    assert steps[-1] == ("versions", result.versions, result.versions)


def test_an_unknown_actor_is_refused() -> None:
    with pytest.raises(CommandError, match="nobody"):
        lint("nobody")
