"""Compares the code of a build with the targets of its functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ttag.tvm.artefacts.contents import HOST, Content, read_back
from ttag.tvm.artefacts.expectations import Expectation, expect
from ttag.tvm.description import CPU_KINDS
from ttag.tvm.errors import ArtefactDiffers, Unscheduled
from ttag.tvm.loading import load

# The kinds of TVM's modules for kinds of targets, where the names differ.
MODULES = {"nvptx": "cuda", "rocm": "hip"}
PROCESSOR_OPTIONS = ("arch", "mcpu")
IS_HOST_FUNCTION = "tirx.is_host_func"  # what TVM sets on functions that it keeps on the host
GPU = "gpu"  # the key of targets whose functions need threads


# Decision 131: TVM compiles for a host what it cannot compile for a device, and says nothing.
def check(module: Any, functions: Mapping[Any, Any], target: Any, host: Any) -> None:
    """Compare a built module with the targets of its functions for TIR.

    `target` is that of functions which state none; `host` the CPU that all of them are called from.
    Raises `Unscheduled` for a function of a GPU that TVM compiled for its host, and
    `ArtefactDiffers` for every other difference.
    """
    try:
        contents = read_back(module)
    except ValueError as error:
        raise ArtefactDiffers(f"TVM's object file cannot be read back: {error}.") from error
    for variable, function in functions.items():
        attributes = function.attrs or {}
        if _computes(function) and not attributes.get(IS_HOST_FUNCTION):
            own = attributes.get("target") or target
            _check_device(str(attributes.get("global_symbol", variable.name_hint)), own, contents)
    options = {str(name): value for name, value in host.attrs.items()}
    for content in contents:
        if content.kind == HOST and host.kind.name == HOST:
            _check_host(content, expect(options))


def _computes(function: Any) -> bool:
    """Return whether a function reads or writes tensors; others only call or compute sizes."""
    buffer = load("tvm.tirx").BufferType
    return any(isinstance(parameter.ty, buffer) for parameter in function.params)


def _check_device(name: str, target: Any, contents: list[Content]) -> None:
    """Check that a function of a device is in a module for that device."""
    kind = target.kind.name
    if kind in CPU_KINDS:
        return
    own = [each for each in contents if each.kind == MODULES.get(kind, kind)]
    if not any(_holds(content, name) for content in own):
        raise _missing(name, kind, is_gpu=GPU in target.keys)
    stated = next(
        (str(target.attrs[each]) for each in PROCESSOR_OPTIONS if each in target.attrs), ""
    )
    for content in own:
        if stated and content.processors and stated not in content.processors:
            raise ArtefactDiffers(
                f"{name} is for {stated}, but its module of kind {content.kind} for "
                f"{', '.join(sorted(content.processors))}."
            )


def _holds(content: Content, name: str) -> bool:
    """Return whether a module has the kernel of a function; true if it shows no text."""
    return not content.text or bool(re.search(rf"\b{re.escape(name)}_kernel", content.text))


def _missing(name: str, kind: str, *, is_gpu: bool) -> Unscheduled | ArtefactDiffers:
    if is_gpu:
        return Unscheduled(
            f"{name} is for {kind}, but binds no loops to its threads, so TVM compiled it for the "
            "host: apply a schedule before, such as tvm.s_tir.dlight.ApplyDefaultSchedule or that "
            "of a tuning record."
        )
    return ArtefactDiffers(
        f"{name} is for {kind}, but the build has no module of this kind: TVM compiled it for the "
        "host. TVM 0.27 from PyPI has no code generator that takes such a function; build with a "
        "TVM that has one, or compile for the host alone."
    )


def _check_host(content: Content, expected: Expectation) -> None:
    if differences := list(_differences(content, expected)):
        raise ArtefactDiffers(
            f"TVM's machine code is not for its target: {'; '.join(differences)}. If a lock or a "
            "module recorded this target long ago, lock or annotate it again."
        )


def _differences(content: Content, expected: Expectation) -> Iterator[str]:
    """Yield each difference of code for a CPU, as a clause."""
    written = content.object
    assert written is not None  # noqa: S101 - the host has an object file
    pairs = [
        ("its triple", content.triple, expected.triple),
        ("its object format", written.format, expected.format),
        ("its architecture", written.architecture, written.architecture and expected.architecture),
        ("its float ABI", written.float_abi, expected.float_abi),
    ]
    for subject, stated, promised in pairs:
        if promised and stated != promised:
            yield f"{subject} is {stated or 'none'} instead of {promised}"
    if content.cpus and content.cpus != {expected.cpu}:
        yield f"its CPU is {', '.join(sorted(content.cpus))} instead of {expected.cpu}"
    if content.features != set(filter(None, [expected.features])):
        stated = " and ".join(sorted(content.features)) or "none"
        yield f"its features are {stated} instead of {expected.features or 'none'}"
    if expected.max_vector_width and content.vector_width > expected.max_vector_width:
        yield (
            f"it has vectors of {content.vector_width} bits instead of at most "
            f"{expected.max_vector_width} (vector-width)"
        )
