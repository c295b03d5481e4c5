"""Bodies of processors: what LLVM is told, by architecture."""

from __future__ import annotations

from collections.abc import Iterable

from registry.domain.document import Json

LINUX = {
    "x86": "x86_64-unknown-linux-gnu",
    "aarch64": "aarch64-unknown-linux-gnu",
    "arm": "armv7-unknown-linux-gnueabihf",
    "riscv": "riscv64-unknown-linux-gnu",
}
KEYS: dict[str, str] = {"x86": "x86", "aarch64": "arm_cpu", "arm": "arm_cpu", "riscv": "riscv_cpu"}
PREFIXES = {
    "x86_64": "x86",
    "aarch64": "aarch64",
    "arm64": "aarch64",
    "arm": "arm",
    "riscv": "riscv",
}


def llvm_target(
    triple: str, mcpu: str, mattr: Iterable[str] = (), mabi: str = ""
) -> dict[str, Json]:
    """Return the options of a CPU, with the dispatch keys of its architecture if TVM has any."""
    body: dict[str, Json] = {"kind": "llvm"}
    if key := _key(triple):
        body["keys"] = [key, "cpu"]
    body |= {"mtriple": triple, "mcpu": mcpu}
    if features := list(mattr):
        body["mattr"] = [*features]
    if mabi:
        body["mabi"] = mabi
    return body


def _key(triple: str) -> str:
    matches = (KEYS[name] for prefix, name in PREFIXES.items() if triple.startswith(prefix))
    return next(matches, "")
