"""The process that builds with `ttag.tvm` and reads back what it gets, without a registry.

It extends `tests/tvm/worker.py` by `build`, whose arguments are descriptions as modules record
them.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import generation  # type: ignore[import-not-found, unused-ignore]
import numpy as np  # type: ignore[import-not-found, unused-ignore]
import tvm  # type: ignore[import-not-found, unused-ignore]
import worker  # type: ignore[import-not-found, unused-ignore]
from tvm.target import Target  # type: ignore[import-not-found, unused-ignore]

import ttag.tvm
from ttag.tvm import loading
from ttag.tvm.annotations import DESCRIPTION, DIGEST, REFERENCE
from ttag.tvm.description import CPU_KINDS, Description, compiled_target

MODULES = {"nvptx": "cuda", "rocm": "hip"}  # TVM's modules by kind, where the names differ
WITHOUT_THREADS = {"hexagon", "trn", "ext_dev"}
HEAD = 64  # bytes of an object: its header


def admit_this_release() -> None:
    """Let `ttag.tvm` build with the TVM that is here, to see what another release changes."""
    loading.SUPPORTED = tvm.__version__.rpartition(".")[0]


def build(root: str, parts: list[str]) -> dict[str, Any]:
    """Compile a function for each device of a target, in a process that may crash.

    Returns the kinds of modules, and of the CPU's object its code and header. Raises `RuntimeError`
    for a device without a module.
    """
    return worker.in_own_process(lambda: _read_back(*_compile(root, parts)))


def build_and_run(root: str, parts: list[str]) -> dict[str, Any]:
    """Compile as `build` does, run the function, and return its greatest error."""
    return worker.in_own_process(lambda: {"difference": _difference(_compile(root, parts)[1])})


def _compile(root: str, parts: list[str]) -> tuple[list[str], Any]:
    for name, callback in generation.CALLBACKS.items():
        tvm.register_global_func(name, callback, override=True)
    functions, kinds = {}, []
    for index, text in enumerate(parts):
        name, description = f"kernel{index}", Description.from_text(text)
        kinds.append(description.target["kind"])
        has_threads = kinds[-1] not in CPU_KINDS | WITHOUT_THREADS
        threads = generation.THREADS if has_threads else 0
        kernel = generation.kernel(threads, vectorized=not has_threads)
        functions[name] = kernel.with_attr("global_symbol", name)
        if text != root:
            target = Target(compiled_target(description.target))
            functions[name] = _record(functions[name].with_attr("target", target), text)
    executable = ttag.tvm.compile(_record(tvm.IRModule(functions), root))
    return kinds, executable.mod


def _record(annotated: Any, text: str) -> Any:
    origin = Description.from_text(text).origin
    recorded = annotated.with_attr(REFERENCE, origin.reference).with_attr(DIGEST, origin.digest)
    return recorded.with_attr(DESCRIPTION, text)


def _read_back(kinds: list[str], module: Any) -> dict[str, Any]:
    modules = list(_all_modules(module))
    names = {str(each.kind) for each in modules}
    for kind in kinds:
        if kind not in CPU_KINDS and MODULES.get(kind, kind) not in names:
            raise ValueError(f"TVM writes code for its host only, none for the kind {kind}")
    objects = [_object(each) for each in modules if str(each.kind) == "llvm"]
    return {"modules": sorted(names), "objects": objects}


def _all_modules(module: Any) -> Iterator[Any]:
    yield module
    for imported in module.imports:
        yield from _all_modules(imported)


def _object(module: Any) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "code.o")
        module.write_to_file(str(path), "o")
        return {"head": path.read_bytes()[:HEAD].hex(), "code": str(module.inspect_source("ll"))}


def _difference(module: Any) -> float:
    left, right = np.random.default_rng(0).random((2, generation.SIZE), dtype="float32") + 1
    arrays = [tvm.runtime.tensor(each) for each in (left, right, np.zeros_like(left))]
    module["kernel0"](*arrays)
    return float(np.abs(arrays[2].numpy() - (left * right / left + left)).max())


worker.FUNCTIONS |= {
    function.__name__: function for function in (admit_this_release, build, build_and_run)
}

if __name__ == "__main__":
    worker.main()
