"""Collects the outputs of this machine, records them in a folder, reads these or pasted ones."""

from __future__ import annotations

import os
import platform
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from ttag.errors import FileError
from ttag.files import read_file, write_file
from ttag_rules.probe.outputs import (
    ABSENT,
    MAX_OUTPUT,
    NOT_RECORDED,
    SOURCES,
    Outputs,
    Source,
    clean,
)

# A line that only the output of the source has, by the name of the source.
SIGNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(sign, re.MULTILINE)
    for name, sign in {
        "cpuinfo.txt": r"^(?:vendor_id|CPU implementer|CPU part|cpu family|isa|cpu)[ \t]*: ",
        "lscpu.txt": r"^Architecture: +\S",
        "meminfo.txt": r"^MemTotal: +[0-9]+ kB$",
        "sysctl.txt": r"^(?:hw|machdep)\.[\w.]+: ",
        "nvidia-smi.csv": r"^(?:[\w.]+, )*name, [\w.]+",
        "rocminfo.txt": r"^HSA Agents *$|^Agent [0-9]+ *$",
        "clinfo.txt": r"^ *(?:Number of (?:platforms|devices)|Platform Name) +\S",
        "vulkaninfo.txt": r"^VULKANINFO$|^Vulkan Instance Version: |^GPU[0-9]+:$",
        "ldd.txt": r"^ldd \(|^musl libc ",
    }.items()
}
PATIENCE = 0.2  # seconds in which a tool that has printed everything ends
MAX_SECONDS = 10.0  # a tool that takes longer waits for a driver that does not answer
CHUNK = 64 * 1024
# Serial numbers in /proc/cpuinfo, of boards and of IBM Z, and identifiers of GPUs.
SERIAL = re.compile(
    r"(^[ \t]*(?:serial|(?:\w+ ?)?uuid)[ \t]*[:= ][ \t]*|identification = )[^,\n]*",
    re.IGNORECASE | re.MULTILINE,
)


def record(outputs: Outputs, folder: Path) -> None:
    """Write each text as a file of a folder, without serial numbers. Raises `FileError`."""
    for name, text in outputs.texts.items():
        write_file(folder / name, SERIAL.sub(r"\1removed", text).encode())


def read_recording(folder: Path) -> Outputs:
    """Return the outputs recorded in a folder. Raises `FileError` if there is none."""
    outputs = Outputs()
    for source in SOURCES:
        if (folder / source.name).is_file():
            outputs.texts[source.name] = clean(read_file(folder / source.name))
        else:
            outputs.failures[source.name] = NOT_RECORDED
    if not outputs.texts:
        names = ", ".join(source.name for source in SOURCES)
        raise FileError(f"{folder} holds no recording: none of the files {names}.")
    return outputs


def collect(progress: Callable[[str], None], environment: Mapping[str, str]) -> Outputs:
    """Run the tools of this machine and read its files. What is absent becomes a failure."""
    outputs = Outputs()
    for source in SOURCES:
        if platform.system() not in source.systems:
            continue
        progress(f"reading {source.tool}")
        try:
            outputs.texts[source.name] = _read(source, environment)
        except ToolFailed as failure:
            outputs.failures[source.name] = str(failure)
    return outputs


class ToolFailed(Exception):
    """A source that gave no output; its text is the reason."""


def _read(source: Source, environment: Mapping[str, str]) -> str:
    if source.path:
        return _read_path(Path(source.path))
    failure, path = ToolFailed(ABSENT), environment.get("PATH")
    for command in source.commands:
        try:
            return run_tool(command, environment)
        except ToolFailed as error:
            failure = error if shutil.which(command[0], path=path) else failure
    raise failure


def _read_path(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return clean(file.read(MAX_OUTPUT))
    except OSError as error:
        raise ToolFailed(f"cannot be read: {error.strerror}") from error


def run_tool(command: tuple[str, ...], environment: Mapping[str, str]) -> str:
    """Return what a tool prints, messages included: musl's `ldd` prints its version as one.

    The tool and whatever it has started are ended after some seconds.
    """
    variables = {**environment, "LC_ALL": "C", "LANG": "C"}
    try:
        process = subprocess.Popen(  # noqa: S603 - of SOURCES or of the user, run without a shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=variables,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolFailed(ABSENT) from error
    try:
        data, ended = _drain(process.stdout, time.monotonic() + MAX_SECONDS)
    finally:
        _end(process)
    if not ended:
        raise ToolFailed(f"did not end within {MAX_SECONDS:g} seconds")
    text = clean(data)
    if process.returncode and command[0] != "ldd" and len(data) < MAX_OUTPUT:
        raise ToolFailed(_failure(process.returncode, text))
    return text


def _drain(pipe: IO[bytes] | None, deadline: float) -> tuple[bytes, bool]:
    """Return the first bytes of an output, and whether it came to an end or its limit."""
    data = bytearray()
    if pipe is None:  # never, as run_tool asks for one
        return b"", True
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while len(data) < MAX_OUTPUT:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                return bytes(data), False
            chunk = os.read(pipe.fileno(), CHUNK)
            if not chunk:
                break
            data += chunk
    return bytes(data), True


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started, if it still runs."""
    try:
        process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        # Inside a driver that does not answer, nothing ends it.
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=PATIENCE)
    if process.stdout:
        process.stdout.close()


def _failure(code: int, text: str) -> str:
    """Return why a tool failed: its exit code and the last line that it printed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"exit code {code}" + (f": {lines[-1][:120]}" if lines else "")


def outputs_in(text: str) -> Outputs:
    """Return a text as the output of each source of which it has a sign; none if of none."""
    return Outputs({name: text for name, sign in SIGNS.items() if sign.search(text)})
