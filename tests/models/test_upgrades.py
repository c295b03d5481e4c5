"""A registry as an earlier release left it, migrated: as processes of their own."""

import subprocess
import sys
from pathlib import Path

from tests.services.races.conftest import empty_database

FIRST = "0001"  # what the first release to be landed had
BEFORE_PARTS = "0004"  # the last that found triples as a whole only

FORGET_PARTS = """
from registry.models import Attribute
Attribute.objects.filter(pointer__contains="/mtriple/").delete()
"""
FIND_PARTS = """
from registry.models import Attribute
print(Attribute.objects.filter(name="libc", text="musl").count())
"""


def manage(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_was_published_before_is_found_and_whole_after_migrating(tmp_path: Path) -> None:
    with empty_database("registry-upgraded", tmp_path) as environment:
        manage(environment, "load_catalogue")
        manage(environment, "migrate", "registry", FIRST, "--verbosity", "0")
        manage(environment, "migrate", "--verbosity", "0")
        assert "as they should be" in manage(environment, "verify")
        assert "nothing new" in manage(environment, "load_catalogue")


def test_parts_of_triples_are_found_after_migrating(tmp_path: Path) -> None:
    with empty_database("registry-parts", tmp_path) as environment:
        manage(environment, "load_catalogue")
        manage(environment, "migrate", "registry", BEFORE_PARTS, "--verbosity", "0")
        manage(environment, "shell", "--verbosity", "0", "--command", FORGET_PARTS)
        manage(environment, "migrate", "--verbosity", "0")
        assert int(manage(environment, "shell", "--verbosity", "0", "--command", FIND_PARTS)) > 0
        assert "as they should be" in manage(environment, "verify")
