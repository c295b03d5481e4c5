"""Parts of a module for an external code generator, which the tests write in Python."""

import pytest

from tests.tvm.client.test_building import ROUNDING
from tests.tvm.compiler import Compiler, TvmError


def test_offloaded_part_computes_the_right_result(builder: Compiler) -> None:
    built = builder.call("offload", model="dense", ref="acme/offload")
    assert built["differences"]["main"] < ROUNDING


def test_code_generator_gets_target_and_runtime_of_its_node(builder: Compiler) -> None:
    (options,) = builder.call("offload", model="dense", ref="acme/offload")["options"]
    target = options["target"]
    assert target["host"]["mcpu"] == "x86-64-v2"
    assert [device["model"] for device in target["devices"]] == ["npu"]
    assert options["runtime"] == {"kind": "crt"}


def test_annotated_function_is_given_to_the_code_generator(builder: Compiler) -> None:
    places = {"part": "acme/offload#/devices/npu"}
    built = builder.call("offload", model="chain", ref="acme/plain", places=places)
    assert built["differences"]["main"] < ROUNDING
    assert len(built["options"]) == 1


def test_other_code_generator_is_an_error_that_names_it(builder: Compiler) -> None:
    with pytest.raises(
        TvmError,
        match=r"code generator myawesome-cuda, but relax.ext.myawesome-cuda is not registered; "
        r"this TVM has .*tiny-matmul",
    ):
        builder.call("offload", model="dense", ref="example/vm-with-byoc")


def test_code_generator_with_nothing_to_compile_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match="tiny-matmul, but no operation in a dataflow block"):
        builder.call("offload", model="calling", ref="acme/offload")


def test_function_for_tir_cannot_be_offloaded(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"tiny-matmul\" \(a code generator takes parts of Rel"):
        builder.call(
            "build",
            model="kernels",
            ref="acme/plain",
            places={"first": "acme/offload#/devices/npu"},
        )


def test_code_generator_with_two_targets_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"two-npus@1.0.0 has several targets for .* tiny-matmul"):
        builder.call("offload", model="dense", ref="acme/two-npus")


@pytest.mark.parametrize(
    ("ref", "part"),
    [
        ("acme/offload", "acme/plain"),
        ("acme/enabled", "acme/plain"),
        ("acme/plain", "acme/offload#/devices/npu"),
        ("acme/plain", "acme/enabled"),
    ],
)
def test_code_generator_gets_functions_of_its_target_only(
    builder: Compiler, ref: str, part: str
) -> None:
    built = builder.call("offload", model="dataflow chain", ref=ref, places={"part": part})
    assert len(built["taken"]) == 1
    assert max(built["differences"].values()) < ROUNDING


def test_annotated_function_shares_the_code_generator_of_the_module(builder: Compiler) -> None:
    places = {"part": "acme/offload#/devices/npu"}
    built = builder.call("offload", model="dataflow chain", ref="acme/offload", places=places)
    assert len(built["taken"]) == 2
    assert max(built["differences"].values()) < ROUNDING
