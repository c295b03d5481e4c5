"""Reading the command line that TVM accepted until 0.23."""

import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from registry.domain.document import MAX_BYTES
from registry.domain.errors import Code, Refused, TextPosition
from registry.domain.importers.tvm_string import IMPORTER
from registry.domain.kinds.kinds import UNOFFERED
from registry.domain.kinds.schema import MAX_SUGGESTIONS
from registry.domain.tvm.command_line import quote_word
from tests.domain.builders import KINDS, refusal, target_of


def body(line: str) -> dict[str, Any]:
    return IMPORTER.read(line, KINDS).body


def notes(line: str) -> list[str]:
    result = IMPORTER.read(line, KINDS).notes
    assert all(note.pointer == "" for note in result)
    return [note.message for note in result]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("llvm", {"kind": "llvm"}),
        ("  llvm \n", {"kind": "llvm"}),
        ("cuda -libs=cudnn", {"kind": "cuda", "libs": ["cudnn"]}),
        ("cuda --libs=cudnn", {"kind": "cuda", "libs": ["cudnn"]}),
        ("c --executor=aot --runtime=crt", {"kind": "c", "executor": "aot", "runtime": "crt"}),
        ("cuda --libs=cudnn,cublas", {"kind": "cuda", "libs": ["cudnn", "cublas"]}),
        ("llvm -mcpu skylake", {"kind": "llvm", "mcpu": "skylake"}),
        ("llvm -fast-math", {"kind": "llvm", "fast-math": True}),
        ("llvm -fast-math -mcpu=x", {"kind": "llvm", "fast-math": True, "mcpu": "x"}),
        ("llvm -fast-math 0", {"kind": "llvm", "fast-math": False}),
        ("llvm -opt-level=TRUE", {"kind": "llvm", "opt-level": 1}),
        ("llvm -fast-math=False", {"kind": "llvm", "fast-math": False}),
        ("llvm -mcpu=' x '", {"kind": "llvm", "mcpu": "x"}),
        ("llvm -keys=,", {"kind": "llvm", "keys": []}),
        ("llvm -keys=a,b -model=m", {"kind": "llvm", "keys": ["a", "b"], "model": "m"}),
        ("opencl -device=mali", {"kind": "opencl", "device": "mali"}),
        ("llvm -cl-opt=-x=1,--y=a", {"kind": "llvm", "cl-opt": ["-x=1", "--y=a"]}),
        ("cuda -host=llvm", {"kind": "cuda", "host": {"kind": "llvm"}}),
        ("cuda -host llvm", {"kind": "cuda", "host": {"kind": "llvm"}}),
        (
            r"llvm -host='llvm -mattr=\'+a,+b\''",
            {"kind": "llvm", "host": {"kind": "llvm", "mattr": ["+a", "+b"]}},
        ),
        (
            r"cuda -host='llvm -host=\'c -keys=\\\'a,b\\\'\''",
            {
                "kind": "cuda",
                "host": {"kind": "llvm", "host": {"kind": "c", "keys": ["a", "b"]}},
            },
        ),
        (r"cuda -host=llvm\ -mcpu=x", {"kind": "cuda", "host": {"kind": "llvm", "mcpu": "x"}}),
        ("cuda -host=acme/board:cpu@1", {"kind": "cuda", "host": "acme/board:cpu@1"}),
        (
            'cuda -host={"kind":"llvm","mcpu":"x"}',
            {"kind": "cuda", "host": {"kind": "llvm", "mcpu": "x"}},
        ),
        (
            'cuda -host=\'{"kind": "llvm", "num-cores": 4}\'',
            {"kind": "cuda", "host": {"kind": "llvm", "num-cores": 4}},
        ),
        (
            r"composite -devices=cuda,'llvm -mattr=\'+a,+b\''",
            {
                "kind": "composite",
                "devices": [{"kind": "cuda"}, {"kind": "llvm", "mattr": ["+a", "+b"]}],
            },
        ),
        ("nvidia/jetson-nano:cuda", {"tag": "nvidia/jetson-nano:cuda"}),
        (" nvidia/jetson-nano@1.0 ", {"tag": "nvidia/jetson-nano@1.0"}),
        ("nvidia/geforce-gt-730-ddr3,128bit", {"tag": "nvidia/geforce-gt-730-ddr3,128bit"}),
    ],
)
def test_lines_are_read_as_bodies(line: str, expected: dict[str, Any]) -> None:
    assert body(line) == expected
    assert notes(line) == []


