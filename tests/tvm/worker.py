"""The process that has TVM: questions as lines of JSON on its input, answers on its output.

A question is `{"ask": name of a function below, "arguments": {...}}`, an answer `{"ok": value}` or
`{"error": what TVM raised}`. It runs in TVM's environment and knows nothing of the registry's code:
it has its targets from the questions, or asks a registry for them as any build tool does.
"""

import json
import os
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np  # type: ignore[import-not-found, unused-ignore]  # TVM's environment has it
import tvm  # type: ignore[import-not-found, unused-ignore]  # the only place that imports it
from tvm import te  # type: ignore[import-not-found, unused-ignore]
from tvm.target import Target, list_tags  # type: ignore[import-not-found, unused-ignore]

SIZE = 64  # rows and columns of the matrices that compiled code multiplies
DIGEST = "target_digest"  # the attribute of a function that holds the digest of its target


def versions() -> dict[str, str]:
    """What is asked here."""
    return {"tvm": tvm.__version__}


def names() -> list[str]:
    """TVM's own tags."""
    return sorted(list_tags())


def export(target: Any) -> Any:
    """What TVM understands of what `Target` takes, as JSON."""
    return plain(Target(target))


def configure(config: dict[str, Any]) -> dict[str, Any]:
    """Pass settings as a compilation is given them."""
    with tvm.transform.PassContext(config=config) as context:
        return {name: plain(value) for name, value in context.config.items()}


def compile_for(url: str) -> dict[str, str]:
    """Compile a product of matrices for the target that a registry answers with; its LLVM code."""
    return {"code": str(product(url).mod.inspect_source("ll"))}


def run_for(url: str) -> float:
    """Compile the same, run it here; how far it is from what NumPy computes."""
    generator = np.random.default_rng(0)
    left, right = generator.random((2, SIZE, SIZE), dtype="float32")
    arrays = [tvm.runtime.tensor(each) for each in (left, right, np.zeros_like(left))]
    product(url)["multiply"](*arrays)
    return float(np.abs(arrays[2].numpy() - left @ right).max())


def product(url: str) -> Any:
    """The product of two matrices, compiled."""
    target = Target(fetched(url)[0]["target"])
    return tvm.compile(tvm.IRModule({"multiply": multiplication()}), target=target)


def multiplication() -> Any:
    """A function that multiplies two square matrices."""
    shape = (SIZE, SIZE)
    left, right = te.placeholder(shape, name="left"), te.placeholder(shape, name="right")
    inner = te.reduce_axis((0, SIZE))
    result = te.compute(shape, lambda i, j: te.sum(left[i, inner] * right[inner, j], axis=inner))
    function = te.create_prim_func([left, right, result])
    return function.with_attr("global_symbol", "multiply")


def attach(urls: dict[str, str], path: str) -> None:
    """Save a module with one function for each target that a registry answers with.

    Each function carries its target and the digest that came with it.
    """
    functions = {}
    for name, url in urls.items():
        answer, digest = fetched(url)
        function = multiplication().with_attr("global_symbol", name)
        target = Target(answer["target"])
        functions[name] = function.with_attr("target", target).with_attr(DIGEST, digest)
    Path(path).write_text(tvm.ir.save_json(tvm.IRModule(functions)))


def attached(path: str) -> dict[str, dict[str, Any]]:
    """What the functions of a saved module carry, by name."""
    module = tvm.ir.load_json(Path(path).read_text())
    return {
        name.name_hint: {
            "target": plain(function.attrs["target"]),
            "digest": str(function.attrs[DIGEST]),
        }
        for name, function in module.functions.items()
    }


def fetched(url: str) -> tuple[dict[str, Any], str]:
    """A registry's answer, and the digest of the target in it."""
    with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310 - the tests' own server
        return json.load(response), response.headers["Target-Digest"]


def plain(value: Any) -> Any:
    """TVM's objects as JSON has them, targets inside of targets as well."""
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
    raise TypeError(f"{type(value)} is no JSON")


QUESTIONS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (versions, names, export, configure, compile_for, run_for, attach, attached)
}


def answer(line: str) -> dict[str, Any]:
    """The answer to one question; whatever goes wrong is one as well."""
    question = json.loads(line)
    try:
        return {"ok": QUESTIONS[question["ask"]](**question["arguments"])}
    except Exception as error:  # noqa: BLE001 - what TVM raises is what is asked
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what TVM and LLVM print is no answer
        for line in sys.stdin:
            print(json.dumps(answer(line)), file=answers, flush=True)


if __name__ == "__main__":
    main()
