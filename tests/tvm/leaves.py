"""Code that TVM generates for a leaf, and what it should contain."""

import re
from typing import Any

from tests.tvm.compiler import Compiler, TvmError

# Messages about something else: the build machine's ROCm, and the width that TVM takes for vectors
# of architectures that it does not know.
HARMLESS = re.compile(
    r".*Warning: (Unable to detect ROCm version|Cannot get maximum number of threads|"
    r"Set native vector bits to be 128 for ).*\n"
)
# TVM names a type in LLVM's metadata by the address that the type has in its process.
TYPE_NAME = re.compile('!"0x[0-9a-f]+"')
LLVM_OPTIONS = ("mtriple", "mcpu", "mattr", "mabi", "mfloat-abi")


def compiled(tvm: Compiler, target: dict[str, Any]) -> tuple[str, str]:
    """Return the code for a leaf, and what TVM printed."""
    result = tvm.call("generate", target=target)
    if "error" in result:
        raise TvmError(result["error"])
    return result["code"], HARMLESS.sub("", result["messages"])


def without_type_names(code: str) -> str:
    """Return code with one name for all types, so that code of several runs compares."""
    return TYPE_NAME.sub('!"type"', code)


def through_llvm(own: dict[str, Any]) -> dict[str, Any]:
    """Return the leaf with which LLVM checks a leaf that it does not see otherwise."""
    if own["kind"] == "cuda":
        return {"kind": "nvptx", "mcpu": own["arch"]}
    if own["kind"] == "hexagon":
        return {"kind": "llvm", **{name: own[name] for name in LLVM_OPTIONS if name in own}}
    return own


def missing(code: str, own: dict[str, Any]) -> list[str]:
    """Return what the code of a leaf should contain, and does not."""
    expected = []
    if own["kind"] in ("llvm", "hexagon"):
        expected.append(f'"target-cpu"="{own.get("mcpu", "generic")}"')
        if "mtriple" in own:
            expected.append(f'target triple = "{own["mtriple"]}"')
        if "mattr" in own:
            expected.append(f'"target-features"="{",".join(own["mattr"])}"')
    elif own["kind"] in ("cuda", "nvptx"):
        expected.append(f".target {own.get('arch') or own['mcpu']}\n")
    elif own["kind"] == "rocm":
        expected += [f'"target-cpu"="{own["mcpu"]}"', f"-{own['mcpu']}"]
    return [text for text in expected if text not in code]
