"""An environment with the real TVM, apart from the registry's own and kept between runs.

    python -m tests.tvm.environment -- COMMAND ...

runs a command that finds TVM's interpreter in TVM_PYTHON. The environment lies in the user's cache,
so that every checkout and every run of CI shares it; its name holds a digest of all that it is made
from. Where the cache cannot be written to, it lies in the checkout. TVM_VENV names an environment
to take instead.
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
VARIABLE = "TVM_PYTHON"  # where the tests look for TVM's interpreter


def environment() -> Path:
    """The environment's folder; it is made where there is none yet."""
    if chosen := os.environ.get("TVM_VENV"):
        folder = Path(chosen).absolute()
        if not interpreter(folder).exists():
            sys.exit(f"TVM_VENV={chosen} is no environment: it has no bin/python.")
        return folder
    folder = shelf() / f"tvm-{fingerprint()}"
    if not folder.exists():
        say(f"installing {REQUIREMENTS.name} into {folder}; this takes a minute, once")
        start = time.monotonic()
        make(folder, REQUIREMENTS)
        say(f"installed in {time.monotonic() - start:.0f} s")
    return folder


def fingerprint() -> str:
    """What tells environments apart: what is installed, and which Python it is installed for."""
    parts = (REQUIREMENTS.read_text(), sys.version, sys.base_prefix)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def shelf() -> Path:
    """Where environments are kept: the user's cache, else a folder that git ignores."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = cache / "target-tag-registry"
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError):  # no home, or none of one's own
        folder = ROOT / ".venv-tvm"
        folder.mkdir(exist_ok=True)
    return folder


def make(folder: Path, requirements: Path) -> None:
    """Make an environment at once or not at all: under another name, then renamed.

    Its own programs still name the folder they were installed in; the interpreter does not.
    """
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="unfinished-") as work:
        made = Path(work) / "venv"
        venv.create(made, symlinks=True)
        pip = [sys.executable, "-m", "pip", "--python", str(interpreter(made))]
        options = [
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
            "--only-binary=:all:",
        ]
        subprocess.run([*pip, "install", *options, "--requirement", str(requirements)], check=True)
        try:
            made.rename(folder)
        except OSError:
            if not folder.exists():  # else another run was faster, and made the same
                raise


def interpreter(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / "bin" / "python"


def say(message: str) -> None:
    """Tell what takes time, ahead of what the command says."""
    print(f"TVM: {message}", flush=True)  # noqa: T201 - for who runs it


def main() -> None:
    if sys.argv[1:2] != ["--"] or len(sys.argv) < 3:
        sys.exit("usage: python -m tests.tvm.environment -- COMMAND ...")
    folder = environment()
    say(f"the environment is {folder}")
    command = sys.argv[2:]
    os.execvpe(  # noqa: S606 - the caller's own command
        command[0], command, os.environ | {VARIABLE: str(interpreter(folder))}
    )


if __name__ == "__main__":
    main()
