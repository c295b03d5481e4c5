"""`ttag.tvm.compile` for composites: each CPU's functions are built by themselves."""

from pathlib import Path

import pytest

from tests.tvm.client.test_building import ROUNDING
from tests.tvm.compiler import Compiler, TvmError
from ttag import Project
from ttag.lock.locking import lock_targets

PLACES = [("kernels", "second"), ("chain", "part"), ("calling", "kernel")]
COMPOSITES = ["acme/two", "acme/two:aot"]


def test_each_half_is_compiled_for_its_own_cpu(builder: Compiler) -> None:
    places = {"first": "acme/mixed#/devices/little", "second": "acme/mixed#/devices/big"}
    cpus = builder.call("build", model="kernels", ref="acme/mixed", places=places)["cpus"]
    assert (cpus["first"], cpus["second"]) == ("haswell", "skylake-avx512")


@pytest.mark.parametrize("reference", COMPOSITES)
def test_equal_operations_of_two_functions_are_compiled_for_both_cpus(
    builder: Compiler, reference: str
) -> None:
    places = {"part": f"{reference}#/devices/newer"}
    cpus = builder.call("build", model="chain", ref=reference, places=places)["cpus"]
    assert (cpus["matmul"], cpus["matmul1"]) == ("x86-64", "x86-64-v2")


@pytest.mark.parametrize("reference", COMPOSITES)
@pytest.mark.parametrize(("model", "function"), PLACES)
def test_both_halves_compute_the_right_result(
    builder: Compiler, tmp_path: Path, reference: str, model: str, function: str
) -> None:
    request = {
        "model": model,
        "ref": reference,
        "places": {function: f"{reference}#/devices/newer"},
    }
    in_memory = builder.call("build_and_run", **request)
    path = str(tmp_path / "library.so")
    builder.call("build", **request, library=path)
    as_library = builder.call("run_library", path=path, model=model)
    assert in_memory
    assert in_memory.keys() == as_library.keys()
    assert max(*in_memory.values(), *as_library.values()) < ROUNDING


@pytest.mark.parametrize("locked", ["acme/two", "acme/two#/devices/newer"])
def test_a_locked_node_is_annotated_and_built_without_a_network(
    builder: Compiler, address: str, tmp_path: Path, locked: str
) -> None:
    """The lock holds the target, whose nodes it tells, or the node itself."""
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": str(tmp_path / "cache")}
    project = Project.open(tmp_path, environment=environment)
    lock_targets(project, ["acme/two", locked], formats=["tvm"])
    node = "acme/two#/devices/newer"
    places = {"second": node}
    origins = builder.call(
        "build_offline", folder=str(tmp_path), model="kernels", ref="acme/two", places=places
    )
    part = project.registry(address).resolve(node)
    assert origins["second"] == [part.exact, part.digest]
    assert part.exact == "acme/two@1.0.0#/devices/newer"


def test_a_node_of_what_is_not_locked_is_not_annotated(
    builder: Compiler, address: str, tmp_path: Path
) -> None:
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": str(tmp_path / "cache")}
    lock_targets(Project.open(tmp_path, environment=environment), ["acme/two"], formats=["tvm"])
    request = {"folder": str(tmp_path), "model": "kernels", "ref": "acme/two"}
    for place, message in [
        ("acme/mixed#/devices/big", "^NotLocked: acme/mixed#/devices/big is not in targets.lock"),
        ("acme/two#/devices/none", "^Refused: acme/two@1.0.0 has no node at '/devices/none'"),
        ("acme/two#/devices/a~2", "^ReferenceInvalid: .* is not a JSON pointer"),
    ]:
        with pytest.raises(TvmError, match=message):
            builder.call("build_offline", places={"second": place}, **request)


def test_composite_without_placed_functions_is_an_error(builder: Compiler) -> None:
    with pytest.raises(
        TvmError,
        match=r"acme/two@1.0.0 is a composite, and TVM would build everything for its host: assign "
        r"functions with annotate\(mod, \{\"name\": \"acme/two@1.0.0#/devices/base\"\}\)",
    ):
        builder.call("build", model="kernels", ref="acme/two")


def test_composite_without_a_host_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"example/rack:card@1.0.0 has no host to call its devices"):
        builder.call("build", model="kernels", ref="example/rack:card")


def test_composite_whose_devices_are_its_host_needs_no_placed_functions(
    builder: Compiler,
) -> None:
    reference = "example/two-machines#/devices/machine0"
    cpus = builder.call("build", model="kernels", ref=reference)["cpus"]
    assert cpus["first"] == "haswell"


def test_errors_name_a_few_of_many_devices(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"expected one of .*/card0/devices/gpu3 and others"):
        builder.call("build", model="kernels", ref="acme/plain", places={"first": "example/rack"})


def test_function_for_a_composite_is_an_error_that_names_the_devices(builder: Compiler) -> None:
    with pytest.raises(
        TvmError,
        match=r"expected one of acme/two@1.0.0#/devices/base, acme/two@1.0.0#/devices/newer\.",
    ):
        builder.call("build", model="kernels", ref="acme/two", places={"first": "acme/two"})


def test_unknown_function_is_an_error_with_a_suggestion(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"no function 'frist', only first, second. Did you mean f"):
        builder.call("build", model="kernels", ref="acme/plain", places={"frist": "acme/plain"})


def test_functions_for_another_architecture_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match="are for aarch64 and x86_64: compile them one after"):
        builder.call("build", model="kernels", ref="acme/plain", places={"first": "acme/arm"})


def test_direct_call_of_a_function_for_another_cpu_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match="first calls second, which is built for another target"):
        builder.call("build", model="nested", ref="acme/plain", places={"second": "acme/newer"})


def test_two_executors_in_one_library_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"acme/vm@1.0.0 has vm and acme/aot@1.0.0 has aot"):
        builder.call("build", model="chain", ref="acme/vm", places={"part": "acme/aot"})


def test_each_part_has_its_own_pass_settings(builder: Compiler) -> None:
    built = builder.call(
        "build", model="kernels", ref="acme/newer", places={"second": "acme/scalar"}
    )
    assert built["pass_configs"] == [{}, {"tirx.disable_vectorize": True}]


def test_part_does_not_inherit_the_pass_settings_of_the_module(builder: Compiler) -> None:
    built = builder.call(
        "build", model="calling", ref="acme/scalar", places={"kernel": "acme/newer"}
    )
    assert built["pass_configs"] == [{"tirx.disable_vectorize": True}, {}]


def test_function_that_the_pipeline_fuses_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match="The pipeline has merged add into a function"):
        builder.call("build_fused", model="lowered", ref="acme/plain", places={"add": "acme/newer"})


def test_virtual_device_gets_the_target_of_the_device_of_its_kind(builder: Compiler) -> None:
    built = builder.call("build_for_gpu", model="cpu and gpu", ref="acme/gpu")
    assert built["gpus"] == ["sm_75"]
    assert built["cpus"]["matmul_llvm"] == "x86-64"
    assert "cuda" in built["modules"]


def test_relax_function_for_another_kind_of_device_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"part is for cuda, but the module for llvm: .* I.vdevice"):
        builder.call(
            "build", model="chain", ref="acme/gpu", places={"part": "acme/gpu#/devices/gpu"}
        )


def test_virtual_devices_that_are_both_cpus_are_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"2 virtual devices that are CPUs.*annotate functions"):
        builder.call("build", model="two cpus", ref="acme/plain")


def test_virtual_device_without_a_device_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"of kind cuda, but acme/plain@1.0.0 has no device"):
        builder.call("build", model="cpu and gpu", ref="acme/plain")
