"""The process that strace observes: it compiles what it reads, and marks each in the trace.

A build is a line of JSON, `{"target": ..., "config": ...}`. Each is compiled in a child process,
because LLVM reads the options of hexagon once per process, and some options end it.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

MARK = "/nowhere/build-"  # a path that strace shows, followed by the number of the build
FIRST = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}


def compile_code(target: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """Return the length of the code; hexagon needs itself as the host, and then has none."""
    import generation  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415
    import tvm  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415

    if target["kind"] != "hexagon":
        return {"length": len(generation.generate(target, config))}
    module = tvm.IRModule({"kernel": generation.kernel(vectorized=True)})
    tvm.compile(module, target=tvm.target.Target({**target, "host": target}))
    return {}


def result(build: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a build: a length or an error, and what was printed."""
    import worker  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415

    try:
        return dict(worker.in_own_process(lambda: compile_code(build["target"], build["config"])))
    except Exception as error:  # noqa: BLE001 - the child may crash in any way
        return {"error": str(error), "messages": str(error)}


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent))  # the process runs without the working folder
    compile_code(FIRST, {})  # imports what every build imports
    for number, line in enumerate(sys.stdin):
        os.path.exists(f"{MARK}{number}")  # noqa: PTH110 - one call of the system
        sys.stdout.write(json.dumps(result(json.loads(line))) + "\n")
        sys.stdout.flush()  # or the children would write it again


if __name__ == "__main__":
    main()
