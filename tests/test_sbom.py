"""The bills of materials of a release, compared with the lock files they are made from."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import sbom
from tests.databases import ROOT
from ttag.version import __version__

REQUIREMENTS = (ROOT / "requirements.txt").read_text()
PROJECT: Any = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MODULES: Any = json.loads((ROOT / "editor/package-lock.json").read_text())["packages"]
REGISTRY, CLIENT = sbom.documents().values()
COMPONENTS = {component["purl"]: component for component in REGISTRY["components"]}
NEEDS = {row["ref"]: row["dependsOn"] for row in REGISTRY["dependencies"]}
ITSELF = f"pkg:generic/target-tag-registry@{__version__}"
BLOCK = """{pin} \\
    --hash=sha256:{digest}
    # via
    #   target-tag-registry (pyproject.toml)
    #   other
"""


def names(purls: list[str], ecosystem: str) -> set[str]:
    prefix = f"pkg:{ecosystem}/"
    return {
        purl.removeprefix(prefix).rpartition("@")[0] for purl in purls if purl.startswith(prefix)
    }


def test_every_pin_and_every_hash_of_the_requirements_is_listed() -> None:
    pins = re.findall(r"^([\w-]+)(?:\[.*?\])?==([\w.]+)", REQUIREMENTS, re.MULTILINE)
    assert {purl for purl in COMPONENTS if purl.startswith("pkg:pypi/")} == {
        f"pkg:pypi/{name}@{version}" for name, version in pins
    }
    hashes = [
        digest["content"]
        for component in COMPONENTS.values()
        for digest in component["externalReferences"][0]["hashes"]
        if digest["alg"] == "SHA-256"
    ]
    assert sorted(hashes) == sorted(re.findall(r"sha256:(\w+)", REQUIREMENTS))


def test_packages_in_bundles_are_listed_and_those_that_only_build_them_are_not() -> None:
    shipped = {path for path, module in MODULES.items() if path and not module.get("dev")}
    expected = {path.removeprefix("node_modules/").replace("@", "%40") for path in shipped}
    assert names(list(COMPONENTS), "npm") == expected
    assert not any("esbuild" in purl for purl in COMPONENTS)
    for purl in COMPONENTS:
        if purl.startswith("pkg:npm/"):
            (digest,) = COMPONENTS[purl]["externalReferences"][0]["hashes"]
            assert (digest["alg"], len(digest["content"])) == ("SHA-512", 128)


def test_the_registry_needs_what_its_projects_name() -> None:
    direct = {re.split(r"[\[=]", text)[0] for text in PROJECT["dependencies"]}
    assert names(NEEDS[ITSELF], "pypi") == direct
    expected = {name.replace("@", "%40") for name in MODULES[""]["dependencies"]}
    assert names(NEEDS[ITSELF], "npm") == expected


def test_every_component_is_needed_by_another_or_by_the_registry() -> None:
    needed, waiting = set[str](), [ITSELF]
    while waiting:
        ref = waiting.pop()
        if ref not in needed:
            needed.add(ref)
            waiting += NEEDS[ref]
    assert needed == NEEDS.keys() == {ITSELF, *COMPONENTS}


def test_the_client_needs_nothing() -> None:
    project = tomllib.loads((ROOT / "client/pyproject.toml").read_text())["project"]
    assert project["dependencies"] == CLIENT["components"] == []
    assert CLIENT["metadata"]["component"]["version"] == __version__
    assert CLIENT["dependencies"] == [{"ref": f"pkg:generic/ttag@{__version__}", "dependsOn": []}]


def test_a_pin_keeps_its_marker_and_loses_its_extras() -> None:
    pin = "psycopg[binary,pool]==3.3.9 ; sys_platform == 'linux'"
    text = f"# made by uv\n{BLOCK.format(pin=pin, digest='a' * 64)}"
    (package,) = sbom.read_requirements(text)
    assert (package.name, package.version) == ("psycopg", "3.3.9")
    assert package.marker == "sys_platform == 'linux'"
    assert package.digests == (("SHA-256", "a" * 64),)
    assert package.needed_by == {"target-tag-registry", "other"}


@pytest.mark.parametrize("pin", ["django>=5", "django==5.2", "django @ https://example.org/a.zip"])
def test_a_line_that_is_no_pin_with_hashes_is_an_error(pin: str) -> None:
    with pytest.raises(ValueError, match="is not a pin with hashes"):
        sbom.read_requirements(f"{pin}\n")


def test_make_writes_the_same_files_every_time(tmp_path: Path) -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("not installed: make")
    for folder in ("a", "b"):
        command = [make, "sbom", f"SBOM={tmp_path / folder}", f"VENV={sys.prefix}"]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    files = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    assert files.keys() == {f"{name}-{__version__}.cdx.json" for name in (sbom.ITSELF, "ttag")}
    assert {json.loads(text)["specVersion"] for text in files.values()} == {"1.6"}
