import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.processor_time import processor_time, report

ROOT = Path(__file__).parent.parent
TEST = """
import subprocess, sys, time
import pytest

BURN = "import time\\nwhile time.process_time() < 0.3: pass"


@pytest.fixture
def burnt():
    exec(BURN.replace("0.3", str(time.process_time() + 0.2)))


def test_own(burnt):
    pass


def test_children():
    subprocess.run([sys.executable, "-c", BURN], check=True)


def test_sleep():
    time.sleep(0.3)
"""


def test_time_of_files_tests_and_fixtures_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "times"
    (tmp_path / "test_three.py").write_text(TEST)
    run(tmp_path, "--processor-time", str(path))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    times = {(line["kind"], line["name"].rpartition("::")[2]): line for line in lines}
    assert times["setup", "test_own"]["own"] >= times["fixture", "burnt"]["own"] >= 0.2
    assert times["call", "test_children"]["children"] >= 0.25
    assert times["call", "test_sleep"]["own"] < 0.1


def test_nothing_is_recorded_without_the_option(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): ...")
    run(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["test_nothing.py"]


def run(folder: Path, *options: str) -> None:
    """Run the tests in a folder with the plugin."""
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--disable-plugin-autoload"]
    command += ["-p", "no:cacheprovider", "-p", "tests.processor_time", *options]
    subprocess.run([*command, "--rootdir", folder, folder], cwd=ROOT, check=True)


def test_sleeping_takes_no_processor_time() -> None:
    before = processor_time()
    time.sleep(0.2)
    assert sum(processor_time()) - sum(before) < 0.1


def test_report_sums_up_by_file_test_and_fixture() -> None:
    lines = [
        {"kind": "setup", "name": "tests/test_a.py::test_one[1]", "own": 1, "children": 0},
        {"kind": "call", "name": "tests/test_a.py::test_one[2]", "own": 1, "children": 2},
        {"kind": "call", "name": "tests/test_b.py::test_two", "own": 0, "children": 1},
        {"kind": "fixture", "name": "tests::server", "own": 0.5, "children": 0},
    ]
    words = report(map(json.dumps, lines)).split()
    for time_of, name in (
        ("4.00", "tests/test_a.py"),
        ("4.00", "tests/test_a.py::test_one"),
        ("1.00", "tests/test_b.py"),
        ("0.50", "tests::server"),
    ):
        assert words[words.index(name) - 1] == time_of
