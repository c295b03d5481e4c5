"""The results of mutants, with runs of tests that are not run."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutation import __main__ as program
from tests.mutation.__main__ import Run, read_results, summary, write_results
from tests.mutation.mutants import ROOMS, Mutant

SOURCE = "def size():\n    return 1\n"
MUTANT = Mutant("registry/domain/a.py", 2, "size", "NumberReplacer", "    return 1", "    return 2")
PASSED, FAILED = Run("passed", 3), Run("failed", 2, "tests/domain/test_a.py::test_size")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout with one module, which has three groups of tests."""
    for room in ROOMS:
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / MUTANT.file).write_text(SOURCE)
    monkeypatch.setattr(program, "chunks", lambda _path: iter([["a"], ["b", "c"], ["d"]]))
    return tmp_path


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, root: Path) -> list[Run]:
    """Return the runs that come next; each must see the mutant."""
    upcoming: list[Run] = []

    def run(folder: Path, _tests: Sequence[str]) -> Run:
        assert (folder / MUTANT.file).read_text() == SOURCE.replace("1", "2")
        return upcoming.pop(0)

    monkeypatch.setattr(program, "run_tests", run)
    return upcoming


def test_first_failing_test_kills(root: Path, runs: list[Run]) -> None:
    runs += [PASSED, FAILED]
    assert program.test(MUTANT, root, limit=60) == {
        "outcome": "killed",
        "by": FAILED.failed,
        "files": 3,
        "seconds": 5,
    }


@pytest.mark.parametrize(("limit", "files"), [(60, 4), (3, 3), (0, 1)])
def test_mutant_survives_if_nothing_fails_within_the_limit(
    limit: float, files: int, root: Path, runs: list[Run]
) -> None:
    runs += [PASSED, PASSED, PASSED]
    result = program.test(MUTANT, root, limit)
    assert (result["outcome"], result["files"]) == ("survived", files)


@pytest.mark.parametrize(("outcome", "expected"), [("loop", "killed"), ("hang", "unknown")])
def test_only_a_loop_that_takes_processor_time_kills(
    outcome: str, expected: str, root: Path, runs: list[Run]
) -> None:
    runs.append(Run(outcome, 120))
    assert program.test(MUTANT, root, limit=60)["outcome"] == expected


def test_mutant_of_code_that_is_gone_runs_no_test(root: Path, runs: list[Run]) -> None:
    (root / MUTANT.file).write_text("")
    assert program.test(MUTANT, root, limit=60)["outcome"] == "gone"


def test_code_is_restored_and_stale_bytecode_forgotten(root: Path, runs: list[Run]) -> None:
    folder = root / "registry/domain/__pycache__"
    folder.mkdir()
    for name in ("a.cpython-311.pyc", "ab.cpython-311.pyc"):
        (folder / name).touch()
    runs.append(FAILED)
    program.test(MUTANT, root, limit=60)
    assert (root / MUTANT.file).read_text() == SOURCE
    assert [path.name for path in folder.iterdir()] == ["ab.cpython-311.pyc"]


def test_last_result_of_a_mutant_counts(tmp_path: Path) -> None:
    path = tmp_path / "results"
    assert read_results(path) == []
    survived = {"mutant": 0, "outcome": "survived", "limit": 1, "seconds": 2}
    killed = {"mutant": 0, "outcome": "killed", "limit": 60, "seconds": 3}
    write_results(path, [survived, {**killed, "mutant": 1}, killed])
    assert read_results(path) == [killed, {**killed, "mutant": 1}]
    assert summary(read_results(path)) == "2 of 600 mutants: 2 killed; 6 s"


def test_results_of_tests_that_fail_without_a_mutant_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "ROOT", tmp_path)
    results = tmp_path / "results"
    parameters = "import pytest\n@pytest.mark.parametrize('text', ['a b', 'c - d'])\n"
    tests = {"good": "def test_a(text): ...", "bad": "def test_a(text): assert text == 'a b'"}
    for name, text in tests.items():
        (tmp_path / f"test_{name}.py").write_text(parameters + text)
    write_results(
        results,
        [
            {"mutant": 0, "outcome": "killed", "by": "test_good.py::test_a", "seconds": 1},
            {"mutant": 1, "outcome": "killed", "by": "test_bad.py::test_a", "seconds": 1},
            {"mutant": 2, "outcome": "survived", "seconds": 1},
        ],
    )
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "pytest", "-c", "/dev/null", "--disable-plugin-autoload"]
    monkeypatch.setattr(program, "PYTEST", [*command, "--rootdir=.", "-p", "no:cacheprovider"])
    program.confirm(results)
    assert [result["mutant"] for result in read_results(results)] == [0, 2]
    assert "2 tests notice mutants, 1 of them fail" in capsys.readouterr().out


def test_nothing_is_confirmed_by_tests_that_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results"
    write_results(results, [{"mutant": 0, "by": "test_none.py::test_a", "seconds": 1}])
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program, "PYTEST", [sys.executable, "-m", "pytest", "-p", "no:django"])
    with pytest.raises(SystemExit, match="The tests did not run"):
        program.confirm(results)
