"""The process that runs TVM: it reads requests and writes responses as lines of JSON.

A request is `{"function": name, "arguments": {...}}`, a response `{"result": value}` or `{"error":
message}`. The process runs in TVM's environment, without the registry's code: targets are in the
requests, or requested from a registry over HTTP.
"""

import json
import os
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NoReturn

sys.path.insert(0, str(Path(__file__).parent))  # the process runs without the working folder

import generation  # type: ignore[import-not-found, unused-ignore]
import numpy as np  # type: ignore[import-not-found, unused-ignore]  # TVM's environment has it
import tvm  # type: ignore[import-not-found, unused-ignore]  # the only place that imports it
from tvm import te  # type: ignore[import-not-found, unused-ignore]
from tvm.target import Target, list_tags  # type: ignore[import-not-found, unused-ignore]

SIZE = 64  # rows and columns of the matrices that compiled code multiplies
DIGEST = "target_digest"  # the attribute of a function with the digest of its target


def versions() -> dict[str, str]:
    """Return the version of TVM."""
    return {"tvm": tvm.__version__}


def names() -> list[str]:
    """Return the names of TVM's own tags."""
    return sorted(list_tags())


def export(target: Any) -> Any:
    """Return a target as `Target` parses and exports it."""
    return plain(Target(target))


def configure(config: dict[str, Any]) -> dict[str, Any]:
    """Return the pass settings of a `PassContext` with this config."""
    with tvm.transform.PassContext(config=config) as context:
        return {name: plain(value) for name, value in context.config.items()}


def compile_for(url: str) -> dict[str, str]:
    """Compile a product of matrices for a registry's target; return the LLVM code."""
    return {"code": str(product(url).mod.inspect_source("ll"))}


def run_for(url: str) -> float:
    """Compile and run a product of matrices for a registry's target; return its greatest error."""
    return error_of(product(url))


def error_of(module: Any) -> float:
    """Run a compiled product of matrices; return the maximum difference from NumPy."""
    generator = np.random.default_rng(0)
    left, right = generator.random((2, SIZE, SIZE), dtype="float32")
    arrays = [tvm.runtime.tensor(item) for item in (left, right, np.zeros_like(left))]
    module["multiply"](*arrays)
    return float(np.abs(arrays[2].numpy() - left @ right).max())


def product(url: str) -> Any:
    """Return the compiled product of two matrices."""
    return compiled(Target(fetch(url)[0]["target"]))


def compiled(target: Any) -> Any:
    """Return the product of two matrices, compiled for a target."""
    return tvm.compile(tvm.IRModule({"multiply": multiplication()}), target=target)


def multiplication() -> Any:
    """Return a function that multiplies two square matrices."""
    shape = (SIZE, SIZE)
    left, right = te.placeholder(shape, name="left"), te.placeholder(shape, name="right")
    inner = te.reduce_axis((0, SIZE))
    result = te.compute(shape, lambda i, j: te.sum(left[i, inner] * right[inner, j], axis=inner))
    function = te.create_prim_func([left, right, result])
    return function.with_attr("global_symbol", "multiply")


def pass_settings() -> dict[str, str]:
    """Return the names of all settings of a `PassContext`, with the types of their values."""
    settings = tvm.transform.PassContext.list_configs()
    return {str(name): str(json.loads(str(kind))["type"]) for name, kind in settings.items()}


