"""Read attributes of IREE's intermediate code: `#hal.executable.target<…>` and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.errors import echo
from registry.domain.iree_text.targets import CUDA, LLVM_CPU, ROCM, IreeTarget, TargetError

EXECUTABLE = re.compile(r"#hal\.executable\.target<")
DEVICE = re.compile(r"#hal\.device\.target<")
GPU = re.compile(r"#iree_gpu\.target<")
BACKEND = re.compile(r'\s*"([^"]*)"')
ARCH = re.compile(r'\barch\s*=\s*"([^"]*)"')
FEATURES = re.compile(r'\bfeatures\s*=\s*"([^"]*)"')
TEXT, INNERMOST, NAME = re.compile(r'"[^"]*"'), re.compile(r"<[^<>]*>"), re.compile(r"([\w.]+)\s*=")
MEMBER = re.compile(r'(?<![\w.])(\w+)\s*=\s*"([^"]*)"')
MEMBERS = {
    "target_triple": "triple",
    "cpu": "processor",
    "cpu_features": "features",
    "target_abi": "abi",
    "float_abi": "float_abi",
}
OWNERS = {"gfx": ROCM, "sm_": CUDA}  # by the beginning of a GPU's architecture
DERIVED = ("data_layout", "native_vector_size", "ukernels", "max_stack_allocation_size", "abi")
GPU_MEMBERS = ("iree.gpu.target", "iree_gpu.target")
EXPECTED = '#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "znver4", …}>'


def is_attribute(text: str) -> bool:
    """Return whether a text holds an attribute of IREE about a target."""
    return any(pattern.search(text) for pattern in (EXECUTABLE, DEVICE, GPU))


def read_attributes(text: str) -> IreeTarget:
    """Return the target of the attributes in a text. Raises `TargetError`."""
    executables = [_executable(inner) for inner in _inner(EXECUTABLE, text)]
    if not executables:
        executables = [_gpu(inner) for inner in _inner(GPU, text)]
    if not executables:
        message = "a device without #hal.executable.target says nothing about its machine"
        raise TargetError("OPTION_MISSING", message, EXPECTED)
    for other in executables[1:]:
        if other != executables[0]:
            message = f"the text has different targets: {_name(executables[0])} and {_name(other)}"
            raise TargetError("TWO_TARGETS", message, "one of them; publish two tags")
    return executables[0]


def _name(target: IreeTarget) -> str:
    return echo(" ".join(filter(None, (target.backend, target.triple, target.processor))))


def _inner(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield what stands between the brackets of each attribute."""
    for match in pattern.finditer(text):
        end = _closing(text, match.end())
        if not end and pattern is GPU:
            end = len(text)  # it is long, and often cut off after the architecture
        if not end:
            raise TargetError("QUOTE_OPEN", f"{match[0]} is not closed", EXPECTED)
        yield text[match.end() : end]


def _closing(text: str, start: int) -> int:
    """Return the offset of the bracket that closes an attribute; 0 if it is not closed."""
    depth, is_quoted = 1, False
    for offset in range(start, len(text)):
        character = text[offset]
        if character == '"' and text[offset - 1] != "\\":
            is_quoted = not is_quoted
        elif is_quoted or (character == ">" and text[offset - 1] == "-"):
            continue
        else:
            depth += (character == "<") - (character == ">")
            if not depth:
                return offset
    return 0


def _executable(inner: str) -> IreeTarget:
    backend = BACKEND.match(inner)
    if not backend:
        raise TargetError("OPTION_MISSING", "the backend is not stated", EXPECTED)
    target = IreeTarget(backend[1])
    if gpu := next(_inner(GPU, inner), ""):
        _read_gpu(target, gpu)
    names = _names(inner)
    if target.backend == LLVM_CPU:
        _read_cpu(target, inner)
        names = [name for name in names if name not in MEMBERS]
    if derived := [name for name in names if name in DERIVED]:
        reason = "as IREE derives it from the rest unless a flag states it"
        target.notes.append(f"left out, {reason}: {', '.join(derived)}")
    if others := [name for name in names if name not in (*DERIVED, *GPU_MEMBERS)]:
        target.notes.append(f"left out, as a target does not state it: {echo(', '.join(others))}")
    return target


def _names(inner: str) -> list[str]:
    """Return the names of the members of an attribute, without those of attributes inside it."""
    text = TEXT.sub("", inner)
    while (shorter := INNERMOST.sub("", text)) != text:
        text = shorter
    return [*dict.fromkeys(NAME.findall(text))]


def _read_cpu(target: IreeTarget, inner: str) -> None:
    """Add what members state about a CPU. Raises `TargetError` if one is stated in two ways."""
    stated: dict[str, str] = {}
    for name, value in MEMBER.findall(inner):
        if name not in MEMBERS:
            continue
        if stated.setdefault(name, value) != value:
            message = f"{name} is {echo(stated[name])} and also {echo(value)}"
            raise TargetError("TWO_TARGETS", message, "one of them")
    for name, value in stated.items():
        setattr(target, MEMBERS[name], value)


def _read_gpu(target: IreeTarget, gpu: str) -> None:
    """Add the architecture of a GPU, and what is switched on or off of an AMD GPU."""
    if arch := ARCH.search(gpu):
        target.processor = arch[1]
    features = FEATURES.search(gpu)
    if features and features[1] and target.backend == ROCM:
        target.features = features[1]
    elif features and features[1]:
        target.notes.append(f"left out the features of the GPU: {echo(features[1])}")
    target.notes.append("left out what the architecture of the GPU implies")


def _gpu(inner: str) -> IreeTarget:
    """Return the target of an attribute of a GPU alone: its architecture says whose it is."""
    arch = ARCH.search(inner)
    name = arch[1] if arch else ""
    for prefix, backend in OWNERS.items():
        if name.startswith(prefix):
            target = IreeTarget(backend)
            _read_gpu(target, inner)
            return target
    message = f"{echo(name) or 'no architecture'} does not say whose GPU it is"
    raise TargetError("OPTION_MISSING", message, EXPECTED)
