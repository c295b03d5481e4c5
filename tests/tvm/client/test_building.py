"""`ttag.tvm.compile` for a tag with one device: executor, flow and settings that get lost."""

import tomllib
from pathlib import Path

import pytest

from tests.databases import ROOT
from tests.tvm.client.targets import TRIPLE
from tests.tvm.compiler import Compiler, TvmError
from ttag.cli.main import main

ROUNDING = 1e-6  # of sums of 64 products below 2 ** -12 in single precision, in another order

SCALAR = {"tirx.disable_vectorize": True}
LOW_POWER = "example/split-configuration#/devices/low-power/devices/low-power-cpu"


def test_the_tested_pair_of_tvm_and_its_ffi_is_accepted(builder: Compiler) -> None:
    text = (ROOT / "client" / "pyproject.toml").read_text()
    extra = tomllib.loads(text)["project"]["optional-dependencies"]["tvm"]
    versions = builder.call("versions")
    assert {f"{name}=={version}" for name, version in versions.items()} == set(extra)


@pytest.mark.parametrize("reference", ["acme/plain", "acme/vm", "acme/aot"])
@pytest.mark.parametrize("model", ["kernels", "chain", "dense", "calling"])
def test_compiled_code_computes_the_right_result(
    builder: Compiler, model: str, reference: str
) -> None:
    differences = builder.call("build_and_run", model=model, ref=reference)
    assert differences
    assert all(difference < ROUNDING for difference in differences.values())


@pytest.mark.parametrize(
    ("reference", "is_compiled"), [("acme/plain", False), ("acme/vm", False), ("acme/aot", True)]
)
def test_executor_chooses_the_execution_mode(
    builder: Compiler, reference: str, is_compiled: bool
) -> None:
    cpus = builder.call("build", model="chain", ref=reference)["cpus"]
    assert ("__vmtir__main" in cpus) is is_compiled


def test_single_function_is_built_as_a_module(builder: Compiler) -> None:
    cpus = builder.call("build", model="kernel", ref="acme/newer")["cpus"]
    assert cpus["multiply"] == "x86-64-v2"


def test_target_is_what_tvm_parses(builder: Compiler) -> None:
    exported = builder.call("target", ref="acme/newer@1")
    assert (exported["mtriple"], exported["mcpu"]) == (TRIPLE, "x86-64-v2")


@pytest.mark.parametrize(
    ("reference", "cpu"),
    [
        ("aws/c4.4xlarge@1", "haswell"),
        ("example/split-configuration#/devices/dsp/devices/dsp-cpu", "cortex-a72"),
    ],
)
def test_code_is_for_the_cpu_of_the_tag(builder: Compiler, reference: str, cpu: str) -> None:
    cpus = builder.call("build", model="dense", ref=reference)["cpus"]
    assert {cpus["matmul"], cpus["add"]} == {cpu}


def test_node_of_a_composite_is_built_for_itself_not_for_its_host(builder: Compiler) -> None:
    cpus = builder.call("build", model="dense", ref="acme/two#/devices/newer")["cpus"]
    assert set(cpus.values()) == {"x86-64-v2"}


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("acme/graph", "acme/graph@1.0.0 has the executor graph, which TVM had up to 0.19"),
        ("arm/soc:aot", "arm/soc:aot@1.0.0 has the runtime crt, which TVM had up to 0.19"),
        (
            LOW_POWER,
            f"{LOW_POWER.replace('#', '@1.0.0#')} has the runtime crt, which TVM had up to",
        ),
    ],
)
def test_removed_executor_is_an_error(builder: Compiler, reference: str, sentence: str) -> None:
    with pytest.raises(TvmError, match=f"^Removed: {sentence}"):
        builder.call("build", model="dense", ref=reference)


@pytest.mark.parametrize("model", ["kernels", "dense"])
def test_flow_sets_the_pass_context(builder: Compiler, model: str) -> None:
    assert builder.call("build", model=model, ref="acme/scalar")["pass_configs"] == [SCALAR]


def test_callers_pass_context_stays_in_force(builder: Compiler) -> None:
    built = builder.call("build", model="dense", ref="acme/plain", config=SCALAR)
    assert built["pass_configs"] == [SCALAR]