AOT = {"kind": "aot", "unpacked-api": True, "interface-api": "c"}


@pytest.mark.parametrize(
    ("line", "expected", "messages"),
    [
        (
            "c -executor=aot -unpacked-api=1 -interface-api=c -runtime=c",
            {"kind": "c", "executor": AOT, "runtime": "crt"},
            [
                "-runtime at character 49: the runtime c is named crt",
                "-unpacked-api at character 16: unpacked-api belongs to the executor",
                "-interface-api at character 32: interface-api belongs to the executor",
            ],
        ),
        (
            "llvm -link-params -system-lib",
            {
                "kind": "llvm",
                "flow": {"link-params": True},
                "runtime": {"kind": "cpp", "system-lib": True},
            },
            [
                "-link-params at character 5: link-params belongs to the flow",
                "-system-lib at character 18: system-lib belongs to the runtime",
            ],
        ),
        (
            "cuda -host='c -runtime=c'",
            {"kind": "cuda", "host": {"kind": "c"}, "runtime": "crt"},
            [
                "-runtime at character 14: the runtime c is named crt",
                (
                    "-host at character 5: "
                    "its runtime applies to the whole target, not only to the host"
                ),
            ],
        ),
        (
            "cuda -tag=acme/board -arch=sm_53",
            {"tag": "acme/board", "arch": "sm_53"},
            ["the kind is that of acme/board, which is inherited"],
        ),
        (
            "cuda -tag='' -target_device_type=2",
            {"kind": "cuda"},
            [
                "left out members that TVM adds: target_device_type",
                "-tag at character 5: left out an empty tag",
            ],
        ),
        (
            "llvm -num-cores=12abc -fast-math=2x -opt-level=+1 -vector-width=' 256 '",
            {
                "kind": "llvm",
                "num-cores": 12,
                "fast-math": True,
                "opt-level": 1,
                "vector-width": 256,
            },
            ["-num-cores at character 5: read as 12", "-fast-math at character 22: read as true"],
        ),
        (
            "llvm -mcpu -num-cores -fast-math",
            {"kind": "llvm", "mcpu": "1", "num-cores": 1, "fast-math": True},
            ["-mcpu at character 5: read as 1"],
        ),
        (
            'cuda -model="Tesla T4" -arch="sm_75"',
            {"kind": "cuda", "model": "Tesla T4", "arch": "sm_75"},
            [
                "-model at character 5: the double quotes are left out",
                "-arch at character 23: the double quotes are left out",
            ],
        ),
        ("cuda -model='Tesla T4'", {"kind": "cuda", "model": "Tesla T4"}, []),
        (
            "llvm -mattr=+a,,+b -keys=cpu, -libs=,",
            {"kind": "llvm", "mattr": ["+a", "+b"], "keys": ["cpu"], "libs": []},
            [
                "-mattr at character 5: left out the empty items of the list",
                "-keys at character 19: left out the empty items of the list",
            ],
        ),
        (
            '{"kind": "llvm", "libs": ["mkl"]}',
            {"kind": "llvm", "libs": ["mkl"]},
            ["read as JSON, by the importer tvm"],
        ),
    ],
)
def test_moved_options_are_noted(line: str, expected: dict[str, Any], messages: list[str]) -> None:
    assert body(line) == expected
    assert notes(line) == messages


