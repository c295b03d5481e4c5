"""An upgrade of a registry that an earlier release has filled."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.databases import ROOT, empty_registry

DOWNGRADE = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
call_command("migrate", verbosity=0)
call_command("load_catalogue", verbosity=0)
call_command("migrate", "registry", "0001", verbosity=0)
print(sorted(table for table in connection.introspection.table_names() if "gram" in table))
"""
SEARCH = """
import django
django.setup()
from registry.services.search.searching import SearchQuery, search
print(search(SearchQuery("rtx 4090")).entries[0].text)
"""

LOG = """
import django, json
django.setup()
from registry.models import Event, Version
from registry.services.core import checkpoints, event_tree
size = Event.objects.count()
leaves = [json.loads(leaf) for leaf in event_tree.leaves(0, size)]
print(checkpoints.newest().checkpoint.size == size == len(leaves))
print(all(leaf["backfilled"] for leaf in leaves))
print(Version.objects.filter(leaves=None).count())
"""


def test_migrating_the_first_release_builds_the_index_of_terms(tmp_path: Path) -> None:
    """Going back to the first migration leaves the rows that its release had written."""
    with empty_registry(tmp_path) as registry:
        environment = {**registry, "DJANGO_SETTINGS_MODULE": "registry.settings"}
        tables = output(environment, "-c", DOWNGRADE)
        assert tables.endswith("['registry_gram', 'registry_gramcount']\n")
        (tmp_path / "log-checkpoint").unlink()  # release 0.1 signed nothing
        output(environment, "manage.py", "migrate", "--verbosity=0")
        assert output(environment, "-c", SEARCH) == "nvidia/geforce-rtx-4090\n"
        assert output(environment, "-c", LOG) == "True\nTrue\n0\n"
        assert "no findings" in output(environment, "manage.py", "verify")


def output(environment: Mapping[str, str], *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