def generate(target: dict[str, Any], config: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the code for a leaf, and what TVM and LLVM print, from a process that may crash.

    TVM and LLVM print warnings for CPUs and features that they replace or ignore.
    """
    return in_own_process(lambda: {"code": generation.generate(target, config)})


def run(target: dict[str, Any]) -> dict[str, Any]:
    """Compile and run a product of matrices in a process that may crash; return its error."""
    return in_own_process(lambda: {"difference": error_of(compiled(Target(target)))})


def write_object(target: dict[str, Any], path: str) -> dict[str, Any]:
    """Compile a kernel into an object file, in a process that may crash."""

    def write() -> dict[str, Any]:
        kernel = tvm.IRModule({"kernel": generation.kernel(vectorized=True)})
        tvm.compile(kernel, target=Target(target)).mod.write_to_file(path, "o")
        return {}

    return in_own_process(write)


def features(target: dict[str, Any]) -> list[str]:
    """Return all features that LLVM has for a CPU and features, with those that they imply."""
    return sorted(map(str, tvm.target.codegen.llvm_get_cpu_features(Target(target))))


def in_own_process(compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the result of a function, and what it prints. Raises `RuntimeError` if it crashes."""
    receive, send = os.pipe()
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if not child:
            _compute_and_exit(compute, send, printed)
        os.close(send)
        with os.fdopen(receive) as answer:
            text = answer.read()
        _, status = os.waitpid(child, 0)
        printed.seek(0)
        messages = printed.read().decode(errors="replace")
    if status:
        raise RuntimeError(f"crashed with status {status}: {messages[-2000:]}")
    response: dict[str, Any] = json.loads(text)
    return {**response, "messages": messages}


def _compute_and_exit(
    compute: Callable[[], dict[str, Any]], send: int, printed: IO[bytes]
) -> NoReturn:
    for stream in (1, 2):
        os.dup2(printed.fileno(), stream)
    try:
        response = compute()
    except Exception as error:  # noqa: BLE001 - TVM can raise anything
        response = {"error": f"{type(error).__name__}: {error}"}
    with os.fdopen(send, "w") as answer:
        json.dump(response, answer)
    os._exit(0)


def attach(urls: dict[str, str], path: str) -> None:
    """Save a module with one function per URL of a target.

    Each function has its target and the target's digest as attributes.
    """
    functions = {}
    for name, url in urls.items():
        export, digest = fetch(url)
        function = multiplication().with_attr("global_symbol", name)
        target = Target(export["target"])
        functions[name] = function.with_attr("target", target).with_attr(DIGEST, digest)
    Path(path).write_text(tvm.ir.save_json(tvm.IRModule(functions)))


def attached(path: str) -> dict[str, dict[str, Any]]:
    """Return the targets and digests of the functions of a saved module, by name."""
    module = tvm.ir.load_json(Path(path).read_text())
    return {
        name.name_hint: {
            "target": plain(function.attrs["target"]),
            "digest": str(function.attrs[DIGEST]),
        }
        for name, function in module.functions.items()
    }


def fetch(url: str) -> tuple[dict[str, Any], str]:
    """Return a registry's response, and the digest of the target in it."""
    with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310 - the tests' own server
        return json.load(response), response.headers["Target-Digest"]


def plain(value: Any) -> Any:
    """Convert TVM's objects to JSON, including targets inside targets."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return str(value)
        case Target():
            return {str(key): plain(item) for key, item in value.export().items()}
        case tvm.ir.Map() | dict():
            return {str(key): plain(item) for key, item in value.items()}
        case tvm.ir.Array() | tuple() | list():
            return [plain(item) for item in value]
        case tvm.tirx.IntImm():
            return int(value.value)
    raise TypeError(f"{type(value)} is not JSON")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(versions, names, export, configure, pass_settings, generate, run),
        *(write_object, features),
        *(compile_for, run_for, attach, attached),
    )
}


def respond(line: str) -> dict[str, Any]:
    """Return the response to a request; exceptions are responses too."""
    request = json.loads(line)
    try:
        return {"result": FUNCTIONS[request["function"]](**request["arguments"])}
    except Exception as error:  # noqa: BLE001 - TVM can raise anything
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    with os.fdopen(os.dup(1), "w") as responses:
        os.dup2(2, 1)  # TVM and LLVM print to standard output
        for line in sys.stdin:
            print(json.dumps(respond(line)), file=responses, flush=True)


if __name__ == "__main__":
    main()
