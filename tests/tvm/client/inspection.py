"""Reads what an executable was built for from its record and from its LLVM code."""

import re
from collections.abc import Iterator
from typing import Any

import ttag.tvm

DEFINITION = re.compile(r"^define [^@\n]*@(?:__tvm_ffi_)?(\w+)\([^\n]*#(\d+)", re.MULTILINE)
VECTOR = re.compile(r"<\d+ x float>")
ATTRIBUTES = re.compile(r'^attributes #(\d+) = .*"target-cpu"="([^"]*)"', re.MULTILINE)


def description(executable: Any) -> dict[str, Any]:
    """Return what an executable was built for, as it records and as its code shows."""
    codes = list(_llvm_codes(executable.mod))
    return {
        "origins": origins(executable),
        "modules": [module.kind for module in _modules(executable.mod)],
        "cpus": {name: cpu for code in codes for name, cpu in _cpus(code)},
        "vectors": dict(vectors for code in codes for vectors in _vectors(code)),
        "thrust": any("thrust" in code for code in codes),
    }


def origins(module: Any) -> dict[str, list[str]]:
    """Return references and digests that a module or library records."""
    return {
        name: [each.reference, each.digest] for name, each in ttag.tvm.targets_of(module).items()
    }


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


def _vectors(code: str) -> Iterator[tuple[str, int]]:
    """Yield the functions of LLVM code with the number of vectors in each."""
    for body in code.split("\ndefine ")[1:]:
        name = re.search(r"@(\w+)\(", body)
        yield name[1] if name else "", len(VECTOR.findall(body))
