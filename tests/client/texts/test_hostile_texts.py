"""A text that an honest registry would not have written is refused, whoever it came from."""

from dataclasses import replace
from typing import Any

import pytest

from tests.client.texts.subjects import honest
from tests.vectors import Change, TextVector, texts
from ttag.errors import ExitCode, NotLocked, Tampered
from ttag.texts import CHECKS, proven, read_text

VECTORS = texts()
X86, ARM, BOARD = (VECTORS.bodies[name] for name in ("x86", "arm", "board"))
OTHERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # where a format describes no CPU
    "hipcc": ({"kind": "rocm", "mcpu": "gfx90a"}, {"kind": "rocm", "mcpu": "gfx942"}),
    "nvcc": ({"kind": "cuda", "arch": "sm_80"}, {"kind": "cuda", "arch": "sm_90"}),
}
HOSTILE = [
    pytest.param(vector, change, id=f"{vector}-{index}-{change[1][:24]!a}")
    for vector in VECTORS.texts
    for index, change in enumerate(vector.refused)
]


def changed(text: str, change: Change) -> str:
    old, new = change
    assert old in text, "the table is of another text"
    return text.replace(old, new) if old else text + new


@pytest.mark.parametrize(("vector", "change"), HOSTILE)
def test_hostile_text_is_refused(vector: TextVector, change: Change) -> None:
    text = honest(VECTORS.bodies[vector.body], vector.format)
    hostile = replace(text.export, text=changed(text.export.text, change))
    with pytest.raises(Tampered) as caught:
        proven(hostile, text.resolution, source="The mirror")
    assert caught.value.exit_code == ExitCode.TAMPERED
    assert caught.value.message.isprintable()
    assert caught.value.message.isascii()


def test_each_format_has_twenty_hostile_texts() -> None:
    for form in CHECKS:
        changes = [
            each for vector in VECTORS.texts if vector.format == form for each in vector.refused
        ]
        assert len(changes) >= 20, form


@pytest.mark.parametrize("form", sorted(CHECKS))
def test_honest_text_of_another_target_is_refused(form: str) -> None:
    one, other = (
        honest(body, form) for body in OTHERS.get(form, (X86, {**X86, "mcpu": "skylake"}))
    )
    with pytest.raises(Tampered):
        proven(other.export, one.resolution, source="The cache")


@pytest.mark.parametrize(
    ("body", "dropped"),
    [(X86, "/mcpu"), (X86, "/mtriple"), (ARM, "/mfloat-abi"), (ARM, "/mattr"), (ARM, "/nowhere")],
)
def test_flag_that_has_to_be_written_cannot_be_declared_dropped(
    body: dict[str, Any], dropped: str
) -> None:
    text = honest(body, "clang")
    words = {
        "/mcpu": " -march=haswell",
        "/mtriple": "--target=x86_64-unknown-linux-gnu ",
        "/mfloat-abi": " -mfloat-abi=hard",
        "/mattr": " -Xclang -target-feature -Xclang +neon",
        "/nowhere": "",
    }
    shorter = text.export.text.replace(words[dropped], "", 1)
    hostile = replace(text.export, text=shorter, dropped=(*text.export.dropped, dropped))
    with pytest.raises(Tampered):
        proven(hostile, text.resolution, source="The lock")


def test_option_cannot_be_declared_dropped_from_a_command_line() -> None:
    text = honest(X86, "tvm-string")
    shorter = text.export.text.replace(" -mcpu=haswell", "")
    hostile = replace(text.export, text=shorter, dropped=("/mcpu",))
    with pytest.raises(Tampered, match="lacks '/mcpu' of the target"):
        proven(hostile, text.resolution, source="The lock")


def test_list_cannot_be_declared_dropped_from_a_command_line() -> None:
    text = honest(ARM, "tvm-string")
    shorter = text.export.text.replace(" -mattr=+neon", "")
    assert shorter != text.export.text
    hostile = replace(text.export, text=shorter, dropped=("/mattr",))
    with pytest.raises(Tampered, match="lacks '/mattr' of the target"):
        proven(hostile, text.resolution, source="The lock")


@pytest.mark.parametrize(
    ("option", "lie"),
    [
        ("-executor=aot", "-executor=graph"),
        ("-runtime=c ", "-runtime=c++ "),
        ("-link-params=1", "-link-params=0"),
        ("-system-lib=1", "-system-lib=0"),
        ("-unpacked-api=1", "-unpacked-api=0"),
        ("-unpacked-api=1", "-interface-api=packed"),
    ],
)
def test_setting_of_a_command_line_is_that_of_the_target(option: str, lie: str) -> None:
    body = {
        "kind": "c",
        "mcpu": "cortex-m7",
        "executor": {"kind": "aot", "unpacked-api": True},
        "runtime": {"kind": "crt", "system-lib": True},
        "flow": {"link-params": True},
    }
    text = honest(body, "tvm-string")
    assert option in text.export.text
    hostile = replace(text.export, text=text.export.text.replace(option, lie))
    with pytest.raises(Tampered, match="which is not in the target"):
        proven(hostile, text.resolution, source="The mirror")


