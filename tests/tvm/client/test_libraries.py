"""Libraries of kernels: they get parts of the Relax functions of their node, or the build says why.

PyPI's TVM has no library. Code generators in Python stand for those that another build has.
"""

from typing import Any

import pytest

from tests.tvm.client.test_building import ROUNDING
from tests.tvm.compiler import Compiler, TvmError


def build(builder: Compiler, model: str, ref: str, *libraries: str, **options: Any) -> Any:
    """Compile a model in a TVM with libraries."""
    arguments = {"model": model, "ref": ref, "libraries": list(libraries), **options}
    return builder.call("build_with_libraries", **arguments)


@pytest.mark.parametrize("library", ["cublas", "cutlass"])
def test_library_gets_what_its_patterns_match(builder: Compiler, library: str) -> None:
    built = build(builder, "dense", f"acme/{library}", library)
    ((taken_by, function),) = built["taken"]
    assert (taken_by, function.rpartition("_")[2]) == (library, library)
    assert function in built["cpus"]


def test_code_generator_of_a_library_gets_the_target_of_the_node(builder: Compiler) -> None:
    (options,) = build(builder, "dense", "acme/cublas", "cublas")["options"]
    assert options["target"]["libs"] == ["cublas"]
    assert options["target"]["host"]["mcpu"] == "x86-64"


def test_cutlass_gets_the_architecture_of_the_node(builder: Compiler) -> None:
    (options,) = build(builder, "dense", "acme/cutlass", "cutlass")["options"]
    assert options["sm"] == 75


def test_cutlass_in_a_flow_gets_the_same_patterns(builder: Compiler) -> None:
    built = build(builder, "dense", "acme/cutlass-gpu#/devices/gpu", "cutlass")
    assert [name for name, _ in built["taken"]] == ["cutlass"]


def test_part_of_a_library_computes_the_right_result(builder: Compiler) -> None:
    built = build(builder, "twins", "acme/nnapi", "nnapi", run=True)
    assert max(built["differences"].values()) < ROUNDING


@pytest.mark.parametrize(
    ("ref", "second", "taken"),
    [("acme/cublas", "acme/turing", 1), ("acme/turing", "acme/cublas", 1)],
)
def test_library_gets_functions_of_its_node_only(
    builder: Compiler, ref: str, second: str, taken: int
) -> None:
    built = build(builder, "twins", ref, "cublas", places={"second": second})
    assert len(built["taken"]) == taken
    assert "cuda" in built["modules"]


def test_target_without_the_library_keeps_its_functions(builder: Compiler) -> None:
    built = build(builder, "dense", "acme/turing", "cublas", "cudnn", "cutlass")
    assert built["taken"] == []


def test_thrust_is_called_from_functions_for_tir(builder: Compiler) -> None:
    built = builder.call("build_with_thrust", model="scanning", ref="acme/thrust")
    assert built["thrust"]
    without = builder.call("build_with_thrust", model="scanning", ref="acme/turing")
    assert not without["thrust"]


def test_thrust_without_an_operation_for_it_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"acme/thrust@1.0.0 has the library thrust, but no op"):
        builder.call("build_with_thrust", model="dense", ref="acme/thrust")


MISSING = [
    ("acme/cublas", "relax.ext.cublas is not registered"),
    ("acme/cudnn", "relax.ext.cudnn is not registered"),
    ("acme/cutlass", "relax.ext.cutlass is not registered"),
    ("acme/thrust", "tvm.contrib.thrust.sort is not registered"),
    ("acme/nnapi", "relax.ext.nnapi is not registered"),
    ("acme/dnnl", "TVM 0.27 has no patterns for it"),
    ("acme/cublas-cpu", "TVM calls it from cuda, not from llvm"),
]


@pytest.mark.parametrize(("reference", "reason"), MISSING)
def test_library_that_this_tvm_cannot_call_is_an_error(
    builder: Compiler, reference: str, reason: str
) -> None:
    with pytest.raises(TvmError, match=rf"^Lossy: TVM 0.27 ignores /libs/0 = .* \(.*{reason}"):
        builder.call("build_for_gpu", model="dense", ref=reference)


@pytest.mark.parametrize("reference", ["acme/cudnn", "acme/thrust", "acme/dnnl"])
def test_library_that_this_tvm_cannot_call_is_a_warning_if_accepted(
    builder: Compiler, reference: str
) -> None:
    built = builder.call("build_for_gpu", model="dense", ref=reference, lossy="warn")
    (warning,) = built["warnings"]
    assert warning.startswith("TVM 0.27 ignores /libs/0 = ")


def test_library_for_a_function_for_tir_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"/libs/0 = \"nnapi\" \(a library takes parts of Relax"):
        build(builder, "kernels", "acme/nnapi", "nnapi")


def test_library_for_an_annotated_function_for_tir_is_an_error(builder: Compiler) -> None:
    places = {"kernel": "acme/nnapi"}
    with pytest.raises(TvmError, match=r"/libs/0 = \"nnapi\" \(a library .* of acme/nnapi@1.0.0"):
        build(builder, "calling", "acme/plain", "nnapi", places=places)


def test_library_with_nothing_to_compile_is_an_error_or_a_warning(builder: Compiler) -> None:
    expected = "acme/cudnn@1.0.0 has the library cudnn, but no operation in a dataflow block"
    with pytest.raises(TvmError, match=expected):
        build(builder, "dense", "acme/cudnn", "cudnn")
    (warning,) = build(builder, "dense", "acme/cudnn", "cudnn", lossy="warn")["warnings"]
    assert warning.startswith(expected)


def test_library_with_two_targets_is_an_error(builder: Compiler) -> None:
    places = {"second": "acme/cublas-newer"}
    with pytest.raises(TvmError, match="has several targets for the code generator cublas"):
        build(builder, "twins", "acme/cublas", "cublas", places=places)
