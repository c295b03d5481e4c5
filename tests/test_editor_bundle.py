"""The bundles match the sources in editor/; checked without node."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EDITOR = ROOT / "editor"
STATIC = ROOT / "static" / "registry" / "js"
MAX_BYTES = {  # compressed
    "editor": 135_000,  # CodeMirror's view alone has 67,000
    "suggestions": 6_000,  # on every page
}
FREE_LICENCES = {"MIT", "ISC", "BSD-3-Clause", "Apache-2.0"}


every_bundle = pytest.mark.parametrize("name", MAX_BYTES)


def bundle(name: str) -> Path:
    return STATIC / f"{name}.js"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@every_bundle
def test_bundle_is_built_from_these_sources(name: str) -> None:
    names = ["build.js", "package-lock.json", "package.json"]
    names += [f"src/{path.name}" for path in (EDITOR / "src").iterdir()]
    lines = "".join(f"{path} {sha256((EDITOR / path).read_bytes())}\n" for path in sorted(names))
    first = bundle(name).read_text().partition("\n")[0]
    match = re.fullmatch(r"/\* make editor: ([0-9a-f]{64}); .*\*/", first)
    assert match is not None
    assert match[1] == sha256(lines.encode()), "the bundle is outdated: run `make editor`"


def test_lock_file_has_digests_and_no_hosts() -> None:
    text = (EDITOR / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert "://" not in text
    assert "resolved" not in text
    assert all("integrity" in package for name, package in packages.items() if name)


def test_versions_are_exact() -> None:
    manifest = json.loads((EDITOR / "package.json").read_text())
    versions = [*manifest["dependencies"].values(), *manifest["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


def test_every_bundled_package_has_its_licence() -> None:
    notices = "".join((STATIC / f"{name}.LICENSES.txt").read_text() for name in MAX_BYTES)
    locked = json.loads((EDITOR / "package-lock.json").read_text())["packages"]
    licences = dict(re.findall(r"^(\S+) [\d.]+ \((\S+)\)$", notices, re.MULTILINE))
    bundled = {
        name.removeprefix("node_modules/")
        for name, package in locked.items()
        if name and not package.get("dev")
    }
    assert set(licences) == bundled
    assert set(licences.values()) <= FREE_LICENCES


@pytest.mark.parametrize("forbidden", ["eval(", "new Function", "sourceMappingURL"])
@every_bundle
def test_bundle_complies_with_the_content_security_policy(forbidden: str, name: str) -> None:
    assert forbidden not in bundle(name).read_text()


@every_bundle
def test_bundle_size_is_limited(name: str) -> None:
    assert len(gzip.compress(bundle(name).read_bytes(), 9)) < MAX_BYTES[name]