def test_toolchain_file_cannot_leave_out_the_host() -> None:
    text = honest(BOARD, "cmake")
    lines = text.export.text.splitlines(keepends=True)
    hostile = replace(text.export, text=lines[0] + lines[-1], dropped=("/host",))
    with pytest.raises(Tampered, match="lacks the CPU of the target"):
        proven(hostile, text.resolution, source="The lock")


GPUS = {
    "kind": "composite",
    "host": X86,
    "devices": [{"kind": "cuda", "arch": f"sm_{name}"} for name in ("90a", "100", "100f", "101")],
}
NOW = "90-virtual;90a-real;100-virtual;100f-real;110"


@pytest.mark.parametrize(
    "text",
    [
        NOW,
        "90-virtual;90a-real;100;100-virtual;100f-real;101",  # of release 0.2
        "90a;100;100f;101",  # of release 0.1
    ],
)
def test_toolchain_file_may_have_the_architectures_of_this_release_and_earlier_ones(
    text: str,
) -> None:
    own = honest(GPUS, "cmake")
    assert f'"{NOW}"' in own.export.text
    earlier = replace(own.export, text=own.export.text.replace(NOW, text))
    proven(earlier, own.resolution, source="The lock")


@pytest.mark.parametrize(
    "lie",
    [
        "90-virtual;90a-real;100-virtual;100f-real",
        "90-virtual;90a-real;100-virtual;100f-real;101",
        "90-virtual;90a-real;100;100f-real;110",
        "90-virtual;100-virtual;110",
        "90a;100f;110",
    ],
)
def test_toolchain_file_cannot_have_other_architectures(lie: str) -> None:
    own = honest(GPUS, "cmake")
    hostile = replace(own.export, text=own.export.text.replace(NOW, lie))
    with pytest.raises(Tampered, match="which are not the target's"):
        proven(hostile, own.resolution, source="The lock")


def test_triple_that_a_processor_implies_cannot_be_left_out() -> None:
    text = honest({"kind": "c", "mcpu": "cortex-m7"}, "clang")
    assert text.export.text == "--target=arm-none-eabi -mcpu=cortex-m7\n"
    hostile = replace(text.export, text="-mcpu=cortex-m7\n")
    with pytest.raises(Tampered, match="lacks the triple of the target"):
        proven(hostile, text.resolution, source="The lock")


def test_devices_that_swap_places_are_refused() -> None:
    swapped = {
        **BOARD,
        "devices": {"gpu2": BOARD["devices"]["gpu10"], "gpu10": BOARD["devices"]["gpu2"]},
    }
    for form in ("tvm", "config", "consumers", "tuning"):
        with pytest.raises(Tampered):
            proven(honest(swapped, form).export, honest(BOARD, form).resolution, source="The lock")


def test_flags_of_a_device_are_not_those_of_the_host() -> None:
    machine = {"kind": "llvm", "mcpu": "skylake", "mtriple": "x86_64-linux-gnu", "host": X86}
    for form in ("clang", "cmake", "iree"):
        with pytest.raises(Tampered):
            proven(honest(X86, form).export, honest(machine, form).resolution, source="The lock")


def test_origins_that_were_not_asked_for_are_refused() -> None:
    text = honest(X86, "tvm")
    recorded = text.export.text.replace('"num-cores":4', '"num-cores":4,"tag":"acme/board@1.0.0"')
    export = replace(text.export, text=recorded)
    with pytest.raises(Tampered, match="records the origin"):
        proven(export, text.resolution, source="The registry")
    proven(export, text.resolution, source="The registry", is_recorded=True)
    other = replace(export, text=recorded.replace("acme/board@", "acme/other@"))
    with pytest.raises(Tampered, match="records the origin"):
        proven(other, text.resolution, source="The registry", is_recorded=True)


def test_format_that_this_release_does_not_know_is_not_passed_on() -> None:
    text = honest(X86, "clang")
    with pytest.raises(NotLocked, match="Update ttag"):
        proven(replace(text.export, format="ninja"), text.resolution, source="The registry")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(Tampered, match="not UTF-8"):
        read_text(b"-march=haswell\xff\n", "The mirror")


@pytest.mark.parametrize(
    "shape",
    [
        '{"build":[],"dropped":[],"pass_config":{},"target":{}}',
        '{"build":{},"dropped":[],"pass_config":[],"target":{}}',
        '{"build":{"":1},"dropped":[],"pass_config":{},"target":{}}',
        '{"build":{},"dropped":[],"pass_config":{},"target":[]}',
        '{"build":{},"dropped":[],"pass_config":{},"target":null}',
        "[" * 5000,
        "null",
        "",
    ],
)
@pytest.mark.parametrize("form", sorted(CHECKS))
def test_text_of_any_shape_is_refused_without_another_error(form: str, shape: str) -> None:
    text = honest(BOARD if form != "tvm-string" else X86, form)
    with pytest.raises(Tampered):
        proven(replace(text.export, text=shape), text.resolution, source="The mirror")


@pytest.mark.parametrize("vector", VECTORS.texts, ids=str)
def test_text_of_the_vectors_is_what_the_registry_writes_and_accepted(vector: TextVector) -> None:
    text = honest(VECTORS.bodies[vector.body], vector.format)
    assert (text.export.text, text.export.dropped) == (vector.text, vector.dropped)
    assert proven(text.export, text.resolution, source="The registry").digest