NO_DASH = "does not begin with a dash and is not an option's value"


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("", "OPTION_MISSING", "a target is missing"),
        ("  \n", "OPTION_MISSING", "a target is missing"),
        ("lvm", "KIND_UNKNOWN", "at character 0: lvm is not a known kind"),
        ("  'llvm'", "KIND_UNKNOWN", "at character 2: 'llvm' is not a known kind"),
        ("-mcpu=a/b", "KIND_UNKNOWN", "at character 0: -mcpu=a/b is not a known kind"),
        (
            "cublas",
            "KIND_UNKNOWN",
            "at character 0: cublas is a kind that TVM removed after 0.19: an external code",
        ),
        ("llvm mcpu=x", "OPTION_INVALID", f"mcpu=x at character 5 {NO_DASH}"),
        ("llvm -mcpu=x y", "OPTION_INVALID", f"y at character 13 {NO_DASH}"),
        ("llvm -", "OPTION_INVALID", "- at character 5 has no option name"),
        ("llvm --=x", "OPTION_INVALID", "--=x at character 5 has no option name"),
        ("llvm -mcpu=", "OPTION_INVALID", "-mcpu= at character 5 has no value after the ="),
        (
            "llvm -mcpu=a -mcpu=a",
            "OPTION_TWICE",
            "-mcpu at character 13 is a duplicate of the one at character 5",
        ),
        (
            "llvm -kind=c",
            "OPTION_TWICE",
            "-kind at character 5 is a duplicate of the one at character 0",
        ),
        ("llvm -mcpuu=x", "OPTION_UNKNOWN", "-mcpuu at character 5: llvm has no option mcpuu"),
        ("llvm -mcpu -x", "OPTION_UNKNOWN", "-x at character 11: llvm has no option x"),
        (
            "llvm -feature.has_sve",
            "OPTION_UNKNOWN",
            "-feature.has_sve at character 5: llvm has no option feature.has_sve",
        ),
        (
            "llvm -devices=c",
            "OPTION_UNKNOWN",
            "-devices at character 5: llvm has no option devices",
        ),
        (
            "composite -arch=llvm -devices=llvm",
            "OPTION_UNKNOWN",
            "-arch at character 10: composite has no option arch",
        ),
        (
            "vulkan -from_device=0",
            "OPTION_UNKNOWN",
            "-from_device at character 7: from_device asks the machine that builds",
        ),
        (
            "acme/board -nope=1",
            "OPTION_UNKNOWN",
            "-nope at character 11: no kind has an option nope",
        ),
        ("llvm -mattr", "OPTION_INVALID", "-mattr at character 5: a list has no value"),
        (
            "rocm -mcpu=gfx90a:xnack",
            "VALUE_INVALID",
            "-mcpu at character 5: gfx90a:xnack is not an AMD target ID",
        ),
        (
            "llvm -flow=x",
            "VALUE_TYPE",
            "-flow at character 5: flow is an object, which a command line cannot express",
        ),
        (
            "llvm -hardware x",
            "VALUE_TYPE",
            "-hardware at character 5: hardware is an object, which a command line cannot express",
        ),
        (
            "llvm -num-cores=abc",
            "VALUE_TYPE",
            "-num-cores at character 5: abc is not of type integer",
        ),
        (
            "llvm -fast-math=yes",
            "VALUE_TYPE",
            "-fast-math at character 5: yes is not of type boolean",
        ),
        (
            "llvm -num-cores=9223372036854775808",
            "VALUE_RANGE",
            "-num-cores at character 5: 9223372036854775808 is beyond 64 bits",
        ),
        ("llvm -mcpu='a", "QUOTE_OPEN", "the quote at character 11 is not closed"),
        (
            r"llvm -host='llvm -mattr=\'+a'",
            "QUOTE_OPEN",
            "-host at character 5: the quote at character 25 is not closed",
        ),
        (
            r"llvm -mattr='+a,\'+b'",
            "QUOTE_OPEN",
            "-mattr at character 5: the quote at character 17 is not closed",
        ),
        (
            "llvm -mcpu=a\\",
            "QUOTE_OPEN",
            r"-mcpu at character 5: the \ at character 12 escapes nothing",
        ),
        ("llvm -host=''", "OPTION_MISSING", "-host at character 5: a target is missing"),
        ("cuda -host=lvm", "KIND_UNKNOWN", "at character 11: lvm is not a known kind"),
        (
            "cuda -host='llvm -mcpuu=x'",
            "OPTION_UNKNOWN",
            "-mcpuu at character 17: llvm has no option mcpuu",
        ),
        (
            "cuda -host={",
            "JSON_INVALID",
            "-host at character 5: Invalid JSON",
        ),
        (
            'cuda -host={"kind":"cublas"}',
            "KIND_UNKNOWN",
            "-host at character 5: cublas is a kind that TVM removed after 0.19",
        ),
    ],
)
def test_invalid_lines_are_rejected(line: str, code: str, message: str) -> None:
    (fault,) = refusal(lambda: body(line)).faults
    assert (fault.pointer, fault.code) == ("", code)
    assert fault.message.startswith(message)


@pytest.mark.parametrize("source", [None, 3, ["llvm"], {"kind": "llvm"}])
def test_other_sources_are_referred_to_the_tvm_importer(source: Any) -> None:
    refused = refusal(lambda: IMPORTER.read(source, KINDS))
    assert refused.code == Code.BODY_INVALID
    assert refused.detail.endswith("is not text; JSON is read by the importer tvm.")


