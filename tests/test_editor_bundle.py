"""The editor's bundle matches the sources in editor/; checked without node."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EDITOR = ROOT / "editor"
STATIC = ROOT / "static" / "registry" / "js"
BUNDLE = STATIC / "editor.js"
MAX_BYTES = 135_000  # compressed; CodeMirror's view alone has 67,000
FREE_LICENCES = {"MIT", "ISC", "BSD-3-Clause", "Apache-2.0"}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_bundle_is_built_from_these_sources() -> None:
    names = ["build.js", "package-lock.json", "package.json"]
    names += [f"src/{path.name}" for path in (EDITOR / "src").iterdir()]
    lines = "".join(f"{name} {sha256((EDITOR / name).read_bytes())}\n" for name in sorted(names))
    first = BUNDLE.read_text().partition("\n")[0]
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
    notices = (STATIC / "editor.LICENSES.txt").read_text()
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
def test_bundle_complies_with_the_content_security_policy(forbidden: str) -> None:
    assert forbidden not in BUNDLE.read_text()


def test_bundle_size_is_limited() -> None:
    assert len(gzip.compress(BUNDLE.read_bytes(), 9)) < MAX_BYTES
