"""`ttag runs-on`, `ttag check --on` and `ttag inspect --on`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import Ttag
from tests.client.inspect.elf_headers import CUDA, X86_64, bundle, compressed, elf, fatbin
from ttag.registry.registry import Registry
from ttag.running import read_side

LINUX = "x86_64-unknown-linux-gnu"
A100, H100 = "nvidia/nvidia-a100", "nvidia/nvidia-h100"
CUBIN, PTX = 2, 1
GFX1100 = "hipv4-amdgcn-amd-amdhsa--gfx1100"
UNREAD = compressed(bundle([GFX1100]), version=9)


def cpu(mcpu: str) -> dict[str, Any]:
    return {"kind": "llvm", "mtriple": LINUX, "mcpu": mcpu}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with bodies."""
    bodies: dict[str, Any] = {
        "new": cpu("haswell"),
        "old": cpu("nehalem"),
        "gpu": {"kind": "cuda", "arch": "sm_90", "host": cpu("znver4")},
        "child": {"tag": "aws/c5@1"},
        "inner": {"kind": "cuda", "arch": "sm_90", "host": "aws/c5@1"},
        "patch": {"num-cores": 4},
        "features": {"kind": "cuda", "host": {**cpu("nehalem"), "mattr": "+avx512f"}},
        "list": [],
    }
    for name, body in bodies.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(body))
    (tmp_path / "deep.json").write_text("[" * 60_000)
    (tmp_path / "nested.json").write_text('{"host":' * 900 + "{}" + "}" * 900)
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "large.json").write_text(" " * 70_000)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "first"),
    [
        (["./old.json", "./new.json"], 0, "yes: The machine has all that the code needs."),
        (["./new.json", "./old.json"], 1, "no: The code uses AVX2 (avx2, avx and "),
        ([A100, H100], 8, "conditional: A cubin for sm_80 runs on no sm_90a"),
        ([A100, H100, "--ships", "cubin"], 1, "no: A cubin for sm_80 runs on no sm_90a"),
        ([A100, H100, "--ships", "cubin,ptx"], 0, "yes: "),
        ([A100, A100, "--driver", "400.1"], 1, "no: Driver 450.80.02 is the least for the code"),
        ([A100, "./new.json"], 9, "unknown: The code is for a device, and the machine's target"),
        (["./patch.json", "./new.json"], 9, "unknown: The code states no kind"),
    ],
)
def test_the_exit_code_is_that_of_the_verdict(
    ttag: Ttag, folder: Path, arguments: list[str], code: int, first: str
) -> None:
    run = ttag("runs-on", *arguments, directory=folder)
    assert run.code == code
    assert run.out.startswith(first)


def test_json_has_the_members_of_the_api(ttag: Ttag, folder: Path) -> None:
    run = ttag("runs-on", A100, "./gpu.json", "--json", directory=folder)
    data = json.loads(run.out)
    assert data["built_for"].startswith(f"{A100}@")
    assert data["machine"] is None
    assert data["verdict"] == "conditional"
    assert data["dimensions"][0]["pointers"] == {"built_for": "/arch", "machine": "/arch"}
    assert data["conditions"][0] == {"name": "ships", "value": "ptx", "at_least": ""}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["acme/nothing", "./new.json"], 3, "acme/nothing"),
        (["nothing", "./new.json"], 3, "is not a tag"),
        (["./missing.json", "./new.json"], 6, "cannot be read"),
        (["./broken.json", "./new.json"], 6, "is no JSON"),
        (["./list.json", "./new.json"], 3, "expected a JSON object"),
        (["./deep.json", "./new.json"], 6, "is no JSON"),
        (["./nested.json", "./new.json"], 3, "more than 16 targets enclose each other"),
        (["./features.json", "./new.json"], 3, 'expected a list such as ["+avx2"] (/host/mattr)'),
        (["./large.json", "./new.json"], 6, "more than 65536 bytes"),
        (["./child.json", "./new.json"], 3, "which only a registry resolves"),
        (["./inner.json", "./new.json"], 3, "which only a registry resolves"),
        (["./new.json", "./old.json", "--ships", "zip"], 2, "is not some of cubin, ptx"),
        (["./new.json", "./old.json", "--compiler", "rustc"], 2, "is not one of tvm, iree"),
        (["./new.json", "./old.json", "--driver", "new"], 2, "is not a version"),
        (["./new.json"], 2, "MACHINE"),
        ([A100, H100, "--locked"], 3, "targets.lock"),
    ],
)
def test_bad_questions_say_what_was_expected(
    ttag: Ttag, folder: Path, arguments: list[str], code: int, message: str
) -> None:
    run = ttag("runs-on", *arguments, directory=folder)
    assert (run.code, run.out) == (code, "")
    assert message in run.err


