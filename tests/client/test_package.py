"""The client as a package: installed, and without dependencies."""

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ttag
from tests.databases import ROOT
from tests.release.environments import install
from ttag.version import __version__

PACKAGE, RULES = (ROOT / "client" / name for name in ("ttag", "ttag_rules"))
COMPILERS = {"tvm": PACKAGE / "tvm"}  # imported only by the folder named after it
EXTRAS = {  # imported only where they are needed
    "cryptography": PACKAGE / "log" / "notes.py",
    "elftools": PACKAGE / "inspect" / "elf.py",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which uv has installed the client; not all environments have pip."""
    folder = tmp_path_factory.mktemp("installed")
    options = ("--no-build-isolation", "--no-deps", "--target", str(folder))
    install(Path(sys.executable), *options, str(ROOT / "client"))
    return folder


def run(folder: Path, *command: str | Path) -> str:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=folder, env=environment
    )
    return done.stdout


def test_command_is_installed(installed: Path) -> None:
    assert run(installed, installed / "bin" / "ttag", "--version") == f"ttag {__version__}\n"


def test_the_extra_tvm_is_the_tested_pair() -> None:
    """TVM's own requirements allow every later FFI, also one that crashes it."""
    pins = load_toml("pyproject.toml")["dependency-groups"]["tvm"]
    extra = load_toml("client/pyproject.toml")["project"]["optional-dependencies"]["tvm"]
    assert extra == [pin for pin in pins if pin.startswith("apache-tvm")]
    assert len(extra) == 2
    locked = (ROOT / "requirements-tvm.txt").read_text()
    assert all(f"\n{pin} \\\n" in locked for pin in extra)


def load_toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text())


def test_package_states_its_version_and_types(installed: Path) -> None:
    code = "import ttag, importlib.metadata as m; print(ttag.__version__ == m.version('ttag'))"
    assert run(installed, sys.executable, "-c", code) == "True\n"
    assert (installed / "ttag" / "py.typed").exists()


def test_every_public_name_is_found_where_the_package_says() -> None:
    assert {*ttag.__all__} == {*ttag.MODULES, "__version__"}
    assert all(getattr(ttag, name) is not None for name in ttag.__all__)
    assert {*ttag.__all__} <= {*dir(ttag)}
    with pytest.raises(AttributeError, match="has no attribute 'Regsitry'"):
        _ = ttag.Regsitry


def test_a_command_loads_no_other() -> None:
    code = (
        "import sys; from ttag.cli.main import commands; commands('resolve'); print(*sys.modules)"
    )
    loaded = run(PACKAGE.parent, sys.executable, "-c", code).split()
    assert "ttag.cli.resolve" in loaded
    assert not {"ttag.cli.lock", "ttag.records", "ttag.tvm"} & {*loaded}


def test_the_version_needs_no_project() -> None:
    code = (
        "import sys\n"
        "from ttag.cli.main import main\n"
        "try: main(['--version'])\n"
        "finally: print(*sys.modules)\n"
    )
    loaded = run(PACKAGE.parent, sys.executable, "-c", code).split()
    assert not {"ttag.project", "ttag.cli.resolve"} & {*loaded}


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_signal_while_the_command_is_loaded_ends_it_without_a_traceback(
    name: str, code: int
) -> None:
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in the background
        "from ttag.__main__ import run\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'ttag.cli.parser': os.kill(os.getpid(), signal.{name})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "--version"],
        check=False,
        capture_output=True,
        cwd=PACKAGE.parent,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_files_for_other_tools_are_installed(installed: Path) -> None:
    package = Path(run(installed, installed / "bin" / "ttag", "cmake").strip())
    assert (package / "TargetTagConfig.cmake").exists()
    assert "complete -o" in run(installed, installed / "bin" / "ttag", "completion", "bash")


def imports(path: Path) -> Iterator[str]:
    """Yield the top-level packages that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize(
    "path",
    sorted([*PACKAGE.rglob("*.py"), *RULES.rglob("*.py")]),
    ids=lambda path: str(path.relative_to(PACKAGE.parent)),
)
def test_module_needs_only_the_standard_library(path: Path) -> None:
    allowed = {"ttag_rules", *sys.stdlib_module_names}
    if path.is_relative_to(PACKAGE):
        allowed.add("ttag")
    allowed |= {
        name for name, folder in (COMPILERS | EXTRAS).items() if path.is_relative_to(folder)
    }
    assert set(imports(path)) <= allowed
