"""Environments with other releases of TVM and IREE than that of the tests, kept between runs."""

import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

from tests.compilers import tools
from tests.tvm.environment import cache_folder, interpreter, report

TVM, IREE = "apache-tvm", "iree-base-compiler"
FFI = "apache-tvm-ffi"
LEAST = (">=", "==", "~=")


def installed(package: str, version: str) -> Path:
    """Return the folder of an environment with this release; install it if there is none."""
    folder = (
        cache_folder() / f"{package}-{version}-{sys.version_info.major}{sys.version_info.minor}"
    )
    if not folder.exists():
        report(f"installing {package} {version} into {folder}")
        with TemporaryDirectory(dir=folder.parent, prefix="unfinished-") as work:
            new_folder = Path(work) / "venv"
            venv.create(new_folder, symlinks=True)
            _pip(new_folder, f"{package}=={version}", "numpy")
            if package == TVM:
                _pip(new_folder, _least_ffi(new_folder))
            new_folder.rename(folder)
    return folder


def iree_compile(folder: Path) -> str:
    """Return the path of IREE's compiler in an environment."""
    code = "from iree.compiler.tools import binaries; print(binaries.find_tool('iree-compile'))"
    return tools.run(str(interpreter(folder)), "-c", code).strip()


def _pip(folder: Path, *requirements: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", str(interpreter(folder)), "install"]
    options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    if subprocess.run([*command, *options, *requirements], check=False).returncode:
        sys.exit(f"{', '.join(requirements)}: not installed; see above")


def _least_ffi(folder: Path) -> str:
    """Return the oldest FFI that a TVM admits: newer ones lack symbols, or crash it."""
    (path,) = folder.glob("lib/*/site-packages/apache_tvm-*.dist-info")
    for text in metadata.Distribution.at(path).requires or ():
        requirement = Requirement(text)
        for bound in requirement.specifier:
            if requirement.name.replace("_", "-") == FFI and bound.operator in LEAST:
                return f"{FFI}=={bound.version}"
    sys.exit(f"{path.name} names no oldest {FFI}")
