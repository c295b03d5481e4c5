"""Verification finds nothing in rows that services write, and reports what it checked."""

# ruff: noqa: S608 - statements of these tests

import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Event, Version, immutability, triggers
from tests.publishing import chain
from tests.services.operations.tampering import drop, tamper
from tests.services.operations.verification.findings import FIRST, assert_found, findings

pytestmark = pytest.mark.django_db


def test_services_write_rows_without_findings() -> None:
    assert findings() == []


def test_number_of_queries_does_not_depend_on_rows() -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert findings() == []
        return len(captured)

    few = queries()
    chain(8, namespace="acme/more")
    assert queries() == few


def test_missing_triggers_are_found() -> None:
    connection.check_constraints()
    installed = list(immutability.expected_triggers())
    drop(installed[0])
    drop(installed[-1])
    assert_found(
        *(f"schema: the trigger {name} is missing; expected all" for name in triggers.missing())
    )


def test_command_reports_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify")
    out = capsys.readouterr().out
    assert re.fullmatch(
        r"Verified 1 databases, \d+ versions, .*, \d+ events, \d+ sizes of the log, "
        r"\d+ search entries, "
        r"\d+ search terms, \d+ versions linted again: no findings\.\n",
        out,
    )
    assert f"{Version.objects.count()} versions" in out
    assert f"{Event.objects.count()} events" in out


def test_quiet_command_prints_nothing_without_findings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("verify", "--quiet")
    assert capsys.readouterr().out == ""


def test_command_fails_with_a_line_for_each_finding(capsys: pytest.CaptureFixture[str]) -> None:
    tamper(f"UPDATE registry_version SET size = 1 WHERE {FIRST}")
    with pytest.raises(CommandError, match=r"^1 finding\.$") as failed:
        call_command("verify", "--quiet")
    assert failed.value.returncode == 1
    assert "acme/board@1.0.0: size is 1; expected" in capsys.readouterr().out