def test_flow_that_contradicts_the_callers_pass_context_is_an_error(builder: Compiler) -> None:
    config = {"tirx.disable_vectorize": False}
    with pytest.raises(
        TvmError, match=r"acme/scalar@1.0.0 sets tirx.disable_vectorize to True, but the current"
    ):
        builder.call("build", model="dense", ref="acme/scalar", config=config)


def test_setting_that_tvm_ignores_is_an_error(builder: Compiler) -> None:
    with pytest.raises(
        TvmError,
        match=r"^Lossy: TVM 0.27 ignores /executor/workspace-byte-alignment = 64 \(.*: remove it\) "
        'of acme/aligned@1.0.0: pass lossy="warn"',
    ):
        builder.call("build", model="dense", ref="acme/aligned")


def test_setting_that_tvm_ignores_is_a_warning_if_accepted(builder: Compiler) -> None:
    built = builder.call("build", model="dense", ref="acme/aligned", lossy="warn")
    (warning,) = built["warnings"]
    assert warning.startswith("TVM 0.27 ignores /executor/workspace-byte-alignment = 64 (")


def test_cpu_that_llvm_would_replace_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"TVM 0.27 ignores /mcpu of acme/unreleased@1.0.0"):
        builder.call("build", model="dense", ref="acme/unreleased")


@pytest.mark.parametrize(
    ("reference", "pointer"),
    [("acme/unfeatured", "/mattr/1"), ("acme/unfeatured-host", "/host/mattr/0")],
)
def test_feature_that_llvm_would_ignore_is_an_error(
    builder: Compiler, reference: str, pointer: str
) -> None:
    with pytest.raises(TvmError, match=f"ignores {pointer} of {reference}@1.0.0: pass lossy="):
        builder.call("build", model="dense", ref=reference)


def test_feature_that_llvm_would_ignore_can_be_accepted(builder: Compiler) -> None:
    built = builder.call("build", model="dense", ref="acme/unfeatured", lossy="warn")
    assert built["warnings"] == ["TVM 0.27 ignores /mattr/1 of acme/unfeatured@1.0.0."]


def test_module_without_a_target_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"^Misplaced: The module records no target of its own"):
        builder.call("build", model="dense")


def test_unknown_tag_is_the_registrys_error_with_a_suggestion(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"^Refused: .*Did you mean acme/plain\?"):
        builder.call("build", model="dense", ref="acme/plian")


def test_parameters_become_constants(builder: Compiler) -> None:
    assert builder.call("build_with_weights", model="dense", ref="acme/vm")["main"] < ROUNDING


def test_parameters_that_the_flow_keeps_apart_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"acme/unlinked@1.0.0 sets link-params to false: pass the"):
        builder.call("build_with_weights", model="dense", ref="acme/unlinked")


@pytest.mark.parametrize(
    ("reference", "gpu", "cpu"),
    [("acme/turing", "sm_75", "x86-64"), ("nvidia/jetson-nano:cuda", "sm_53", "cortex-a57")],
)
def test_gpu_is_compiled_with_its_host(
    builder: Compiler, reference: str, gpu: str, cpu: str
) -> None:
    built = builder.call("build_for_gpu", model="dense", ref=reference)
    assert built["gpus"] == [gpu]
    assert set(built["cpus"].values()) == {cpu}


def test_cuda_graphs_are_a_pass_setting(builder: Compiler) -> None:
    built = builder.call("build_for_gpu", model="dense", ref="acme/recorded")
    assert {"relax.backend.use_cuda_graph": True} in built["pass_configs"]


def test_locked_target_is_built_and_registered_without_a_registry(
    builder: Compiler, address: str, tmp_path: Path
) -> None:
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": str(tmp_path / "cache")}
    arguments = ["lock", "acme/newer@1", "--format", "tvm"]
    assert main(arguments, directory=tmp_path, environment=environment) == 0
    built = builder.call("build_locked", folder=str(tmp_path), ref="acme/newer@1")
    assert built["cpus"]["matmul"] == "x86-64-v2"
    assert built["by_project"] == built["by_lock"] == ["acme/newer", "acme/newer@1.0.0"]
