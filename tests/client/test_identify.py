"""`ttag identify`: a file, standard input or what a command prints, with and without a registry."""

import io
import json
from pathlib import Path

import pytest

from tests.client.conftest import Ttag
from tests.client.probe.recordings import MACHINES
from tests.client.scripted_server import ScriptedServer, response
from ttag.cli.console import Console
from ttag.cli.main import main
from ttag.probe.collecting import SIGNS, outputs_in

LINE = "gcc -march=haswell -mtune=native a.c\n"
ANSWER = {
    "readings": [
        {
            "body": {"kind": "llvm", "mcpu": "haswell"},
            "facts": [{"pointer": "/mcpu", "from": 11, "to": 18, "stated": "text"}],
            "tags": [
                {
                    "reference": "intel/haswell@1.0.0",
                    "relation": "near",
                    "node": "",
                    "differences": [{"pointer": "/mattr", "tag": ["+x"], "text": None}],
                }
            ],
            "notes": ["no triple is stated"],
            "search": "",
        },
        {
            "body": {},
            "facts": [],
            "tags": [],
            "notes": [],
            "search": "memory_min=24+GiB",
        },
    ],
    "recognised": [{"as": "compiler flags", "from": 11, "to": 18}],
    "ignored": [{"text": "native", "reason": "tunes code", "from": 27, "to": 33}],
}
NOTHING = {"readings": [], "recognised": ANSWER["recognised"], "ignored": []}


@pytest.fixture
def pasted(tmp_path: Path) -> str:
    path = tmp_path / "pasted.txt"
    path.write_text(LINE)
    return str(path)


def test_readings_have_tags_differences_and_places(
    ttag: Ttag, server: ScriptedServer, pasted: str
) -> None:
    server.responses = [response(ANSWER)]
    run = ttag("identify", pasted, TTAG_REGISTRY=server.address)
    assert run.code == 0
    assert run.out.splitlines() == [
        "1. near: intel/haswell@1.0.0",
        "   differs: mattr is +x in intel/haswell@1.0.0, here nothing",
        '   mcpu = haswell  ("haswell")',
        "   note: no triple is stated",
        f"2. a list of tags: {server.address}/?memory_min=24+GiB",
    ]
    assert 'ignored: "native" tunes code' in run.err


def test_text_without_a_machine_says_what_was_recognised(
    ttag: Ttag, server: ScriptedServer, pasted: str
) -> None:
    server.responses = [response(NOTHING)]
    run = ttag("identify", pasted, TTAG_REGISTRY=server.address)
    assert (run.code, run.out) == (0, "")
    assert "It was recognised as compiler flags." in run.err


def test_registry_reads_the_text(ttag: Ttag, pasted: str) -> None:
    run = ttag("identify", pasted, "--json")
    (reading,) = json.loads(run.out)["readings"]
    assert reading["body"]["mcpu"] == "haswell"


def test_standard_input_is_read(registry: str, tmp_path: Path) -> None:
    environment = {"TTAG_REGISTRY": registry, "HOME": str(tmp_path)}
    out = io.StringIO()
    console = Console(out, io.StringIO(), environment, input=io.StringIO(LINE))
    assert main(["identify"], directory=tmp_path, console=console, environment=environment) == 0
    assert 'mcpu = haswell  ("haswell")' in out.getvalue()


def test_command_is_run(ttag: Ttag) -> None:
    run = ttag("identify", "--run", "echo -march=haswell", PATH="/usr/bin:/bin")
    assert "mcpu = haswell" in run.out


def test_command_that_fails_is_an_error(ttag: Ttag) -> None:
    run = ttag("identify", "--run", "no-such-command")
    assert run.code == 2
    assert "no-such-command: not installed" in run.err


def test_serial_numbers_are_not_sent(ttag: Ttag, server: ScriptedServer, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Serial\t: 0000abcdef\nCPU part\t: 0xd08\n")
    server.responses = [response(NOTHING)]
    ttag("identify", str(tmp_path / "a.txt"), TTAG_REGISTRY=server.address)
    assert "0000abcdef" not in server.requests[-1]


def test_offline_reads_what_the_probe_can(ttag: Ttag) -> None:
    path = MACHINES / "raspberry-pi-4" / "cpuinfo.txt"
    run = ttag("identify", str(path), "--offline", TTAG_REGISTRY="http://127.0.0.1:9")
    assert json.loads(run.out)["mcpu"] == "cortex-a72"


def test_offline_says_what_it_cannot_read(ttag: Ttag, pasted: str) -> None:
    run = ttag("identify", pasted, "--offline")
    assert (run.code, run.out) == (0, "")
    assert "The probe reads nothing in this text" in run.err


def test_large_text_is_refused_before_it_is_sent(ttag: Ttag, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"a" * (512 * 1024 + 1))
    run = ttag("identify", str(tmp_path / "large"), TTAG_REGISTRY="http://127.0.0.1:9")
    assert run.code == 6
    assert "more than 524288 bytes" in run.err


RECORDINGS = sorted(
    path for path in MACHINES.glob("*/*.txt") if path.name in SIGNS and path.stat().st_size > 0
)


@pytest.mark.parametrize(
    "path", RECORDINGS[:40], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_recorded_output_has_the_sign_of_its_source(path: Path) -> None:
    assert path.name in outputs_in(path.read_text(errors="replace")).texts
