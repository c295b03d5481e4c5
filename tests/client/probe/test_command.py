"""`ttag probe`, against a served registry and without one."""

import json
import shutil
from pathlib import Path

import pytest

from tests.client.conftest import Ttag
from tests.client.probe.recordings import MACHINES, expected_body
from tests.client.scripted_server import ScriptedServer, response
from ttag.errors import ExitCode

NOWHERE = "http://127.0.0.1:9"
M1 = MACHINES / "apple-m1-pro"


def recording(name: str) -> str:
    return str(MACHINES / name)


def test_body_is_the_result_and_the_rest_is_explained(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("raspberry-pi-4"), "--no-near")
    assert run.code == 0
    assert json.loads(run.out) == expected_body("raspberry-pi-4")
    lacking = "-aes, -sha2: implied by cortex-a72, but this machine does not offer it"
    assert run.err.splitlines() == [
        "learned:",
        f"  /proc/cpuinfo: num-cores 4; cortex-a72; {lacking}",
        "not learned:",
        "  the C library: gnu is assumed (ldd --version)",
        "  main memory (record /proc/meminfo)",
        "  GPUs, if there are any (nvidia-smi, rocminfo, clinfo, vulkaninfo: not in the recording)",
    ]


def test_nearest_tags_are_listed_with_their_differences(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("xeon-8260m"), "--near", "2")
    heading, *rows = run.err.partition("nearest tags")[2].splitlines()
    assert heading == ", with what differs from tag to machine:"
    assert rows == [
        "  machine  aws/cpu/c5.12xlarge@3.0.0  the same target",
        "  machine  aws/cpu/c5.24xlarge@3.0.0  num-cores: 48 → 24",
    ]


@pytest.mark.parametrize("name", ["epyc-9654", "ryzen-7-2700x-in-kvm", "xeon-in-kvm", "thunderx"])
def test_near_tags_are_of_the_class_and_size_of_the_machine(ttag: Ttag, name: str) -> None:
    run = ttag("probe", "--from", recording(name), "--json")
    answer = json.loads(run.out)
    differences = [each for near in answer["near"] for each in near["differences"]]
    assert not [each for each in differences if each["pointer"] == "/mtriple"]
    cores = [(each["old"], each["new"]) for each in differences if "num-cores" in each["pointer"]]
    assert all(max(pair) <= 2 * min(pair) for pair in cores if all(pair))


def test_a_machine_unlike_all_tags_is_near_to_those_with_its_processor(
    ttag: Ttag, tmp_path: Path
) -> None:
    for path in (MACHINES / "xeon-8260m").iterdir():
        text = path.read_text().replace(" aes ", " ").replace("Platinum 8260M", "Processor")
        (tmp_path / path.name).write_text(text)
    (tmp_path / "ldd.txt").write_text("musl libc\n")
    near = json.loads(ttag("probe", "--from", str(tmp_path), "--json").out)["near"]
    assert near
    for each in near:
        pointers = {difference["pointer"] for difference in each["differences"]}
        assert "/mcpu" not in pointers
        assert "/kind" not in pointers


def test_differences_are_values_in_json(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("xeon-8260m"), "--near", "2", "--json")
    assert json.loads(run.out)["near"][1] == {
        "part": "machine",
        "reference": "aws/cpu/c5.24xlarge@3.0.0",
        "differences": [{"pointer": "/num-cores", "old": 48, "new": 24}],
    }


def test_device_is_also_compared_without_its_host(ttag: Ttag, tmp_path: Path) -> None:
    shutil.copy(MACHINES / "jetson-nano" / "cpuinfo.txt", tmp_path)
    (tmp_path / "nvidia-smi.csv").write_text("name, compute_cap\nNVIDIA Tegra X1, 5.3\n")
    run = ttag("probe", "--from", str(tmp_path), "--json")
    near = [(each["part"], each["reference"]) for each in json.loads(run.out)["near"]]
    assert ("machine", "nvidia/jetson-nano@1.1.1") in near
    assert ("device", "nvidia/tegra-x1@1.0.0") in near


