"""A virtual environment with the real TVM, kept between runs.

    python -m tests.tvm.environment -- COMMAND ...

runs a command with the path of TVM's interpreter in TVM_PYTHON. The environment is in the user's
cache, shared by all checkouts and CI runs; its name contains a digest of its requirements. If the
cache is not writable, the environment is in the checkout. TVM_VENV selects another environment.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
REQUIREMENTS = ROOT / "requirements-tvm.txt"
VARIABLE = "TVM_PYTHON"  # the path of TVM's interpreter


def environment() -> Path:
    """Return the environment's folder; install the environment if it does not exist."""
    folder = find()
    if not folder.exists():
        report(f"installing {REQUIREMENTS.name} into {folder}; this takes a minute, once")
        start = time.monotonic()
        install(folder, REQUIREMENTS)
        report(f"installed in {time.monotonic() - start:.0f} s")
    return folder


def find() -> Path:
    """Return the environment's folder, which may not exist yet."""
    if chosen := os.environ.get("TVM_VENV"):
        folder = Path(chosen).absolute()
        if not interpreter(folder).exists():
            sys.exit(f"TVM_VENV={chosen} is not an environment: it has no bin/python.")
        return folder
    return cache_folder() / f"tvm-{fingerprint()}"


def fingerprint() -> str:
    """Return a digest of the requirements and the Python version."""
    parts = (REQUIREMENTS.read_text(), sys.version, sys.base_prefix)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of environments: in the user's cache, or else in the checkout."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = cache / "target-tag-registry"
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError):  # no home folder, or not writable
        folder = ROOT / ".venv-tvm"
        folder.mkdir(exist_ok=True)
    return folder


def install(folder: Path, requirements: Path) -> None:
    """Install an environment atomically: under another name, then rename it.

    Its scripts still contain the old path; its interpreter does not.
    """
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="unfinished-") as work:
        new_folder = Path(work) / "venv"
        venv.create(new_folder, symlinks=True)
        pip = [sys.executable, "-m", "pip", "--python", str(interpreter(new_folder))]
        options = [
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
            "--only-binary=:all:",
        ]
        subprocess.run([*pip, "install", *options, "--requirement", str(requirements)], check=True)
        try:
            new_folder.rename(folder)
        except OSError:
            if not folder.exists():  # otherwise a concurrent run has installed the same
                raise


def interpreter(folder: Path) -> Path:
    """Return the path of an environment's interpreter."""
    return folder / "bin" / "python"


def report(message: str) -> None:
    """Print a progress message before the command runs."""
    print(f"TVM: {message}", flush=True)  # noqa: T201 - a command line program


def main() -> None:
    if sys.argv[1:2] != ["--"] or len(sys.argv) < 3:
        sys.exit("usage: python -m tests.tvm.environment -- COMMAND ...")
    folder = environment()
    report(f"the environment is {folder}")
    command = sys.argv[2:]
    os.execvpe(  # noqa: S606 - the caller's own command
        command[0], command, os.environ | {VARIABLE: str(interpreter(folder))}
    )


if __name__ == "__main__":
    main()
