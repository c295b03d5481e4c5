"""`ttag resolve`, as scripts and people use it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.conftest import Ttag
from tests.client.registry.test_registry import RESOLUTION
from tests.client.scripted_server import ScriptedServer, response
from tests.databases import ROOT


def test_target_is_written_by_default(ttag: Ttag) -> None:
    run = ttag("resolve", "arm/soc@1.0.0")
    assert run.code == 0
    expected = {"keys": ["arm_cpu", "cpu"], "kind": "c", "mcpu": "cortex-m7", "model": "arm-soc"}
    assert json.loads(run.out) == expected
    assert run.err == ""


def test_format_is_chosen_and_what_it_drops_is_said(ttag: Ttag) -> None:
    run = ttag("resolve", "aws/c4.4xlarge@1.0.0", "--format", "clang")
    assert run.out == "--target=x86_64-unknown-linux-gnu -march=haswell\n"
    assert run.err.startswith("note: aws/c4.4xlarge@1.0.0: clang leaves out ")


def test_quiet_run_writes_only_the_result(ttag: Ttag) -> None:
    assert ttag("resolve", "aws/c4.4xlarge@1.0.0", "--format", "clang", "-q").err == ""


def test_several_references_are_written_in_order(ttag: Ttag) -> None:
    run = ttag("resolve", "arm/soc:aot", "aws/c4.4xlarge@1.0.0", "--format", "clang", "-q")
    assert [line.split()[0] for line in run.out.splitlines()] == [
        "--target=arm-none-eabi",
        "--target=x86_64-unknown-linux-gnu",
    ]


def test_node_is_resolved(ttag: Ttag) -> None:
    run = ttag("resolve", "nvidia/jetson-nano:cuda", "--node", "/host", "--format", "json")
    assert json.loads(run.out)["node"] == "/host"
    assert json.loads(run.out)["target"]["mcpu"] == "cortex-a57"


def test_format_json_has_all_identities(ttag: Ttag) -> None:
    answer = json.loads(ttag("resolve", "arm/soc:aot", "--format", "json").out)
    assert answer["version"] == "1.0.0"
    assert answer["digest"].startswith("sha256:")
    assert answer["tuning_keys"].keys() == {""}


def test_option_json_is_for_programs(ttag: Ttag) -> None:
    run = ttag("resolve", "arm/soc:aot", "arm/soc", "--format", "clang", "--json", "-q")
    first, second = json.loads(run.out)
    assert first["reference"] == "arm/soc:aot"
    assert first["format"] == "clang"
    assert "/executor" in first["dropped"]
    assert "-mcpu=cortex-m7" in second["text"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["arm/sco"], 3, "error: There is no tag arm/sco. Did you mean arm/soc?\n"),
        (["arm/soc@7"], 3, "Did you mean arm/soc@1.0.0?\n"),
        (["arm/soc@latest"], 3, "'latest' in 'arm/soc@latest' is not a version selector"),
        (["arm/soc", "--format", "clagn"], 3, "Did you mean clang?\n"),
        (["arm/soc:aot", "--format", "clang", "--strict"], 3, "error: "),
        (["arm/soc", "--node", "/hots"], 3, "error: "),
    ],
)
def test_refusal_is_one_line_with_the_suggestion(
    ttag: Ttag, arguments: list[str], code: int, sentence: str
) -> None:
    run = ttag("resolve", *arguments)
    assert run.code == code
    assert sentence in run.err
    assert run.err.count("\n") == 1
    assert run.out == ""


def test_every_wrong_reference_is_reported_and_nothing_is_written(
    ttag: Ttag, tmp_path: Path
) -> None:
    run = ttag("resolve", "arm/sco", "arm/soc", "aws/c44", "-o", str(tmp_path / "targets"))
    assert (run.code, run.err.count("error: ")) == (3, 2)
    assert not (tmp_path / "targets").exists()


def test_unreachable_registry_has_exit_code_4(ttag: Ttag) -> None:
    run = ttag("resolve", "arm/soc", TTAG_REGISTRY="http://127.0.0.1:9")
    assert (run.code, run.out) == (4, "")
    assert run.err == "error: The registry 127.0.0.1:9 cannot be reached: Connection refused.\n"


def test_lying_registry_has_exit_code_5(ttag: Ttag, server: ScriptedServer) -> None:
    server.responses = [response({**RESOLUTION, "digest": f"sha256:{'0' * 64}"})]
    run = ttag("resolve", "acme/board", "--format", "json", TTAG_REGISTRY=server.address)
    assert run.code == 5
    assert "does not have the digest" in run.err


def test_digest_of_the_bare_target_is_verified_too(ttag: Ttag, server: ScriptedServer) -> None:
    server.responses = [response({**RESOLUTION, "digest": f"sha256:{'0' * 64}"})]
    assert ttag("resolve", "acme/board", TTAG_REGISTRY=server.address).code == 5


def test_missing_registry_has_exit_code_2(ttag: Ttag) -> None:
    run = ttag("resolve", "arm/soc", TTAG_REGISTRY="")
    assert run.code == 2
    assert "set TTAG_REGISTRY" in run.err


def test_file_is_written(ttag: Ttag, tmp_path: Path) -> None:
    run = ttag("resolve", "arm/soc@1.0.0", "-o", "target.json")
    assert (run.code, run.out) == (0, "")
    assert json.loads((tmp_path / "work" / "target.json").read_text())["kind"] == "c"


def test_several_references_go_into_a_folder(ttag: Ttag, tmp_path: Path) -> None:
    ttag("resolve", "arm/soc:aot", "aws/c4.4xlarge@1", "--format", "clang", "-o", "flags")
    names = {path.name for path in (tmp_path / "work" / "flags").iterdir()}
    assert names == {"arm_soc_aot", "aws_c4.4xlarge@1"}


def test_several_references_do_not_go_into_one_file(ttag: Ttag, tmp_path: Path) -> None:
    (tmp_path / "work" / "flags").write_text("mine")
    run = ttag("resolve", "arm/soc", "arm/soc:aot", "-o", "flags")
    assert run.code == 2
    assert (tmp_path / "work" / "flags").read_text() == "mine"


def test_references_with_one_file_name_are_not_written(ttag: Ttag, tmp_path: Path) -> None:
    run = ttag("resolve", "arm/soc", "arm/soc", "-o", "flags")
    assert (run.code, (tmp_path / "work" / "flags").exists()) == (2, False)


def test_file_that_cannot_be_written_has_exit_code_6(ttag: Ttag, tmp_path: Path) -> None:
    (tmp_path / "work" / "file").write_text("")
    run = ttag("resolve", "arm/soc", "-o", "file/target.json")
    assert run.code == 6
    assert "cannot be written" in run.err


def test_namespace_is_asked_at_its_own_registry_only(
    ttag: Ttag, tmp_path: Path, server: ScriptedServer
) -> None:
    server.responses = [response(RESOLUTION)]
    (tmp_path / "work" / "ttag.toml").write_text(f'namespaces = {{acme = "{server.address}"}}')
    run = ttag("resolve", "acme/board", "arm/soc", "--format", "json")
    assert run.code == 0
    assert len(server.requests) == 1
    assert "acme/board" in server.requests[0]


def test_interpreter_runs_the_module(registry: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ttag", "resolve", "arm/soc"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "client"), "TTAG_REGISTRY": registry},
    )
    assert json.loads(done.stdout)["kind"] == "c"


REFUSING, CHANGED = "arm/soc:nope", "diff --exit-code arm/soc arm/soc:aot"


@pytest.mark.parametrize(
    ("command", "redirection", "expected"),
    [
        ("resolve --help", "| true", (0, "")),
        ("resolve arm/soc", "| true", (0, "")),
        (CHANGED, "| true", (1, "")),
        (f"resolve {REFUSING}", "| true", (3, "error: There is no tag")),
        (
            "resolve arm/soc",
            "> /dev/full",
            (6, "error: Standard output cannot be written: No space"),
        ),
        (CHANGED, "> /dev/full", (6, "error: Standard output cannot be written: No space")),
        ("resolve arm/soc", ">&-", (6, "error: Standard output cannot be written")),
        (f"resolve {REFUSING}", ">&-", (3, "error: There is no tag")),
        (f"resolve {REFUSING}", "2> /dev/full", (3, "")),
        (f"resolve {REFUSING}", "2>&-", (3, "")),
        ("resolve arm/soc", "2>&-", (0, "")),
    ],
)
def test_exit_code_is_that_of_the_command_wherever_its_output_goes(
    registry: str, tmp_path: Path, command: str, redirection: str, expected: tuple[int, str]
) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m ttag {command} {redirection}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "client"), "TTAG_REGISTRY": registry},
    )
    code, message = expected
    assert done.returncode == code
    assert done.stderr.startswith(message)
    assert bool(done.stderr) == bool(message)