def test_tag_that_is_named_like_the_model_comes_first_among_equals(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("titan-v-and-rtx-5880"), "--near", "1", "--json")
    near = [each["reference"] for each in json.loads(run.out)["near"]]
    assert near[0].startswith("nvidia/nvidia-titan-v@")


def test_machine_without_near_tags_says_so(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("graviton3"))
    assert run.err.endswith("no tag of the registry is near\n")


def test_number_of_near_tags_is_limited(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("h100-x8"), "--near", "2", "--json")
    assert 0 < len(json.loads(run.out)["near"]) <= 2


def test_json_holds_everything(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("xeon-in-kvm"), "--json")
    answer = json.loads(run.out)
    assert answer.keys() == {"body", "sources", "unknown", "near"}
    assert answer["body"] == expected_body("xeon-in-kvm")
    assert "lscpu.txt" in answer["sources"]
    assert {"what", "remedy"} == answer["unknown"][0].keys()
    assert run.err == ""


def test_quiet_run_writes_only_the_body(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("apple-m1-pro"), "--no-near", "-q")
    assert (run.code, run.err) == (0, "")


def test_registry_that_is_away_is_no_error(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("apple-m1-pro"), TTAG_REGISTRY=NOWHERE)
    assert run.code == 0
    assert json.loads(run.out) == expected_body("apple-m1-pro")
    assert "warning: No near tags: The registry 127.0.0.1:9 cannot be reached" in run.err


def test_no_registry_is_no_error(ttag: Ttag) -> None:
    run = ttag("probe", "--from", recording("apple-m1-pro"), "--json", TTAG_REGISTRY="")
    assert run.code == 0
    assert json.loads(run.out)["near"] is None


def test_refused_body_is_written_and_reported(ttag: Ttag, server: ScriptedServer) -> None:
    fault = {"pointer": "/mcpu", "code": "VALUE_TYPE", "message": "no such processor"}
    server.responses = [response({"valid": False, "errors": [fault]})]
    run = ttag("probe", "--from", recording("apple-m1-pro"), TTAG_REGISTRY=server.address)
    assert run.code == ExitCode.REFUSED
    assert json.loads(run.out) == expected_body("apple-m1-pro")
    assert "error: The registry would refuse this body: /mcpu: no such processor." in run.err


def test_request_that_is_refused_is_no_error(ttag: Ttag, server: ScriptedServer) -> None:
    problem = {"type": "about:blank", "code": "FORBIDDEN", "status": 403, "detail": "Not you."}
    server.responses = [response(problem, 403, "application/problem+json")]
    run = ttag("probe", "--from", recording("apple-m1-pro"), TTAG_REGISTRY=server.address)
    assert run.code == 0
    assert "warning: No near tags: Not you." in run.err


def test_answer_of_another_form_is_no_crash(ttag: Ttag, server: ScriptedServer) -> None:
    server.responses = [response({"valid": True})]
    run = ttag("probe", "--from", recording("apple-m1-pro"), TTAG_REGISTRY=server.address)
    assert run.code == 0
    assert "warning: No near tags: " in run.err


def test_this_machine_is_recorded_and_described_again(ttag: Ttag, tmp_path: Path) -> None:
    live = ttag("probe", "--record", str(tmp_path / "here"), "--no-near")
    assert live.code == 0
    again = ttag("probe", "--from", str(tmp_path / "here"), "--no-near")
    assert json.loads(again.out) == json.loads(live.out)


def test_folder_without_recording_is_an_error(ttag: Ttag, tmp_path: Path) -> None:
    run = ttag("probe", "--from", str(tmp_path))
    assert run.code == ExitCode.FILE
    assert "holds no recording" in run.err


@pytest.mark.parametrize("number", ["-1", "7", "many", "9" * 5000])
def test_number_out_of_range_is_refused(ttag: Ttag, number: str) -> None:
    run = ttag("probe", "--near", number)
    assert run.code == ExitCode.USAGE
    assert "is not a number from 0 to 6" in run.err
