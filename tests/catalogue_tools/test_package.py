"""The tools need a checkout only, and the server does not need the tools."""

import os
import re
import subprocess
import sys

import pytest

from catalogue_tools.__main__ import main
from tests.databases import ROOT

IMPORT = re.compile(r"^\s*(?:from|import) catalogue_tools\b", re.MULTILINE)


@pytest.mark.system
def test_shipped_files_are_what_the_facts_give_without_settings_or_a_database() -> None:
    secrets = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "REGISTRY_CATALOGUE", "SECRET_KEY")
    environment = {name: value for name, value in os.environ.items() if name not in secrets}
    program = (
        "import sys; from catalogue_tools.__main__ import main; main(['generate', '--check']);"
        "assert not {'registry.settings', 'registry.models', 'django.db'} & sys.modules.keys()"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_server_imports_no_tool() -> None:
    files = [ROOT / "manage.py", *(ROOT / "registry").rglob("*.py")]
    assert not [path for path in files if IMPORT.search(path.read_text())]


@pytest.mark.parametrize("arguments", [[], ["generate_catalogue"], ["lock"], ["refresh", "acme"]])
def test_incomplete_command_prints_its_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m catalogue_tools")
