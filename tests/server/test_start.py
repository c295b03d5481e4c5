"""A process of the server is ready before its first request."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

DOCUMENTS_ARE_PARSED = """
from registry.web.documents import library

assert library.pages.cache_info().currsize == 1
"""
NAMES_OF_MACHINES_ARE_READ = """
from registry.services.core import shipped_facts

assert shipped_facts.machine_names.cache_info().currsize == 1
"""
PAGES_ARE_IMPORTED = """
import sys

assert "registry.urls" in sys.modules
"""
GARBAGE_IS_SOUGHT_AMONG_NEW_OBJECTS = """
import gc

assert gc.isenabled()
assert gc.get_freeze_count() > 10 * len(gc.get_objects())
"""


@pytest.mark.parametrize(
    "statement",
    [
        DOCUMENTS_ARE_PARSED,
        NAMES_OF_MACHINES_ARE_READ,
        PAGES_ARE_IMPORTED,
        GARBAGE_IS_SOUGHT_AMONG_NEW_OBJECTS,
    ],
)
def test_process_is_prepared_before_the_first_request(statement: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "registry.settings", "REGISTRY_VAR": str(tmp_path)}
    command = [sys.executable, "-c", f"import registry.server.process\n{statement}"]
    subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=True, timeout=60)
