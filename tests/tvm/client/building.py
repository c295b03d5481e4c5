"""The process that builds with `ttag.tvm`: the functions of `tests/tvm/worker.py`, and these."""

import contextlib
import os
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import generation  # type: ignore[import-not-found, unused-ignore]
import inspection  # type: ignore[import-not-found, unused-ignore]
import models  # type: ignore[import-not-found, unused-ignore]
import numpy as np  # type: ignore[import-not-found, unused-ignore]
import tiny_codegen  # type: ignore[import-not-found, unused-ignore]
import tuning  # type: ignore[import-not-found, unused-ignore]
import tvm  # type: ignore[import-not-found, unused-ignore]
import tvm_ffi  # type: ignore[import-not-found, unused-ignore]
import worker  # type: ignore[import-not-found, unused-ignore]
from tvm import relax  # type: ignore[import-not-found, unused-ignore]

import ttag
import ttag.records
import ttag.tvm
from ttag.tvm import loading
from ttag.tvm.artefacts import check
from ttag.tvm.description import Description
from ttag.tvm.pass_settings import pass_config
from ttag.tvm.placement import main_node

PROJECTS: list[ttag.Project] = []


@tvm.instrument.pass_instrument
class Observer:
    """Observes the different settings that passes run with, and the GPUs of functions."""

    def __init__(self) -> None:
        self.configs: list[dict[str, Any]] = []
        self.gpus: set[str] = set()

    def run_before_pass(self, mod: Any, _info: Any) -> None:
        """Note the settings of the current `PassContext` and the targets that are GPUs."""
        config = worker.plain(tvm.transform.PassContext.current().config)
        if config not in self.configs:
            self.configs.append(config)
        for function in mod.functions.values():
            target = function.attrs.get("target") if function.attrs else None
            if target is not None and target.kind.name == "cuda":
                self.gpus.add(str(target.attrs["arch"]))


def open_project(address: str, cache: str) -> None:
    """Use a registry from here on."""
    environment = {"TTAG_REGISTRY": address, "TTAG_CACHE": cache}
    PROJECTS[:] = [ttag.Project.open(cache, environment=environment)]


def versions() -> dict[str, str]:
    """Return the versions of TVM and its FFI, once `ttag.tvm` has accepted them."""
    return {"apache-tvm": loading.load().__version__, loading.FFI: metadata.version(loading.FFI)}


def target(ref: str) -> Any:
    """Return a target as TVM exports it."""
    return worker.plain(ttag.tvm.target(ref, project=PROJECTS[0]))


