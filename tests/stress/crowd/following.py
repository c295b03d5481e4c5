"""A mirror that follows a registry, and how far behind its publications it is."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Thread
from typing import NamedTuple

from tests.serving import ROOT
from tests.stress.records import Action, Records

NAMESPACE = "stress"  # of the publications; a copy of all tags would take longer than the run
PUBLISHED = re.compile(r"event \d+: version\.published (\S+)")
CATCHING_UP = 10  # seconds after the last publication
END = 30  # seconds for the command to end

Applied = dict[str, float]  # when the mirror had each version


class Behind(NamedTuple):
    """The seconds from the acknowledgement of versions until the mirror had them."""

    median: float
    longest: float
    missing: int  # versions that it never had


@contextmanager
def follow(folder: Path, port: int) -> Iterator[Applied]:
    """Follow the registry on a port for a block, and for some seconds more."""
    applied: Applied = {}
    command = [sys.executable, "-m", "ttag", "mirror", "mirror", "--namespace", NAMESPACE]
    with subprocess.Popen(
        [*command, "--follow"],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(ROOT / "client"), "TTAG_REGISTRY": f"http://127.0.0.1:{port}"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        reader = Thread(target=_read, args=(process, applied))
        reader.start()
        try:
            yield applied
            time.sleep(CATCHING_UP)
        finally:
            process.terminate()
            reader.join(END)
            process.kill()


def _read(process: subprocess.Popen[str], applied: Applied) -> None:
    assert process.stdout
    for line in process.stdout:
        if found := PUBLISHED.match(line):
            applied[found[1]] = time.monotonic()


def behind(records: Records, applied: Mapping[str, float]) -> Behind:
    """Return how far behind a mirror was."""
    acknowledged = {
        outcome.result: outcome.received for _, outcome in records.acknowledged(Action.PUBLISH)
    }
    seconds = [
        max(0.0, applied[version] - moment)
        for version, moment in acknowledged.items()
        if version in applied
    ]
    missing = len(acknowledged) - len(seconds)
    return Behind(median(seconds or [0.0]), max(seconds, default=0.0), missing)
