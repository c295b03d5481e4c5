"""Orders test files by how closely they test a source file.

Closest are those named after it, `tests/services/versions/test_yanking.py` for
`registry/services/versions/yanking.py`. Then come those that import it, directly or by way of other
modules, and those in a folder of the same name, which may call it by way of requests: tests of
`registry/api/versions` for `registry/services/versions`. A command, which no module imports, is as
close to tests that have its name in quotes as to those that import it.
"""

import sys
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from pathlib import Path

import grimp

from tests.slow_files import SLOWEST

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "registry": "registry",
    "tests": "tests",
    "client/ttag": "ttag",
    "client/ttag_rules": "ttag_rules",
}
COMMANDS = ("ttag.cli.", "registry.management.commands.")
OTHER_ENVIRONMENT = "tests/tvm/"
OTHER_DATABASE = "_postgresql.py"  # quick runs, and those of mutants, use SQLite
# Ranks: of importers twice the length of the chain of imports, and one more in other layers.
NAMED, IMPORTING, RELATED, FAR = 0, 2, 5, 99


def ranks(*paths: str) -> dict[str, int]:
    """Return the lowest rank of each test file for some files of the repository."""
    lowest: dict[str, int] = {}
    for path in paths:
        for test, rank in _ranks(path).items():
            lowest[test] = min(rank, lowest.get(test, FAR))
    return lowest


def groups(ranked: Mapping[str, int]) -> list[list[str]]:
    """Return the test files of each rank, the closest first, and slow ones last."""

    def place(test: str) -> tuple[bool, int]:
        return test.startswith(SLOWEST), ranked[test]

    return [list(tests) for _, tests in groupby(sorted(sorted(ranked), key=place), place)]


def _ranks(path: str) -> dict[str, int]:
    name, source = _module(path), Path(path)
    distances = _distances(name) if name else {}
    ranked = {
        test: IMPORTING * distance + (_layer(test) != _layer(path))
        for test, distance in distances.items()
    }
    for test in _test_files():
        if test == path or _is_named_after(source, test):
            ranked[test] = NAMED
        elif source.parent.name and source.parent.name == Path(test).parent.name:
            ranked[test] = min(RELATED, ranked.get(test, FAR))
    return ranked


def _is_named_after(source: Path, test: str) -> bool:
    """Return whether a test has the name of a source file, in the mirrored folder or above."""
    stem = source.parent.name if source.stem == "__init__" else source.stem.strip("_")
    mirrored = Path("tests", *source.parent.parts[1:])
    if source.parts[:2] == ("client", "ttag"):
        mirrored = Path("tests/client", *source.parent.parts[2:])
    if source.parts[:2] == ("client", "ttag_rules"):
        mirrored = Path("tests/rules", *source.parent.parts[2:])
    name = Path(test).stem
    return mirrored.is_relative_to(Path(test).parent) and f"{name}_".startswith(f"test_{stem}_")


def _layer(path: str) -> str:
    """Return the layer of a file, or of what a test tests."""
    folder, _, rest = path.partition("/")
    return folder if folder == "client" else rest.partition("/")[0]


def _module(path: str) -> str:
    """Return the name of the module in a file, or nothing if it is none that tests import."""
    for folder, package in PACKAGES.items():
        if path.startswith(f"{folder}/") and path.endswith(".py"):
            parts = [package, *Path(path).relative_to(folder).with_suffix("").parts]
            return ".".join(parts).removesuffix(".__init__")
    return ""


def _distances(module: str) -> dict[str, int]:
    """Return how many imports lead from each test file to a module, if any do."""
    distances, distance, edge = {module: 0}, 0, {module} & _graph().modules
    while edge:
        distance += 1
        importers = set[str]().union(*map(_importers, edge))
        edge = importers - distances.keys()
        distances |= dict.fromkeys(edge, distance)
    return {test: distances[name] for test in _test_files() if (name := _module(test)) in distances}


def _importers(module: str) -> set[str]:
    importers = _graph().find_modules_that_directly_import(module)
    if importers or not module.startswith(COMMANDS):
        return importers
    name = module.rpartition(".")[2]
    quoted = (f'"{name}"', f'"{name.replace("_", "-")}"')
    return {_module(test) for test in _test_files() if any(each in _text(test) for each in quoted)}


@cache
def _text(test: str) -> str:
    return (ROOT / test).read_text()


@cache
def _graph() -> grimp.ImportGraph:
    sys.path.insert(0, str(ROOT / "client"))  # as `pythonpath` of pytest
    return grimp.build_graph(*PACKAGES.values(), cache_dir=None)


@cache
def _test_files() -> tuple[str, ...]:
    files = (str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))
    here = (file for file in files if not file.startswith(OTHER_ENVIRONMENT))
    return tuple(sorted(file for file in here if not file.endswith(OTHER_DATABASE)))
