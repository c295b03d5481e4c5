# ruff: noqa: E501 - tables read best in rows
"""Reading Python's calls and literals for targets."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import Refused, TextPosition
from registry.domain.importers.tvm import IMPORTER
from registry.domain.importing import Imported
from tests.domain.builders import KINDS, refusal
from tests.domain.strategies import targets

LLVM = {"kind": "llvm", "mcpu": "x"}


def read(source: str) -> Imported:
    return IMPORTER.read(source, KINDS)


def messages(source: str) -> list[str]:
    notes = read(source).notes
    assert {note.pointer for note in notes} == {""}
    return [note.message for note in notes]


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("Target('llvm -mcpu=x')", LLVM),
        ("Target('llvm')", {"kind": "llvm"}),
        ("tvm.target.create('llvm -mcpu=x')", LLVM),
        ("'llvm -mcpu=x'", LLVM),
        ("t = {'kind': 'llvm', 'mcpu': 'x',}", LLVM),
        ("{'kind': 'llvm', 'mcpu': 'x'},", LLVM),
        ("Target({'kind': 'llvm', 'fast-math': True, 'libs': ('mkl',), 'num-cores': 4})", {"kind": "llvm", "fast-math": True, "libs": ["mkl"], "num-cores": 4}),
        ("Target({'kind': 'llvm', 'num-cores': -4})", {"kind": "llvm", "num-cores": -4}),
        ("Target('{\"kind\": \"llvm\"}')", {"kind": "llvm"}),
        ("Target('nvidia/a100')", {"tag": "nvidia/a100"}),
        ("Target('nvidia/a100 -libs=cudnn')", {"tag": "nvidia/a100", "libs": ["cudnn"]}),
        ("Target('cuda', host='llvm -mcpu=x')", {"kind": "cuda", "host": LLVM}),
        ("Target('cuda', 'llvm')", {"kind": "cuda", "host": "llvm"}),
        ("Target(target='cuda', host=Target('llvm -mcpu=x'))", {"kind": "cuda", "host": LLVM}),
        ("Target(Target({'kind': 'cuda'}), host={'kind': 'llvm', 'mcpu': 'x'})", {"kind": "cuda", "host": LLVM}),
        ("Target('cuda', host=None)", {"kind": "cuda"}),
        ("Target({'kind': 'cuda', 'host': None})", {"kind": "cuda"}),
        ("Target('cuda').with_host('llvm -mcpu=x')", {"kind": "cuda", "host": LLVM}),
        ("Target('cuda -arch=' + 'sm_80')", {"kind": "cuda", "arch": "sm_80"}),
        ("Target('cuda ' '-arch=sm_80')", {"kind": "cuda", "arch": "sm_80"}),
        ("Target({'kind': 'composite', 'devices': ['cuda', Target('llvm')]})", {"kind": "composite", "devices": ["cuda", "llvm"]}),
        ("tvm.target.cuda(model='T4', arch='sm_75')", {"kind": "cuda", "model": "T4", "arch": "sm_75"}),
        ("tvm.target.cuda()", {"kind": "cuda", "model": "unknown"}),
        ("tvm.target.cuda(options='-libs=cudnn -model=T4')", {"kind": "cuda", "libs": ["cudnn"], "model": "T4"}),
        ("tvm.target.mali(options=['-model=rk3399', '-max_num_threads=256'])", {"kind": "opencl", "device": "mali", "model": "rk3399", "max_num_threads": 256}),
        ("tvm.target.rocm('gfx900')", {"kind": "rocm", "model": "gfx900"}),
    ],
)  # fmt: skip
def test_calls_and_literals_are_read(source: str, body: dict[str, Any]) -> None:
    assert read(source).body == body


def test_notes_name_lines_and_columns() -> None:
    assert messages(
        "Target('cuda', host={'kind': 'llvm', 'fast-math': 1,\n  'mattr': ['avx2']})"
    ) == [
        "read as Python",
        "line 1, column 51: read as true",
        "line 2, column 13: the feature avx2 is switched on: +avx2",
    ]
    assert messages("Target('cuda', host='llvm -target=arm64-apple-macos')") == [
        "read as Python",
        "line 1, column 21, -target at character 5: target is named mtriple now",
    ]


def test_a_replaced_host_and_a_default_model_are_noted() -> None:
    replaced = "the host that is given last replaces the target's own"
    assert any(replaced in message for message in messages("Target('cuda -host=c', host='llvm')"))
    assert "the model is unknown, as the function cuda states it" in messages("tvm.target.cuda()")


@pytest.mark.parametrize(
    ("source", "code", "message", "column"),
    [
        ("Target(name)", "PYTHON_INVALID", "the value of name is not stated", 8),
        ("Target('cuda', host=host)", "PYTHON_INVALID", "line 1, column 21: the value of host is not stated", 21),
        ("Target()", "PYTHON_INVALID", "Target has no target", 1),
        ("Target('c', 'c', 'c')", "PYTHON_INVALID", "3 arguments are more than 2", 1),
        ("Target('c', hosts='c')", "PYTHON_INVALID", "the argument hosts is not expected", 1),
        ("Target('c', target='c')", "PYTHON_INVALID", "the argument target is not expected", 1),
        ("Target(5)", "PYTHON_INVALID", "5 is not a target", 8),
        ("Target(**x)", "PYTHON_INVALID", "**x) is not expected here", 8),
        ("tvm.target.opengl('pixel2')", "PYTHON_INVALID", "tvm.target.opengl is not a call that is read", 1),
        ("tvm.target.Targt('c')", "PYTHON_INVALID", "tvm.target.Targt is not a call", 1),
        ("Target.from_device('cuda')", "OPTION_UNKNOWN", "from_device asks the machine", 1),
        ("Target({'kind': 'c', 'kind': 'c'})", "PYTHON_INVALID", "the key kind occurs twice", 8),
        ("Target({5: 'c'})", "PYTHON_INVALID", "a key is not a text", 8),
        ("Target({'kind': 'llvm', 'mcpu': 1 + 2})", "PYTHON_INVALID", "line 1, column 33: this is neither", 33),
        ("Target({'kind': 'llvm', 'mcpu': 1e999})", "PYTHON_INVALID", "the number is not finite", 33),
        (f"Target({{'kind': 'llvm', 'mcpu': {10**400}}})", "PYTHON_INVALID", "the number is not finite", 33),
        (r"Target('\ud800')", "PYTHON_INVALID", "half of a surrogate pair", 8),
        ("Target('llvm -mcpuu=x')", "OPTION_UNKNOWN", "-mcpuu at character 5: llvm has no option mcpuu", 8),
        ("Target('cuda', host='llvm -mcpuu=x')", "OPTION_UNKNOWN", "line 1, column 21: -mcpuu at character 5: llvm has", 21),
        ("Target('cudnn')", "KIND_UNKNOWN", "cudnn is a kind that TVM removed", 8),
        ("Target({'mcpu': 'x'})", "OPTION_MISSING", "neither a kind nor a tag is stated", 8),
    ],
)  # fmt: skip
def test_faults_have_positions(source: str, code: str, message: str, column: int) -> None:
    (fault,) = refusal(lambda: read(source)).faults
    assert (fault.pointer, fault.code) == ("", code)
    assert message in fault.message
    assert fault.place == TextPosition(1, column)


def test_an_unknown_call_has_suggestions() -> None:
    (fault,) = refusal(lambda: read("tvm.target.Targt('c')")).faults
    assert fault.suggestions[:1] == ("Target",)


@given(targets)
def test_python_literals_and_json_give_the_same_body(target: dict[str, Any]) -> None:
    expected = IMPORTER.read(target, KINDS).body
    assert read(repr(target)).body == expected
    assert read(f"Target({target!r})").body == expected
    assert read(f"t = tvm.target.Target(\n  {target!r},\n)").body == expected


PARTS = st.sampled_from(
    ["Target", "tvm.target.", "cuda", "(", ")", "{", "}", "'kind'", ":", ",", "'llvm'", "host=", "'c -a'", "None", "1", "[", "]", "-", "+", ".with_host", " "]
)  # fmt: skip


@given(st.lists(PARTS, max_size=14).map("".join))
def test_any_text_is_read_or_rejected(text: str) -> None:
    for source in (text, f"Target({text})", f"Target('c', host={text})"):
        with suppress(Refused):
            assert isinstance(read(source).body, dict)
