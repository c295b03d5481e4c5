"""Tests the client and the domain on every Python that is installed, and checks the others.

    python -m tests.release.pythons [--list]

A Python that pyproject.toml names and that is not installed is checked with its types and syntax by
mypy, and by whether the locked requirements have wheels for it.
"""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.databases import ROOT
from tests.release.__main__ import write_line
from tests.release.environments import UV, create_environment, install, uv

TESTS = ("tests/client", "tests/domain", "tests/rules")
CHECKED = ("client/ttag", "client/ttag_rules", "registry/domain")
REQUIREMENTS, DEV_REQUIREMENTS = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
CLASSIFIER = "Programming Language :: Python :: 3."
ENVIRONMENTS = ROOT / "var/pythons"


def main() -> int:
    """Test or check each Python. Return 1 if one of them fails, after all were tried."""
    installed = installed_pythons()
    failed = []
    for version in supported_pythons():
        interpreter = installed.get(version)
        write_line(f"=== Python {version}: {interpreter or 'not installed'} ===")
        if "--list" in sys.argv[1:]:
            continue
        if not (run_tests(version, interpreter) if interpreter else check(version)):
            failed.append(version)
    if failed:
        write_line(f"Failed: Python {', '.join(failed)}.")
    return 1 if failed else 0


def supported_pythons() -> list[str]:
    """Return the versions that pyproject.toml names, such as `3.11`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [name for name in project["classifiers"] if name.startswith(CLASSIFIER)]
    return [name.rpartition(" ")[2] for name in names]


def installed_pythons() -> dict[str, str]:
    """Return an interpreter for each version that is installed, on the path or by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [os.environ["PATH"], *(map(str, sorted(pyenv.glob("versions/*/bin"))))]
    found = subprocess.run(
        [
            UV,
            "python",
            "list",
            "--only-installed",
            "--no-managed-python",
            "--output-format",
            "json",
        ],
        env=os.environ | {"PATH": os.pathsep.join(folders)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # about Pythons that are older than those it knows
        check=True,
    )
    interpreters: dict[str, str] = {}
    for each in json.loads(found.stdout):
        if each["implementation"] == "cpython":
            parts = each["version_parts"]
            interpreters.setdefault(f"{parts['major']}.{parts['minor']}", each["path"])
    return interpreters


def run_tests(version: str, interpreter: str) -> bool:
    """Return whether the tests pass, in an environment with the locked test requirements."""
    python = create_environment(ENVIRONMENTS / version, interpreter)
    install(python, "--require-hashes", "--requirement", str(DEV_REQUIREMENTS))
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def check(version: str) -> bool:
    """Return whether mypy finds nothing, and every locked requirement has a wheel."""
    mypy = [sys.executable, "-m", "mypy", "--python-version", version, *CHECKED]
    is_typed = subprocess.run(mypy, cwd=ROOT, check=False).returncode == 0
    try:
        uv(
            "pip",
            "install",
            "--dry-run",
            "--only-binary",
            ":all:",
            "--python-version",
            version,
            "--target",
            str(ENVIRONMENTS / version),
            "--requirement",
            str(REQUIREMENTS),
        )
    except subprocess.CalledProcessError:
        return False
    return is_typed


if __name__ == "__main__":
    sys.exit(main())
