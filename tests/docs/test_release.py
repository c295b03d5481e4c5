"""One version: the registry, the client and the documents have that of the newest release."""

import re
import tomllib
from typing import Any

import pytest

from registry.services.catalogue import lock
from tests.databases import ROOT
from ttag.version import __version__

RELEASES = [release.name for release in lock.read_lock().releases]
VERSION_FILE = "client/ttag/version.py"
README = (ROOT / "README.md").read_text()
RECIPE = (ROOT / "docs/releasing.md").read_text()


def test_the_version_is_that_of_the_newest_release() -> None:
    """A release is named 0.2 or, if it only corrects 0.2, 0.2.1."""
    newest = RELEASES[-1]
    assert __version__ == (newest if newest.count(".") == 2 else f"{newest}.0")


def test_the_changelog_has_the_releases_of_the_lock() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert [heading for heading in headings if heading != "Unreleased"] == RELEASES[::-1]


def test_the_readme_has_the_newest_release() -> None:
    assert re.findall(r"^## Status\n\nVersion (\S+)\.", README, re.MULTILINE) == [RELEASES[-1]]


@pytest.mark.parametrize("path", ["pyproject.toml", "client/pyproject.toml"])
def test_packages_read_the_version(path: str) -> None:
    project: dict[str, Any] = tomllib.loads((ROOT / path).read_text())["project"]
    assert project["dynamic"] == ["version"]
    assert "version" not in project


def test_no_other_file_of_the_client_states_the_version() -> None:
    pattern = re.compile(rf"(?<![\d.]){re.escape(__version__)}(?![\d.])")
    suffixes = {".py", ".toml", ".cmake", ".yml", ".md"}
    client = [path for path in (ROOT / "client").rglob("*") if path.suffix in suffixes]
    paths = [
        path for path in (ROOT / "pyproject.toml", *client) if pattern.search(path.read_text())
    ]
    assert paths == [ROOT / VERSION_FILE]


def test_the_recipe_names_every_file_that_has_the_version() -> None:
    for name in (VERSION_FILE, "README.md", "catalogue_tools lock"):
        assert name in RECIPE
