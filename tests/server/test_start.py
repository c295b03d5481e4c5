"""A process of the server is ready before its first request."""

import json
import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tests.patience import PATIENCE

STATE = """
import gc, json, sys

import registry.server.process
from registry.services.core import shipped_facts
from registry.web.documents import library

print(json.dumps({
    "documents are parsed": library.pages.cache_info().currsize == 1,
    "names of machines are read": shipped_facts.machine_names.cache_info().currsize == 1,
    "pages are imported": "registry.urls" in sys.modules,
    "garbage is sought": gc.isenabled(),
    "among new objects only": gc.get_freeze_count() > 10 * len(gc.get_objects()),
}))
"""


def test_process_is_prepared_before_the_first_request(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "registry.settings", "REGISTRY_VAR": str(tmp_path)}
    command = [sys.executable, "-c", STATE]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, check=True, timeout=PATIENCE, stdout=-1
    )
    state = json.loads(done.stdout)
    assert [name for name, is_so in state.items() if not is_so] == []