def test_a_lock_answers_without_a_registry(ttag: Ttag, folder: Path) -> None:
    assert ttag("lock", A100, H100, directory=folder).code == 0
    nowhere = {"TTAG_REGISTRY": "http://127.0.0.1:1"}
    run = ttag("runs-on", A100, H100, "--locked", directory=folder, **nowhere)
    assert run.code == 8


def test_this_is_the_machine_at_hand(ttag: Ttag, folder: Path) -> None:
    run = ttag("runs-on", "this", "this", directory=folder)
    assert run.code in (0, 8, 9)  # what this machine does not tell is unknown
    assert "no:" not in run.out


def test_a_baseline_runs_on_all_machines(ttag: Ttag, folder: Path) -> None:
    run = ttag("baseline", "./old.json", "./new.json", directory=folder)
    assert run.code == 0
    body, machines, loss = run.out.splitlines()
    assert json.loads(body) == cpu("x86-64-v2")  # a level that loses nothing
    assert machines == "  for ./old.json, ./new.json"
    assert loss.startswith("  without AVX2 (avx2, avx and ")
    assert loss.endswith(" on 1 of 2 machines")


def test_a_baseline_of_two_builds_loses_nothing(ttag: Ttag, folder: Path) -> None:
    arguments = ("baseline", "./old.json", "./new.json", "--builds", "2", "--json")
    result = json.loads(ttag(*arguments, directory=folder).out)
    assert [build["machines"] for build in result["builds"]] == [["./old.json"], ["./new.json"]]
    assert (result["loss"], result["optimal"]) == (0, True)


@pytest.mark.parametrize("option", ["--offline", "--locked"])
def test_a_baseline_of_what_is_locked_needs_no_registry(
    ttag: Ttag, folder: Path, option: str
) -> None:
    machines = ["aws/c4.4xlarge", "aws/cpu/c5.9xlarge"]
    assert ttag("lock", *machines, directory=folder).code == 0
    nowhere = {"TTAG_REGISTRY": "http://127.0.0.1:1"}
    run = ttag("baseline", *machines, option, directory=folder, **nowhere)
    assert run.code == 0
    assert json.loads(run.out.splitlines()[0])["mcpu"] == "haswell"
    missing = ttag("baseline", *machines, A100, option, directory=folder, **nowhere)
    assert (missing.code, missing.out) == (3, "")
    assert A100 in missing.err


def test_a_registry_is_asked_what_a_compiler_can_be_told(ttag: Ttag, folder: Path) -> None:
    machines = ["aws/c4.4xlarge", "aws/cpu/c5.9xlarge"]
    lines = ttag("baseline", *machines, "--compiler", "clang", directory=folder).out.splitlines()
    assert json.loads(lines[0])["mcpu"] == "haswell"
    assert lines[-1].startswith("  nearest: aws/c4.")
    run = ttag("baseline", A100, "--compiler", "clang", directory=folder)
    assert (run.code, run.out) == (3, "")
    assert "clang cannot be told a build for nvidia/nvidia-a100" in run.err


@pytest.mark.parametrize(
    ("members", "errors"),
    [
        ({"uncompared": 12}, ["note: tags not compared, which may come as near: 12."]),
        ({"uncompared": 0}, []),
        ({}, []),  # a registry of before
        ({"uncompared": "many"}, ["error: The registry {} sent something that is not a baseline."]),
    ],
)
def test_tags_that_a_registry_did_not_compare_are_noted(
    ttag: Ttag,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    members: dict[str, Any],
    errors: list[str],
) -> None:
    build = {"target": {}, "machines": ["aws/c4.4xlarge@1.1.0"], "losses": [], **members}
    answer = {"builds": [build], "loss": 0, "optimal": True}
    monkeypatch.setattr(Registry, "post", lambda *_, **__: answer)
    run = ttag("baseline", "aws/c4.4xlarge", "--compiler", "clang", directory=folder)
    assert re.sub(r"http://\S+", "{}", run.err).splitlines() == errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["./new.json"], "it needs references"),
        ([A100, "./new.json"], "it needs references"),
        ([A100, "--offline"], "offline"),
    ],
)
def test_a_compiler_without_a_registry_is_an_error(
    ttag: Ttag, folder: Path, arguments: list[str], message: str
) -> None:
    assert ttag("lock", A100, directory=folder).code == 0
    run = ttag("baseline", *arguments, "--compiler", "clang", directory=folder)
    assert (run.code != 0, run.out) == (True, "")
    assert message in run.err


