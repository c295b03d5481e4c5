"""Full collections look at what is new. In processes of their own, whose objects are few."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT, environment_of

PROGRAM = """
import gc, weakref
from registry.server.garbage import ALL_AFTER, keep_collections_short

class Circle:
    def __init__(self):
        self.own = self

old = [[] for _ in range(100_000)]
keep_collections_short()
in_use = Circle()
is_alive = weakref.ref(in_use)
gc.collect()
del in_use
"""


def run(code: str) -> str:
    """Return what a program prints that goes on from here."""
    command = [sys.executable, "-c", PROGRAM + code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_what_was_there_is_not_looked_at_again() -> None:
    assert int(run("print(len(gc.get_objects()))")) < 1_000


def test_new_garbage_is_collected() -> None:
    code = "new = weakref.ref(Circle())\nassert new()\ngc.collect()\nprint(new())"
    assert run(code) == "None"


@pytest.mark.parametrize(
    ("collections", "kept"), [("ALL_AFTER - 2", "True"), ("ALL_AFTER", "False")]
)
def test_garbage_of_the_time_of_a_collection_waits_for_one_that_looks_at_all(
    collections: str, kept: str
) -> None:
    code = f"for _ in range({collections}): gc.collect()\nprint(is_alive() is not None)"
    assert run(code) == kept


def test_a_server_looks_at_few_objects_after_a_full_collection(tmp_path: Path) -> None:
    code = (
        "import gc, registry.server.process\ngc.collect()\n"
        "print(gc.isenabled(), gc.get_threshold()[2], len(gc.get_objects()) < 5_000)"
    )
    command, env = [sys.executable, "-c", code], environment_of(tmp_path)
    output = subprocess.check_output(command, text=True, cwd=ROOT, env=env)
    assert output.split() == ["True", "20", "True"]
