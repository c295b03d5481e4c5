"""Collecting outputs: tools that are absent, fail, hang or never stop, and recordings."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.databases import ROOT
from ttag.errors import FileError
from ttag.probe import collecting
from ttag.probe.collecting import collect, read_recording, record
from ttag_rules.probe import outputs
from ttag_rules.probe.outputs import MAX_OUTPUT, SOURCES, Outputs, Source, clean


def script(folder: Path, name: str, text: str) -> None:
    """Write a program into a folder."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder ahead of all others on the path."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def collect_from(monkeypatch: pytest.MonkeyPatch, *sources: Source) -> Outputs:
    for module in (outputs, collecting):
        monkeypatch.setattr(module, "SOURCES", sources)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    return collect(lambda sentence: None, dict(os.environ))


def tool(name: str, *commands: str) -> Source:
    return Source(f"{name}.txt", commands=tuple((command,) for command in commands or (name,)))


def test_output_of_a_tool_is_collected(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(folder, "probed", "echo $LC_ALL")
    assert collect_from(monkeypatch, tool("probed")).texts == {"probed.txt": "C\n"}


def test_absent_tool_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = collect_from(monkeypatch, tool("no-such-tool"))
    assert outputs.failures == {"no-such-tool.txt": "not installed"}
    assert outputs.reasons("no-such-tool.txt") == "no-such-tool: not installed"


def test_tool_that_fails_says_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(folder, "probed", "echo cannot reach the driver >&2; exit 9")
    failures = collect_from(monkeypatch, tool("probed")).failures
    assert failures == {"probed.txt": "exit code 9: cannot reach the driver"}


def test_next_command_is_tried_after_one_that_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(folder, "first", "exit 2")
    script(folder, "second", "echo found")
    assert collect_from(monkeypatch, tool("first", "first", "second")).texts == {
        "first.txt": "found\n"
    }


def test_tool_that_hangs_is_ended_with_what_it_has_started(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(folder, "probed", f"sleep 600 & echo $! > {folder}/child; wait")
    monkeypatch.setattr(collecting, "MAX_SECONDS", 0.5)
    started = time.monotonic()
    failures = collect_from(monkeypatch, tool("probed")).failures
    assert failures == {"probed.txt": "did not end within 0.5 seconds"}
    assert time.monotonic() - started < 30
    assert ended(int((folder / "child").read_text()))


def test_tool_that_nothing_ends_is_not_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = subprocess.Popen.wait
    limits = []

    def waits(process: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        limits.append(timeout)
        if len(limits) == 2:  # it was killed
            wait(process)
        raise subprocess.TimeoutExpired("probed", 0)

    script(folder, "probed", "exec sleep 600")
    monkeypatch.setattr(collecting, "MAX_SECONDS", 0.05)
    monkeypatch.setattr(subprocess.Popen, "wait", waits)
    failures = collect_from(monkeypatch, tool("probed")).failures
    assert failures == {"probed.txt": "did not end within 0.05 seconds"}
    assert limits == [collecting.PATIENCE] * 2


def ended(process: int) -> bool:
    """Return whether a process ends soon. Nobody may be there to collect it: zombies count."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_output_without_end_is_cut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(folder, "probed", "exec yes")
    text = collect_from(monkeypatch, tool("probed")).text("probed.txt")
    assert len(text) == MAX_OUTPUT
    assert text.startswith("y\ny\n")


def test_file_that_is_absent_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("board.txt", "/no/such/file")
    failures = collect_from(monkeypatch, source).failures
    assert failures == {"board.txt": "cannot be read: No such file or directory"}


def test_other_systems_have_other_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Source("mac.txt", "/proc/cpuinfo", systems=("Darwin",))
    outputs = collect_from(monkeypatch, mac)
    assert (outputs.texts, outputs.failures) == ({}, {})


def test_strings_of_a_device_tree_become_lines() -> None:
    assert (
        clean(b"raspberrypi,4-model-b\0brcm,bcm2711\0") == "raspberrypi,4-model-b\nbrcm,bcm2711\n"
    )


def test_recording_is_read_again(tmp_path: Path) -> None:
    record(Outputs({"cpuinfo.txt": "processor: 0\n"}), tmp_path / "machine")
    outputs = read_recording(tmp_path / "machine")
    assert outputs.texts == {"cpuinfo.txt": "processor: 0\n"}
    assert outputs.failures["lscpu.txt"] == "not in the recording"


@pytest.mark.parametrize(
    ("line", "recorded"),
    [
        ("Serial\t\t: 10000000f8b73778", "Serial\t\t: removed"),
        ("  Uuid:                    GPU-74e9455f63e4f48f", "  Uuid:                    removed"),
        (
            "  Device UUID                      8680a056",
            "  Device UUID                      removed",
        ),
        ("\tdeviceUUID         = 86801219-0600", "\tdeviceUUID         = removed"),
        (
            "processor 0: version = FF,  identification = 155D38,  machine = 3931",
            "processor 0: version = FF,  identification = removed,  machine = 3931",
        ),
        ("model name\t: Serial 1", "model name\t: Serial 1"),
    ],
)
def test_serial_numbers_are_not_recorded(line: str, recorded: str, tmp_path: Path) -> None:
    record(Outputs({"cpuinfo.txt": f"processor: 0\n{line}\n"}), tmp_path)
    assert (tmp_path / "cpuinfo.txt").read_text() == f"processor: 0\n{recorded}\n"


def test_folder_without_recording_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds no recording: none of the files uname\.txt, "):
        read_recording(tmp_path)


def test_every_file_of_a_recording_is_documented() -> None:
    page = (ROOT / "client" / "README.md").read_text()
    assert [source.name for source in SOURCES if f"`{source.name}`" not in page] == []
