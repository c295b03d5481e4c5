"""The commands that show what a registry has: search, show, versions, diff, explain."""

import json

import pytest

from tests.client.conftest import Ttag
from tests.client.scripted_server import ScriptedServer, response

COMMANDS = [
    ("search", "jetson"),
    ("show", "arm/soc"),
    ("versions", "arm/soc"),
    ("diff", "arm/soc", "arm/soc:aot"),
    ("explain", "arm/soc"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_json_is_the_whole_output(ttag: Ttag, command: tuple[str, ...]) -> None:
    run = ttag(*command, "--json")
    assert (run.code, run.err) == (0, "")
    assert json.loads(run.out)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_output_that_is_no_terminal_has_no_styles(ttag: Ttag, command: tuple[str, ...]) -> None:
    assert "\x1b" not in ttag(*command).out


def test_search_is_a_table(ttag: Ttag) -> None:
    run = ttag("search", "jetson", "--limit", "1")
    header, row = run.out.splitlines()
    assert header.split() == ["TAG", "VERSION", "KIND", "ARCH", "VENDOR", "MATCHED"]
    assert row.startswith("nvidia/jetson-")
    assert "--limit shows more" in run.err


def test_search_without_a_hit_is_no_error(ttag: Ttag) -> None:
    run = ttag("search", "cordroy")
    assert (run.code, run.out) == (0, "")
    assert "No tag matches." in run.err


def test_wrong_filter_has_the_nearest_value(ttag: Ttag) -> None:
    run = ttag("search", "--vendor", "nvida")
    assert run.code == 3
    assert run.err.endswith("Did you mean NVIDIA?\n")


def test_limit_must_be_positive(ttag: Ttag) -> None:
    run = ttag("search", "--limit", "0")
    assert run.code == 2
    assert "'0' is not a number from 1" in run.err


def test_show_says_what_a_tag_is(ttag: Ttag) -> None:
    lines = ttag("show", "nvidia/jetson-nano:cuda@1.2.0").out.splitlines()
    assert lines[0] == "nvidia/jetson-nano:cuda@1.2.0"
    rows = dict(line.split("  ", 1) for line in lines if "  " in line)
    assert rows["target"].strip() == "cuda, sm_53"
    assert rows["host /host"] == "llvm, cortex-a57, aarch64-linux-gnu"
    assert rows["memory bandwidth"] == "25.6 GB/s"
    assert rows["memory"].strip() == "4 GiB"


def test_show_says_what_is_doubtful(ttag: Ttag) -> None:
    run = ttag("show", "apple/m1-gpu")
    assert "doubtful: /host: without num-cores, MetaSchedule refuses to tune" in run.out
    assert "doubtful" not in ttag("show", "arm/soc").out


def test_show_has_the_message_of_the_selected_version_only(ttag: Ttag) -> None:
    assert "message" in ttag("show", "nvidia/jetson-nano").out
    assert "message" not in ttag("show", "nvidia/jetson-nano@1.0.0").out


def test_versions_are_listed_with_their_messages(ttag: Ttag) -> None:
    lines = ttag("versions", "nvidia/jetson-nano").out.splitlines()
    assert [line.split()[0] for line in lines] == ["VERSION", "1.1.1", "1.1.0", "1.0.0"]
    assert lines[3].endswith("As TVM 0.27 has it")


def test_explain_has_a_line_for_each_value(ttag: Ttag) -> None:
    lines = ttag("explain", "arm/soc:aot@1.0.0").out.splitlines()
    assert lines[0] == "arm/soc:aot@1.0.0"
    assert ["/keys", "arm/soc@1.0.0", '["arm_cpu",', '"cpu"]'] in [line.split() for line in lines]


def test_diff_says_what_changes_for_a_build(ttag: Ttag) -> None:
    run = ttag("diff", "nvidia/jetson-nano@1.0.0...nvidia/jetson-nano@1.1.0")
    assert run.out.splitlines() == [
        "nvidia/jetson-nano@1.0.0 -> nvidia/jetson-nano@1.1.0: MINOR",
        "  + /host/kind  llvm  (codegen, affects tuning)",
        "  + /host/mcpu  cortex-a57  (codegen, affects tuning)",
        "  + /host/mtriple  aarch64-linux-gnu  (codegen, affects tuning)",
        "  + /host/num-cores  4  (tuning, affects tuning)",
        "Build: compile again.",
        "Tuning records still apply: the root.",
        "Tuning records do not exist yet: /host.",
    ]


def test_diff_signals_differences_by_its_exit_code_on_request(ttag: Ttag) -> None:
    assert ttag("diff", "arm/soc", "arm/soc:aot").code == 0
    assert ttag("diff", "arm/soc", "arm/soc:aot", "--exit-code").code == 1
    assert ttag("diff", "arm/soc", "arm/soc@1.0.0", "--exit-code").code == 0


def test_diff_needs_two_references(ttag: Ttag) -> None:
    run = ttag("diff", "arm/soc")
    assert (run.code, run.err) == (
        2,
        "error: arm/soc is one reference: expected OLD NEW or OLD...NEW.\n",
    )


def test_text_of_a_registry_cannot_control_the_terminal(ttag: Ttag, server: ScriptedServer) -> None:
    version: dict[str, object] = {
        "reference": "acme/board@1.0.0",
        "version": "1.0.0",
        "digest": "sha256:0",
        "kind": None,
        "published": "2026-11-20T12:00:00Z",
        "publisher": "mallory",
        "author": None,
        "message": "\x1b]0;title\x07\x1b[2J\u202egnp.exe\nsecond line",
        "sources": [],
        "status": "active",
        "yanked": None,
    }
    server.responses = [response({"results": [version], "next": None})]
    run = ttag("versions", "acme/board", TTAG_REGISTRY=server.address)
    assert run.out.count("\n") == 2
    assert run.out.removesuffix("\n").replace("\n", "").isprintable()
