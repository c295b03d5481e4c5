"""The process that builds with `ttag.tvm`: the functions of `tests/tvm/worker.py`, and these."""

import contextlib
import os
import re
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import generation  # type: ignore[import-not-found, unused-ignore]
import models  # type: ignore[import-not-found, unused-ignore]
import numpy as np  # type: ignore[import-not-found, unused-ignore]
import tiny_codegen  # type: ignore[import-not-found, unused-ignore]
import tuning  # type: ignore[import-not-found, unused-ignore]
import tvm  # type: ignore[import-not-found, unused-ignore]
import worker  # type: ignore[import-not-found, unused-ignore]
from tvm import relax  # type: ignore[import-not-found, unused-ignore]

import ttag
import ttag.records
import ttag.tvm
from ttag.tvm import loading

PROJECTS: list[ttag.Project] = []
DEFINITION = re.compile(r"^define [^@\n]*@(?:__tvm_ffi_)?(\w+)\([^\n]*#(\d+)", re.MULTILINE)
ATTRIBUTES = re.compile(r'^attributes #(\d+) = .*"target-cpu"="([^"]*)"', re.MULTILINE)


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
    return description(executable) | {
        "warnings": [str(each.message) for each in caught],
        "pass_configs": observer.configs,
        "gpus": sorted(observer.gpus),
    }


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
    return description(executable) | {"by_project": [*by_project], "by_lock": [*by_lock]}


def run_library(path: str, model: str) -> dict[str, float]:
    """Load a library and run its functions; return the greatest differences from NumPy."""
    return differences(tvm.runtime.load_module(path), model)


def read_library(path: str) -> dict[str, list[str]]:
    """Return what a library was built for."""
    return origins(tvm.runtime.load_module(path))


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
    return description(executable) | {"recorded": origins(mod)}


def offload(model: str, ref: str, **options: Any) -> dict[str, Any]:
    """Compile a model with the code generator `tiny-matmul`; return differences and its options."""
    tiny_codegen.register()
    tiny_codegen.OPTIONS.clear()
    result = build_and_run(model, ref=ref, functions=["main"], **options)
    return {"differences": result, "options": [worker.plain(each) for each in tiny_codegen.OPTIONS]}


def build_for_gpu(model: str, ref: str) -> dict[str, Any]:
    """Compile a model as `build` does, without NVIDIA's compiler."""
    for name, callback in generation.CALLBACKS.items():
        tvm.register_global_func(name, callback, override=True)
    return build(model, ref)


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
    return description(variables["executable"]) | {"target": worker.plain(variables["target"])}


def description(executable: Any) -> dict[str, Any]:
    """Return what an executable was built for, as it records and as its code shows."""
    return {
        "origins": origins(executable),
        "modules": [module.kind for module in _modules(executable.mod)],
        "cpus": {name: cpu for code in _llvm_codes(executable.mod) for name, cpu in _cpus(code)},
    }


def origins(module: Any) -> dict[str, list[str]]:
    """Return references and digests that a module or library records."""
    return {
        name: [each.reference, each.digest] for name, each in ttag.tvm.targets_of(module).items()
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


def _modules(module: Any) -> Iterator[Any]:
    yield module
    for imported in module.imports:
        yield from _modules(imported)


def _llvm_codes(module: Any) -> Iterator[str]:
    for part in _modules(module):
        if part.kind == "llvm":
            yield str(part.inspect_source("ll"))


def _cpus(code: str) -> Iterator[tuple[str, str]]:
    """Yield the functions of LLVM code with the CPU that each was compiled for."""
    attributes = dict(ATTRIBUTES.findall(code))
    for name, group in DEFINITION.findall(code):
        if group in attributes:
            yield name, attributes[group]


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
    *(run_library, read_library),
    *(save, build_saved, offload, build_for_gpu, register, run_example, tune, tuned),
)

if __name__ == "__main__":
    worker.FUNCTIONS.update({function.__name__: function for function in FUNCTIONS})
    worker.main()