def test_a_mirror_answers_a_baseline_offline(ttag: Ttag, folder: Path) -> None:
    machines = ["aws/c4.4xlarge", "aws/cpu/c5.9xlarge"]
    assert ttag("mirror", "mirror", "--namespace", "aws", directory=folder).code == 0
    mirror = {"TTAG_REGISTRY": (folder / "mirror").as_uri()}
    run = ttag("baseline", *machines, "--offline", directory=folder, **mirror)
    assert run.code == 0
    assert json.loads(run.out.splitlines()[0])["mcpu"] == "haswell"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["./new.json", "./gpu.json"], 3, "Use --builds 2."),
        (["./new.json", "./patch.json"], 3, "./patch.json: It states no kind"),
        (["./new.json", "acme/nothing"], 3, "acme/nothing"),
        (["./new.json", "--builds", "9"], 2, "is not a number from 1 to 8"),
        ([], 2, "REF"),
    ],
)
def test_a_baseline_that_cannot_be_says_why(
    ttag: Ttag, folder: Path, arguments: list[str], code: int, message: str
) -> None:
    run = ttag("baseline", *arguments, directory=folder)
    assert (run.code, run.out) == (code, "")
    assert message in run.err


def test_check_names_locked_targets_that_do_not_run(ttag: Ttag, folder: Path) -> None:
    (folder / "ttag.toml").write_text(f"targets = {[A100, H100]}\n")
    assert ttag("lock", directory=folder).code == 0
    run = ttag("check", "--on", A100, directory=folder)
    assert run.code == 1
    assert run.out.startswith(f"does-not-run: {H100}: Code for sm_90a runs on no other")
    both = ttag("check", "--offline", "--on", H100, directory=folder)
    assert both.code == 0
    assert both.out.startswith(f"may-not-run: {A100}: A cubin for sm_80 runs on no sm_90a")
    (note,) = json.loads(ttag("check", "--json", "--on", H100, directory=folder).out)
    assert (note["problem"], note["fails"]) == ("may-not-run", False)


def test_inspect_says_whether_a_file_runs(ttag: Ttag, folder: Path) -> None:
    (folder / "k.cubin").write_bytes(elf(CUDA, flags=0x5A0D5A, abi_version=7))
    assert ttag("inspect", "k.cubin", "--on", "./gpu.json", directory=folder).code == 0
    run = ttag("inspect", "k.cubin", "--on", A100, directory=folder)
    assert run.code == 1
    assert "no: k.cubin, for NVIDIA: Code for sm_90a runs on no other" in run.out


@pytest.mark.parametrize(
    ("entries", "answer"),
    [
        ([(CUBIN, 80, 0), (CUBIN, 90, 0)], "yes"),
        ([(CUBIN, 80, 0), (PTX, 80, 0)], "yes"),
        ([(CUBIN, 80, 0)], "no"),
        ([(CUBIN, 100, 0), (PTX, 100, 0)], "no"),
        ([(CUBIN, 90, 1 << 20)], "yes"),
    ],
)
def test_one_form_of_device_code_that_runs_suffices(
    ttag: Ttag, folder: Path, entries: list[tuple[int, int, int]], answer: str
) -> None:
    (folder / "lib.so").write_bytes(elf(X86_64, sections={".nv_fatbin": fatbin(entries)}))
    run = ttag("inspect", "lib.so", "--on", "./gpu.json", "--json", directory=folder)
    program, device = json.loads(run.out)["verdicts"]
    assert (program["answer"], device["answer"]) == ("unknown", answer)
    assert run.code == (1 if answer == "no" else 9)


def test_a_file_does_not_tell_that_it_runs(ttag: Ttag, folder: Path) -> None:
    (folder / "lib.so").write_bytes(elf(X86_64))
    run = ttag("inspect", "lib.so", "--on", "./gpu.json", directory=folder)
    assert run.code == 9  # an ELF file for x86 does not name its instructions
    assert "unknown: lib.so: " in run.out


@pytest.mark.parametrize(
    ("bundles", "gpu", "answers"),
    [
        ([bundle([GFX1100])], "gfx1100", ["unknown", "yes"]),
        ([bundle([GFX1100])], "gfx1200", ["unknown", "no"]),
        ([bundle([GFX1100]), UNREAD], "gfx1100", ["unknown", "yes", "unknown"]),
        ([bundle([GFX1100]), UNREAD], "gfx1200", ["unknown", "unknown", "unknown"]),
        ([UNREAD], "gfx1200", ["unknown", "unknown"]),
    ],
)
def test_code_that_cannot_be_read_is_unknown(
    ttag: Ttag, folder: Path, bundles: list[bytes], gpu: str, answers: list[str]
) -> None:
    (folder / "lib.so").write_bytes(elf(X86_64, sections={".hip_fatbin": b"".join(bundles)}))
    machine = {"kind": "rocm", "mcpu": gpu, "host": cpu("haswell")}
    (folder / "amd.json").write_text(json.dumps(machine))
    run = ttag("inspect", "lib.so", "--on", "./amd.json", "--json", directory=folder)
    assert [each["answer"] for each in json.loads(run.out)["verdicts"]] == answers
    assert run.code == (1 if "no" in answers else 9)


def test_a_home_is_no_part_of_a_reference() -> None:
    with pytest.raises(Exception, match="cannot be read"):
        read_side("~/no-such-file.json", None)  # type: ignore[arg-type]  # which is not asked
