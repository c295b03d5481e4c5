"""Runs texts in the format `tvm` through the real TVM, all in one process under strace."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from tests.sandbox.compilers import environment
from tests.sandbox.proof import Run
from tests.sandbox.recorder import Record, command_under, read_log
from tests.tvm.compiler import TvmError, compiler

WORKER = Path(__file__).with_name("tvm_worker.py")


def runner(python: str) -> Run:
    """Return what runs TVM on texts. It forks for each, because LLVM may crash."""

    def run(texts: Sequence[str], work: Path) -> list[Record]:
        work = work.resolve()
        (work / "0").mkdir(parents=True)
        log, starter = work / "strace.log", work / "python"
        variables = [f"{name}={value}" for name, value in environment(work).items()]
        command = shlex.join(
            [*command_under(log), "env", "-C", str(work / "0"), *variables, python]
        )
        starter.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        starter.chmod(0o700)
        statuses = []
        with compiler(str(starter), work / "worker.log", WORKER) as tvm:
            for number, text in enumerate(texts):
                document = json.loads(text)
                target, config = document["target"], document.get("pass_config") or {}
                try:
                    result = tvm.call("compile_text", number=number, target=target, config=config)
                except TvmError:  # LLVM has crashed
                    result = {"error": ""}
                statuses.append(int("error" in result))
            tvm.call("end")
        records = read_log(log, work)
        for record, status in zip(records, statuses, strict=True):
            record.status = status
        return records

    return run