def test_faults_have_expectations_and_suggestions() -> None:
    line = "llvm -mcpuu=x y -kind=c -num-corse=4 -host='cdua' -opt-level=x"
    refused = refusal(lambda: body(line))
    assert refused.code == Code.BODY_INVALID
    assert [(fault.code, fault.expected, fault.found) for fault in refused.faults] == [
        ("OPTION_UNKNOWN", "a known option", "mcpuu"),
        ("OPTION_INVALID", "an option such as -mcpu=cortex-a53", "y"),
        ("OPTION_TWICE", "each option once", ""),
        ("OPTION_UNKNOWN", "a known option", "num-corse"),
        ("KIND_UNKNOWN", "one of " + ", ".join(sorted(KINDS.targets.keys() - UNOFFERED)), "cdua"),
        ("VALUE_TYPE", "integer", "x"),
    ]
    near = [fault.suggestions[:1] for fault in refused.faults]
    assert near == [("mcpu",), (), (), ("num-cores",), ("cuda",), ()]
    places = [fault.place for fault in refused.faults]
    assert places == [TextPosition(1, column) for column in (6, 15, 17, 25, 45, 51)]


def test_only_the_first_faults_have_suggestions() -> None:
    line = "llvm " + " ".join(f"-mcpu{index}" for index in range(MAX_SUGGESTIONS + 5))
    near = [fault.suggestions for fault in refusal(lambda: body(line)).faults]
    assert near == [("mcpu",)] * MAX_SUGGESTIONS + [()] * 5


def test_a_line_and_equivalent_json_give_the_same_target() -> None:
    assert target_of(body("cuda -libs=cudnn")) == target_of({"kind": "cuda", "libs": ["cudnn"]})


@given(
    st.one_of(
        st.text("ab' ,\\=-/{}1", max_size=30),
        st.text(max_size=20),
        st.lists(
            st.one_of(
                st.sampled_from(
                    ["-host=", "-mattr=", "-num-cores", "=", "' ", "\\'", "llvm", "-tag="]
                ),
                st.text(max_size=3),
            ),
            max_size=12,
        ).map("".join),
    )
)
@example("\ud800")
@example("llvm -model=\0")
def test_any_text_is_read_or_rejected(text: str) -> None:
    for line in (text, f"llvm {text}", f"cuda -host={quote_word(f'llvm {text}')}"):
        with suppress(Refused):
            assert isinstance(body(line), dict)


def nested(size: int) -> str:
    """Return as many nested hosts as fit into the length."""
    line, deeper = "c", "c -host=c"
    while len(deeper) <= size:
        line, deeper = deeper, f"c -host={quote_word(deeper)}"
    return line


LONG = {
    "quotes": "llvm -model=" + "'" * MAX_BYTES,
    "backslashes": "llvm -model=" + "\\" * MAX_BYTES,
    "dashes": "llvm " + "-" * MAX_BYTES,
    "no names": "llvm " + "- " * (MAX_BYTES // 2),
    "options": "llvm " + "".join(f"-mcp{index:05} " for index in range(MAX_BYTES // 10)),
    "words": "llvm " + "a " * (MAX_BYTES // 2),
    "commas": "llvm -mattr=" + "," * MAX_BYTES,
    "items": "llvm -mattr=" + "'a'," * (MAX_BYTES // 4),
    "devices": "composite -devices=" + "c," * (MAX_BYTES // 2),
    "zeros": "llvm -num-cores=" + "0" * MAX_BYTES,
    "digits": "llvm -num-cores=" + "9" * MAX_BYTES,
    "braces": "llvm -host=" + "{" * MAX_BYTES,
    "blanks": "llvm" + " " * MAX_BYTES,
    "escaped quotes": "c -host='" + "\\'" * (MAX_BYTES // 2) + "'",
    "hosts": nested(MAX_BYTES),
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_no_line_is_slow(line: str) -> None:
    """The limit is far above linear time and far below quadratic time."""
    began = time.process_time()
    with suppress(Refused):
        body(line)
    assert time.process_time() - began < 5


def test_hosts_nest_as_deep_as_quoting_allows() -> None:
    result, depth = body(nested(MAX_BYTES)), 0
    while "host" in result:
        result, depth = result["host"], depth + 1
    assert depth > 10
