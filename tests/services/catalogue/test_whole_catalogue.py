"""The whole catalogue, generated tags included, loads into an empty registry."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from registry.services.core import shipped_facts
from tests.databases import new_registry

MANAGE = (sys.executable, "manage.py")
TIMEOUT = 300  # seconds


def run(environment: Mapping[str, str], command: str) -> str:
    """Run a command of manage.py with the whole catalogue; return its output."""
    process = subprocess.run(
        [*MANAGE, command],
        env={**environment, "REGISTRY_CATALOGUE": "all"},
        timeout=TIMEOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout


@pytest.mark.any_database
def test_everything_is_loaded_once_and_nothing_skipped(tmp_path: Path) -> None:
    versions = sum(len(tag.versions) for tag in shipped_facts.every_tag())
    with new_registry(tmp_path) as environment:
        output = run(environment, "load_catalogue")
        assert f" {versions} versions," in output
        assert "Skipped" not in output
        assert "Catalogue: nothing new." in run(environment, "load_catalogue")
