"""Back up to a file while another process writes; run as a module."""

import os
import subprocess
import sys
from pathlib import Path

import django

from tests.patience import PATIENCE

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from registry.services.operations import backups  # noqa: E402 - after django.setup()

outputs: list[str] = []


def write(step: str, _done: int, _total: int) -> None:
    """Create an account and a namespace after the first rows were written to the file."""
    if not outputs:
        command = [sys.executable, "manage.py", "bootstrap", "bob", "globex"]
        outputs.append(subprocess.check_output(command, text=True, timeout=PATIENCE))


backups.back_up_to(Path(sys.argv[1]), write)
sys.stdout.writelines(outputs)
