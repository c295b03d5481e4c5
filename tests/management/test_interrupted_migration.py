"""A migration that is killed in the middle: until it is run again, the registry is not ready."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.databases import ROOT, empty_registry

# The statements before which the process kills itself: between migrations, in the middle of the
# registry's own, and after all of them.
MOMENTS = ('CREATE TABLE "auth_group"', 'CREATE TABLE "registry_event"', "CREATE TRIGGER")
MIGRATE = """
import os, signal, sys
import django
django.setup()
from django.core.management import call_command
from django.db import connection
def execute(run, sql, *arguments):
    if sys.argv[1:] and str(sql).startswith(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return run(sql, *arguments)
with connection.execute_wrapper(execute):
    call_command("migrate", verbosity=0)
"""
PROBLEMS = """
import django
django.setup()
from registry.services.operations import health
print(health.problems())
"""


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """Yield the environment of a registry with an empty database."""
    with empty_registry(tmp_path) as environment:
        yield {**environment, "DJANGO_SETTINGS_MODULE": "registry.settings"}


def run(
    environment: Mapping[str, str], program: str, *arguments: str
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.system
def test_migration_continues_after_being_killed(environment: Mapping[str, str]) -> None:
    for moment in MOMENTS:
        assert run(environment, MIGRATE, moment).returncode == -signal.SIGKILL
        problems = run(environment, PROBLEMS).stdout
        assert "not applied" in problems or "is missing" in problems, (moment, problems)
    done = run(environment, MIGRATE)
    assert done.returncode == 0, done.stderr
    assert run(environment, PROBLEMS).stdout == "[]\n"
    verify = [sys.executable, "manage.py", "verify", "--quiet"]
    subprocess.run(verify, cwd=ROOT, env={**os.environ, **environment}, check=True)
