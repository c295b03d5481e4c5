"""A registry of release 0.1, which had the first migration only, becomes one of this release."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.conf import settings

from tests.databases import new_registry
from tests.patience import PATIENCE

DOWNGRADE = """
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from registry.models import Attribute

Attribute.objects.filter(name="year").delete()  # which that release did not index
MigrationExecutor(connection).migrate([("registry", "0001_initial")])
tables = connection.introspection.table_names()
assert "registry_gram" in tables and "registry_posting" not in tables
"""
SEARCH = """
import json
from registry.models import Version
from registry.services.search.query_parameters import parse_query
from registry.services.search import deadlines, searching
from django.http import QueryDict

deadlines.MAX_SECONDS = 60  # of a search on a busy machine
queries = {queries}
results = [searching.search(parse_query(QueryDict(query))) for query in queries]
print(json.dumps([Version.objects.count(), *(result.entries[0].text for result in results)]))
"""
HITS = {  # what the index of release 0.1 did not have: the first hit
    "q=cortex-m7": "arm/soc",  # a processor
    "q=sm_89+4090": "nvidia/geforce-rtx-4090",  # an architecture and a part of the name
    "q=nvida+jetsn+orin": "nvidia/jetson-orin-nano",  # typos in several words
    "year=2015": "aws/c4",  # a year
}


def run_shell(environment: Mapping[str, str], script: str) -> str:
    """Run Python with the registry's settings; return what it prints."""
    return run_manage(environment, "shell", "--no-imports", "--command", script)


def run_manage(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    finished = subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env=environment,
        check=True,
        timeout=PATIENCE,
        stdout=-1,
        text=True,
    )
    return finished.stdout


@pytest.mark.system
def test_tags_of_release_0_1_are_found_by_the_terms_of_this_release(tmp_path: Path) -> None:
    search = SEARCH.format(queries=json.dumps([*HITS]))
    with new_registry(tmp_path, loaded=True) as environment:
        before = json.loads(run_shell(environment, search))
        run_shell(environment, DOWNGRADE)
        run_manage(environment, "migrate", "--verbosity=0")
        after = json.loads(run_shell(environment, search))
    assert after == before
    assert after[1:] == [*HITS.values()]
