"""Settings of nodes inside a target: the artefact shows them, or the build says why it cannot."""

from typing import Any

import pytest

from tests.tvm.client.test_building import SCALAR
from tests.tvm.compiler import Compiler, TvmError
from ttag import Project
from ttag_rules.flow_names import BOOLEANS, EARLIER_NAMES, GONE, INTEGERS, OBJECTS

UNPLACED = "nothing of the module is placed on its node: annotate functions with"


def test_host_is_built_with_its_own_flow(builder: Compiler) -> None:
    places = {"second": "acme/scalar-host#/devices/cpu"}
    built = builder.call("build", model="vectors", ref="acme/scalar-host", places=places)
    by_itself = builder.call("build", model="vectors", ref="acme/scalar")["vectors"]
    vectors = built["vectors"]
    assert vectors["first_compute_"] == by_itself["first_compute_"] < vectors["second_compute_"]
    assert built["pass_configs"] == [SCALAR, {}]


def test_host_is_tuned_under_the_key_that_it_is_built_with(
    address: str, builder: Compiler, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": str(tmp_path_factory.mktemp("cache"))}
    project = Project.open("/", environment=environment)
    keys = project.resolve("acme/scalar-host").tuning_keys
    assert keys["/host"] == project.resolve("acme/scalar").tuning_keys[""]
    assert keys["/host"] != project.resolve("acme/plain").tuning_keys[""]


def test_host_chooses_the_executor_of_its_composite(builder: Compiler) -> None:
    places = {"part": "acme/aot-host#/devices/cpu"}
    built = builder.call("build", model="chain", ref="acme/aot-host", places=places)
    assert "__vmtir__main" in built["cpus"]


def test_nested_composite_passes_executor_and_flow_to_its_device(builder: Compiler) -> None:
    places = {"part": "acme/nested#/devices/machine/devices/cpu"}
    built = builder.call("build", model="chain", ref="acme/nested", places=places)
    assert "__vmtir__main" in built["cpus"]
    assert SCALAR in built["pass_configs"]


def test_gpu_of_a_composite_is_lowered_with_its_own_flow(builder: Compiler) -> None:
    built = builder.call("build_for_gpu", model="cpu and gpu", ref="acme/scalar-gpu")
    assert built["gpus"] == ["sm_75"]
    assert built["pass_configs"] == [{}, SCALAR]


def test_flow_that_a_gpu_and_its_host_share_is_followed(builder: Compiler) -> None:
    built = builder.call("build_for_gpu", model="dense", ref="acme/scalar-both")
    assert built["pass_configs"] == [SCALAR]


def test_code_generator_gets_the_settings_of_nodes_inside_its_node(builder: Compiler) -> None:
    (options,) = builder.call("offload", model="dense", ref="acme/inner-npu")["options"]
    assert options["build"] == {
        "/devices/0": {"flow": {"tir.disable_vectorize": True}},
        "/host": {"runtime": {"kind": "crt"}},
    }


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("acme/graph-gpu", r"^Removed: acme/graph-gpu@1.0.0#/devices/gpu has the executor graph"),
        ("acme/recorded-gpu", r"ignores /devices/gpu/runtime/kind = \"cuda-graph\" \(.* by itself"),
        ("acme/cutlass-gpu", r"ignores /devices/gpu/flow/enable-byoc = \[\"cutlass\"\] \(TVM's"),
        ("acme/fused-gpu", r"ignores /devices/gpu/flow/relax.FuseOps.max_depth = 4 \(TVM has one"),
    ],
)
def test_setting_of_a_device_that_tvm_has_once_is_an_error(
    builder: Compiler, reference: str, sentence: str
) -> None:
    with pytest.raises(TvmError, match=sentence):
        builder.call("build_for_gpu", model="cpu and gpu", ref=reference)


@pytest.mark.parametrize("reference", ["acme/recorded-gpu", "acme/fused-gpu"])
def test_device_by_itself_is_built_with_its_settings(builder: Compiler, reference: str) -> None:
    built = builder.call("build_for_gpu", model="dense", ref=f"{reference}#/devices/gpu")
    assert len(built["pass_configs"]) == 1
    assert built["pass_configs"] != [{}]


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("acme/graph-gpu", '/devices/gpu/executor/kind = "graph"'),
        ("acme/recorded-gpu", '/devices/gpu/runtime/kind = "cuda-graph"'),
        ("acme/cutlass-gpu", '/devices/gpu/flow/enable-byoc = ["cutlass"]'),
        ("acme/nested", '/devices/machine/executor/kind = "aot"'),
        ("acme/nested", "/devices/machine/flow/tir.disable_vectorize = true"),
    ],
)
def test_setting_of_a_node_without_functions_is_an_error_or_a_warning(
    builder: Compiler, reference: str, value: str
) -> None:
    request = {"model": "kernels", "ref": reference, "places": {"first": "acme/plain"}}
    with pytest.raises(TvmError) as raised:
        builder.call("build", **request)
    assert f"{value} ({UNPLACED} {reference}@1.0.0#/devices/" in str(raised.value)
    (warning,) = builder.call("build", **request, lossy="warn")["warnings"]
    assert value in warning


def test_flow_of_a_device_that_is_the_host_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"ignores /devices/cpu/flow/tir.disable_vectorize = true"):
        builder.call("build", model="kernels", ref="acme/same")


def test_flow_of_a_launching_host_alone_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"ignores /host/flow/.* together: state it at acme/scalar"):
        builder.call("build_for_gpu", model="dense", ref="acme/scalar-launcher")


def test_relax_settings_of_a_function_alone_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"that of acme/plain@1.0.0: state it there, or compile for"):
        builder.call("build", model="chain", ref="acme/plain", places={"part": "acme/fused"})


def test_relax_settings_that_would_reach_another_function_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"^Misplaced: TVM would lower .*acme/plain@1.0.0 with rela"):
        builder.call("build", model="chain", ref="acme/fused", places={"part": "acme/plain"})


def test_every_setting_of_tvm_reaches_the_pass_context(builder: Compiler) -> None:
    flow = dict.fromkeys(BOOLEANS, True) | dict.fromkeys(INTEGERS, 3)
    assert builder.call("pass_settings_of", flow=flow) == flow


def test_earlier_names_reach_the_pass_context_by_their_current_names(builder: Compiler) -> None:
    earlier = {name: new for name, new in EARLIER_NAMES.items() if new in BOOLEANS}
    reached = builder.call("pass_settings_of", flow=dict.fromkeys(earlier, True))
    assert reached == dict.fromkeys(earlier.values(), True)


def test_settings_that_tvm_does_not_have_never_reach_it(builder: Compiler) -> None:
    flow: dict[str, Any] = dict.fromkeys(GONE, True) | dict.fromkeys(OBJECTS, "text")
    assert builder.call("pass_settings_of", flow=flow) == {}


def test_misspelt_pass_setting_is_an_error_with_a_suggestion(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"has no such setting; did you mean tirx.disable_vectorize"):
        builder.call("build", model="kernels", ref="acme/misspelt")


def test_cuda_graph_without_relax_functions_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"ignores /runtime/kind = \"cuda-graph\" \(a CUDA graph"):
        builder.call("build_for_gpu", model="kernel", ref="acme/recorded")
