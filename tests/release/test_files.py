"""The wheel of the registry has what a checkout has beside the package, and no more."""

import os
import subprocess
import sys
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from registry import site_files
from tests.databases import ROOT
from tests.patience import PATIENCE
from tests.release.__main__ import build, find_files
from ttag.version import __version__

BESIDE = ("templates", "static", "docs", "client/ttag", "client/ttag_rules")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*command, folder], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)
    (file,) = folder.iterdir()
    return ZipFile(file)


def metadata(wheel: ZipFile) -> Message:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return message_from_bytes(wheel.read(name))


def tracked(folder: str) -> set[str]:
    """Return the files below a folder that git tracks, relative to it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    return {os.path.relpath(name, folder) for name in names}


@pytest.mark.parametrize("folder", BESIDE)
def test_wheel_has_every_file_of_the_site(wheel: ZipFile, folder: str) -> None:
    prefix = f"registry/site/{folder}/"
    held = {name.removeprefix(prefix) for name in wheel.namelist() if name.startswith(prefix)}
    assert held == tracked(folder)


def test_wheel_has_every_file_of_the_package(wheel: ZipFile) -> None:
    names = {name for name in wheel.namelist() if name.startswith("registry/")}
    package = {
        name.removeprefix("registry/") for name in names if not name.startswith("registry/site/")
    }
    assert package == tracked("registry")
    assert {"catalogue/lock.json", "migrations/__init__.py"} <= package


def test_wheel_has_nothing_of_developers(wheel: ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert tops == {"registry", f"target_tag_registry-{__version__}.dist-info"}
    assert not [name for name in wheel.namelist() if name.endswith(".pyc")]


def test_wheel_states_the_version_and_its_command(wheel: ZipFile) -> None:
    assert metadata(wheel)["Version"] == __version__
    (name,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert b"target-tag-registry = registry.command_line:main" in wheel.read(name)


def test_files_of_a_checkout_are_beside_the_package() -> None:
    assert not site_files.IS_INSTALLED
    assert site_files.BASE_DIR == ROOT
    assert site_files.DEFAULT_VAR == ROOT / "var"
    assert (site_files.CLIENT / "ttag" / "version.py").exists()


def test_building_removes_older_files_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.release.__main__.uv", lambda *arguments: "")
    for name in ("thesis.txt", "ttag-0.0.1-py3-none-any.whl", "target_tag_registry-0.0.1.tar.gz"):
        (tmp_path / name).touch()
    assert len(find_files(tmp_path)) == 2
    assert build(tmp_path) == {"target_tag_registry": [], "ttag": []}
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]
