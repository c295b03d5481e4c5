"""The process that strace watches: it runs the jobs of a file, each after its marker.

It has nothing but the standard library.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

MARKER = "/target-tag-registry-job/"


def main(work: str, patience: str) -> None:
    jobs = json.loads(Path(work, "jobs.json").read_text(encoding="utf-8"))
    statuses = []
    for number, (command, folder) in enumerate(jobs):
        os.access(f"{MARKER}{number}", os.F_OK)
        try:
            with Path(folder, "output").open("wb") as output:
                result = subprocess.run(
                    command,
                    cwd=folder,
                    stdout=output,
                    stderr=output,
                    check=False,
                    timeout=float(patience),
                )
            statuses.append(result.returncode)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            statuses.append(-1)  # such as a NUL in an argument
    os.access(f"{MARKER}end", os.F_OK)
    Path(work, "statuses.json").write_text(json.dumps(statuses), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
