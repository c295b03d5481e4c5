"""What a process of the server does before its first request."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

START = """
import registry.rsgi
from registry.web.documents import library

assert library.pages.cache_info().currsize == 1
"""


def test_documents_are_parsed_before_the_first_request(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "registry.settings", "REGISTRY_VAR": str(tmp_path)}
    command = [sys.executable, "-c", START]
    subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=True, timeout=60)
