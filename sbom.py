"""Write the software bills of materials of a release, in CycloneDX 1.6, from the lock files.

    python sbom.py FOLDER

The registry's has the packages of `requirements.txt` and those in the scripts of `editor`; the
client's has the client alone, which needs nothing. The same lock files give the same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parent
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([^ ;]+)(?: ; ([^\\]+?))? \\$")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
NEEDED_BY = re.compile(r"^    #(?: via|  ) +(\S+)")
ITSELF = "target-tag-registry"  # what needs a package that pyproject.toml names
NODE_MODULES = "node_modules/"


@dataclass(frozen=True, slots=True)
class Package:
    """A locked package: the digests of its files, and the names of the packages that need it."""

    name: str
    version: str
    purl: str  # github.com/package-url/purl-spec
    digests: tuple[tuple[str, str], ...]  # algorithm and hexadecimal digits
    needed_by: frozenset[str]
    marker: str = ""  # where it is installed, if not everywhere


def read_requirements(text: str) -> list[Package]:
    """Return the packages of a requirements file that uv has written with hashes."""
    packages = []
    for block in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE):
        first, *lines = block.splitlines() or [""]
        if not first or first.startswith("#"):  # the head of the file
            continue
        match = PIN.match(first)
        if match is None:
            raise ValueError(f"{first!r} is not a pin with hashes")
        name, version, marker = match.groups(default="")
        needed_by = {found[1] for line in lines if (found := NEEDED_BY.match(line))}
        digests = tuple(("SHA-256", digest) for digest in HASH.findall(block))
        purl = f"pkg:pypi/{name}@{version}"
        packages.append(Package(name, version, purl, digests, frozenset(needed_by), marker))
    return packages


def read_package_lock(text: str) -> list[Package]:
    """Return the packages of npm's lock file that end in bundles: all but those of the build."""
    modules: dict[str, Any] = json.loads(text)["packages"]
    shipped = {path: module for path, module in modules.items() if not module.get("dev")}
    packages = []
    for path, module in shipped.items():
        if path:
            name = path.rpartition(NODE_MODULES)[2]
            needed_by = frozenset(
                other.rpartition(NODE_MODULES)[2] or ITSELF
                for other, needing in shipped.items()
                if name in needing.get("dependencies", {})
            )
            algorithm, _, digest = module["integrity"].partition("-")
            digests = ((algorithm.replace("sha", "SHA-"), base64.b64decode(digest).hex()),)
            purl = f"pkg:npm/{quote(name, safe='/')}@{module['version']}"
            packages.append(Package(name, module["version"], purl, digests, needed_by))
    return packages


def document(
    name: str, version: str, description: str, packages: Iterable[Package]
) -> dict[str, Any]:
    """Return the bill of materials of an application with these packages."""
    packages = sorted(packages, key=lambda package: package.purl)
    itself = f"pkg:generic/{name}@{version}"
    root = {
        "type": "application",
        "bom-ref": itself,
        "name": name,
        "version": version,
        "description": description,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "purl": itself,
    }
    purls = {ITSELF: itself} | {package.name: package.purl for package in packages}
    needs: dict[str, list[str]] = {purl: [] for purl in purls.values()}
    for package in packages:
        for other in package.needed_by:
            needs[purls[other]].append(package.purl)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": root},
        "components": [_component(package) for package in packages],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(purls)} for ref, purls in sorted(needs.items())
        ],
    }


def _component(package: Package) -> dict[str, Any]:
    files = {
        "type": "distribution",
        "url": package.purl,
        "comment": "a digest for each file of the release that may be installed",
        "hashes": [{"alg": name, "content": digest} for name, digest in package.digests],
    }
    component = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "externalReferences": [files],
    }
    if package.marker:
        component["properties"] = [{"name": "python:marker", "value": package.marker}]
    return component


def documents() -> Mapping[str, dict[str, Any]]:
    """Return the bills of materials of the registry and of the client, by file name."""
    match = VERSION.search((ROOT / "client/ttag/version.py").read_text())
    assert match  # noqa: S101 - a test compares it with the changelog
    version = match[1]
    packages = read_requirements((ROOT / "requirements.txt").read_text())
    packages += read_package_lock((ROOT / "editor/package-lock.json").read_text())
    registry = document(ITSELF, version, "A web registry of compile targets", packages)
    client = document("ttag", version, "The client of the registry, for builds", [])
    return {f"{ITSELF}-{version}.cdx.json": registry, f"ttag-{version}.cdx.json": client}


def main() -> None:
    """Write the files into the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit("usage: python sbom.py FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in documents().items():
        (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
