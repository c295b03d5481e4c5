"""Virtual environments for what a release installs, made with uv."""

import subprocess
import sys
from pathlib import Path

UV = str(Path(sys.executable).with_name("uv"))


def uv(*arguments: str) -> str:
    """Run uv, and return what it prints."""
    command = [UV, "--quiet", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def create_environment(folder: Path, interpreter: str = sys.executable) -> Path:
    """Return the Python of a new, empty environment."""
    uv("venv", "--clear", "--python", interpreter, str(folder))
    return folder / "bin" / "python"


def install(python: Path, *arguments: str) -> None:
    """Install into an environment."""
    uv("pip", "install", "--python", str(python), *arguments)


def program(python: Path, name: str) -> str:
    """Return the path of a program that an environment has."""
    return str(python.with_name(name))