def build(
    model: str,
    ref: str | None = None,
    places: dict[str, str] | None = None,
    config: dict[str, Any] | None = None,
    library: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Compile a model and describe the executable; save it as a library if a path is given."""
    mod = models.MODELS[model][0]()
    if places:
        mod = ttag.tvm.annotate(mod, places, project=PROJECTS[0])
    observer = Observer()
    with (
        warnings.catch_warnings(record=True) as caught,
        tvm.transform.PassContext(config=config or {}, instruments=[observer]),
    ):
        warnings.simplefilter("always")
        executable = ttag.tvm.compile(mod, ref, project=PROJECTS[0], **options)
    if library:
        executable.export_library(library)
    return inspection.description(executable) | {
        "warnings": [str(each.message) for each in caught],
        "pass_configs": observer.configs,
        "gpus": sorted(observer.gpus),
    }


def read_back(model: str, ref: str) -> list[dict[str, Any]]:
    """Compile a model; return what its modules state, by `ttag.tvm.read_back`."""
    executable = ttag.tvm.compile(models.MODELS[model][0](), ref, project=PROJECTS[0])
    return [
        {
            "kind": content.kind,
            "is_source_only": content.is_source_only,
            "format": content.object.format if content.object else "",
            "architecture": content.object.architecture if content.object else "",
            "processors": sorted(content.processors),
        }
        for content in ttag.tvm.read_back(executable)
    ]


def check_kernel(built: dict[str, Any], target: dict[str, Any], threads: int = 0) -> None:
    """Build a kernel for one target, and compare it with another one."""
    for name, callback in generation.CALLBACKS.items():
        tvm_ffi.register_global_func(name, callback, override=True)
    mod = tvm.IRModule({"kernel": generation.kernel(threads=threads, vectorized=not threads)})
    module = tvm.tirx.build(mod, target=tvm.target.Target(built))
    stated = tvm.target.Target(target)
    check(module, dict(mod.functions.items()), stated, stated.host or stated)


def build_offline(folder: str, model: str, ref: str, places: dict[str, str]) -> dict[str, Any]:
    """Annotate and compile a model by what a lock holds; return what the executable records."""
    environment = {"TTAG_OFFLINE": "1", "TTAG_REGISTRY": "http://127.0.0.1:9"}
    environment["TTAG_CACHE"] = f"{folder}/empty"
    project = ttag.Project.open(folder, environment=environment).locked_only()
    mod = ttag.tvm.annotate(models.MODELS[model][0](), places, project=project)
    executable = ttag.tvm.compile(mod, ref, project=project)
    origins = ttag.tvm.targets_of(executable)
    return {name: [origin.reference, origin.digest] for name, origin in origins.items()}


def build_and_run(
    model: str,
    ref: str,
    places: dict[str, str] | None = None,
    functions: list[str] | None = None,
    **options: Any,
) -> dict[str, float]:
    """Compile a model in memory; return the greatest differences of functions from NumPy."""
    mod = models.MODELS[model][0]()
    if places:
        mod = ttag.tvm.annotate(mod, places, project=PROJECTS[0])
    executable = ttag.tvm.compile(mod, ref, project=PROJECTS[0], **options)
    return differences(executable, model, functions)


def build_with_weights(model: str, ref: str) -> dict[str, float]:
    """Compile a model with its second matrix as weights, and run it with the first alone."""
    left, right = matrices()
    mod = models.MODELS[model][0]()
    weights = {"b": tvm.runtime.tensor(right)}
    executable = ttag.tvm.compile(mod, ref, project=PROJECTS[0], params=weights)
    main = relax.VirtualMachine(executable, tvm.cpu())["main"]
    expected = models.MODELS[model][1]["main"](left, right)
    return {"main": difference(main(tvm.runtime.tensor(left)).numpy(), expected)}


def build_fused(model: str, ref: str, places: dict[str, str]) -> dict[str, Any]:
    """Compile a model with a pipeline that fuses operations."""
    passes = [relax.get_pipeline("zero"), relax.get_pipeline("default")]
    return build(model, ref, places, relax_pipeline=tvm.transform.Sequential(passes))


def build_locked(folder: str, ref: str) -> dict[str, Any]:
    """Compile and register what a folder has locked, without its registry."""
    away = {"TTAG_REGISTRY": "http://127.0.0.1:9", "TTAG_CACHE": f"{folder}/empty"}
    project = ttag.Project.open(folder, environment=away)
    executable = ttag.tvm.compile(models.dense(), ref, project=project)
    by_project, by_lock = (
        ttag.tvm.register(lock, project=ttag.Project.open(directory, environment=away))
        for lock, directory in [(None, folder), (project.lock, "/")]
    )
    return inspection.description(executable) | {"by_project": [*by_project], "by_lock": [*by_lock]}


def run_library(path: str, model: str) -> dict[str, float]:
    """Load a library and run its functions; return the greatest differences from NumPy."""
    return differences(tvm.runtime.load_module(path), model)


def read_library(path: str) -> dict[str, list[str]]:
    """Return what a library was built for."""
    return inspection.origins(tvm.runtime.load_module(path))


def save(model: str, places: dict[str, str], path: str, ref: str) -> None:
    """Annotate a model and its functions, and save it as JSON."""
    mod = ttag.tvm.annotate(models.MODELS[model][0](), places, project=PROJECTS[0])
    mod = ttag.tvm.annotate(mod, ref, project=PROJECTS[0])
    Path(path).write_text(tvm.ir.save_json(mod))


def build_saved(path: str, library: str) -> dict[str, Any]:
    """Compile a saved module as it records, without a registry, and save the library."""
    mod = tvm.ir.load_json(Path(path).read_text())
    executable = ttag.tvm.compile(mod)
    executable.export_library(library)
    return inspection.description(executable) | {"recorded": inspection.origins(mod)}


def offload(model: str, ref: str, **options: Any) -> dict[str, Any]:
    """Compile a model with the code generator `tiny-matmul`.

    Returns differences, and what the code generator was given and took.
    """
    tiny_codegen.register()
    tiny_codegen.OPTIONS.clear()
    tiny_codegen.TAKEN.clear()
    functions = ["main"] if "main" in models.MODELS[model][1] else None
    result = build_and_run(model, ref=ref, functions=functions, **options)
    given = [worker.plain(each) for each in tiny_codegen.OPTIONS]
    return {"differences": result, "options": given, "taken": list(tiny_codegen.TAKEN)}


def pass_settings_of(flow: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that a CPU with a flow is lowered with."""
    origin = ttag.tvm.Origin("acme/x@1.0.0", "")
    root = Description(origin, {"kind": "llvm"}, {"": {"flow": flow}}, {})
    return pass_config(main_node(root, frozenset()))


def build_with_libraries(
    model: str, ref: str, libraries: list[str], run: bool = False, **options: Any
) -> dict[str, Any]:
    """Compile a model in a TVM with libraries; describe it, and what they took and were given."""
    tiny_codegen.OPTIONS.clear()
    tiny_codegen.TAKEN.clear()
    for library in libraries:
        tiny_codegen.register_library(library)
    try:
        if run:
            return {"differences": build_and_run(model, ref, **options)}
        built = build_for_gpu(model, ref, **options)
    finally:
        for library in libraries:
            tiny_codegen.unregister(f"relax.ext.{library}")
    given = [worker.plain(each) for each in tiny_codegen.OPTIONS]
    return built | {"taken": list(tiny_codegen.TAKEN), "options": given}


def build_with_thrust(model: str, ref: str) -> dict[str, Any]:
    """Compile a model in a TVM with Thrust; return whether the code calls it."""
    names = ("tvm.contrib.thrust.sort", "tvm.contrib.thrust.sum_scan")
    for name in names:
        tvm.register_global_func(name, lambda *_arguments: None, override=True)
    try:
        built = build_for_gpu(model, ref)
    finally:
        for name in names:
            tiny_codegen.unregister(name)
    return built


def build_for_gpu(model: str, ref: str, **options: Any) -> dict[str, Any]:
    """Compile a model as `build` does, without NVIDIA's compiler."""
    for name, callback in generation.CALLBACKS.items():
        tvm.register_global_func(name, callback, override=True)
    return build(model, ref, **options)


def register(references: Any, lossy: Any = "error") -> dict[str, Any]:
    """Register tags; return what `Target(name)` then is, by name, and warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        names = ttag.tvm.register(references, project=PROJECTS[0], lossy=lossy)
    return {
        "targets": {name: worker.plain(tvm.target.Target(name)) for name in names},
        "warnings": [str(each.message) for each in caught],
    }


def tune(ref: str, root: str) -> int:
    """Tune a product of matrices for a leaf; return the number of records of its key."""
    database = ttag.records.open_database(ref, root=root, project=PROJECTS[0])
    folder = Path(database.path_workload).parent
    tuning.tune(ttag.tvm.target(ref, project=PROJECTS[0]), folder)
    return len(ttag.records.open_database(ref, root=root, project=PROJECTS[0]))


def tuned(ref: str, root: str) -> dict[str, Any]:
    """Return the number of records for a leaf, and the seconds of the best schedule, if any."""
    database = ttag.records.open_database(ref, root=root, project=PROJECTS[0])
    target = ttag.tvm.target(ref, project=PROJECTS[0])
    module = tvm.IRModule({"main": tuning.product()})
    best = database.query_tuning_record(module, target, "main")
    seconds = [float(each) for each in best.run_secs] if best else []
    return {"records": len(database), "seconds": seconds}


def run_example(code: str, address: str, folder: str) -> dict[str, Any]:
    """Run Python that compiles `module`; describe its executable and its target."""
    os.environ.update(TTAG_REGISTRY=address, TTAG_CACHE=f"{folder}/cache")
    variables = {"module": models.chain()}
    with contextlib.chdir(folder):
        exec(code, variables)  # noqa: S102 - the example of a document
    return inspection.description(variables["executable"]) | {
        "target": worker.plain(variables["target"])
    }


def differences(
    executable: Any, model: str, functions: list[str] | None = None
) -> dict[str, float]:
    """Run functions of a model, by default all; return the greatest differences from NumPy."""
    left, right = matrices()
    operations = models.MODELS[model][1]
    expected = {name: operations[name](left, right) for name in functions or operations}
    results = {name: _run(executable, model, name, left, right) for name in expected}
    return {name: difference(results[name], expected[name]) for name in expected}


def matrices() -> Any:
    """Return the two matrices that all models multiply."""
    generator = np.random.default_rng(0)
    return generator.random((2, models.SIZE, models.SIZE), dtype="float32") / models.SIZE


def difference(result: Any, expected: Any) -> float:
    """Return the greatest difference of two arrays."""
    return float(np.abs(result - expected).max())


def _run(executable: Any, model: str, name: str, left: Any, right: Any) -> Any:
    arrays = [tvm.runtime.tensor(each) for each in (left, right)]
    if model != "kernels":
        return relax.VirtualMachine(executable, tvm.cpu())[name](*arrays).numpy()
    result = tvm.runtime.tensor(np.zeros_like(left))
    module = getattr(executable, "mod", executable)
    module.get_function(name, query_imports=True)(*arrays, result)
    return result.numpy()


FUNCTIONS: tuple[Callable[..., Any], ...] = (
    *(
        open_project,
        versions,
        target,
        build,
        build_and_run,
        build_with_weights,
        build_fused,
        build_locked,
        build_offline,
    ),
    *(run_library, read_library, read_back, check_kernel),
    *(save, build_saved, offload, build_for_gpu, register, run_example, tune, tuned),
    *(build_with_libraries, build_with_thrust, pass_settings_of),
)

if __name__ == "__main__":
    worker.FUNCTIONS.update({function.__name__: function for function in FUNCTIONS})
    worker.main()
