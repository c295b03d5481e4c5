"""Read the flags of iree-compile, by their names of today and earlier ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from registry.domain.compile_commands.words import Word, split_commands
from registry.domain.errors import echo
from registry.domain.iree_text.targets import (
    CUDA,
    LLVM_CPU,
    METAL,
    ROCM,
    VULKAN,
    IreeTarget,
    TargetError,
)

PREFIX = "-iree-"  # of every flag of IREE, after one dash or none
DEVICE, BACKEND = "device", "backend"
# The target and the member of it that each flag states.
SELECTION: Mapping[str, str] = {
    "--iree-hal-target-device": DEVICE,
    "--iree-hal-target-backends": BACKEND,
    "--iree-hal-local-target-device-backends": BACKEND,
}
FLAGS: Mapping[str, tuple[str, str]] = {
    "--iree-llvmcpu-target-triple": (LLVM_CPU, "triple"),
    "--iree-llvmcpu-target-cpu": (LLVM_CPU, "processor"),
    "--iree-llvmcpu-target-cpu-features": (LLVM_CPU, "features"),
    "--iree-llvmcpu-target-abi": (LLVM_CPU, "abi"),
    "--iree-llvmcpu-target-float-abi": (LLVM_CPU, "float_abi"),
    "--iree-llvmcpu-target-vector-width-in-bytes": (LLVM_CPU, "vector_bytes"),
    "--iree-llvm-target-triple": (LLVM_CPU, "triple"),
    "--iree-llvm-target-cpu": (LLVM_CPU, "processor"),
    "--iree-llvm-target-cpu-features": (LLVM_CPU, "features"),
    "--iree-cuda-target": (CUDA, "processor"),
    "--iree-cuda-llvm-target-arch": (CUDA, "processor"),
    "--iree-hal-cuda-llvm-target-arch": (CUDA, "processor"),
    "--iree-hip-target": (ROCM, "processor"),
    "--iree-hip-target-features": (ROCM, "features"),
    "--iree-rocm-target": (ROCM, "processor"),
    "--iree-rocm-target-features": (ROCM, "features"),
    "--iree-rocm-target-chip": (ROCM, "processor"),
    "--iree-vulkan-target": (VULKAN, "processor"),
}
PLATFORM = "--iree-metal-target-platform"
DEVICES: Mapping[str, str] = {
    "local": "",  # of which the backends say what it is
    "cuda": CUDA,
    "hip": ROCM,
    "rocm": ROCM,
    "amdgpu": ROCM,
    "vulkan": VULKAN,
    "metal": METAL,
}
BACKENDS: Mapping[str, str] = {"dylib-llvm-aot": LLVM_CPU, "vulkan": VULKAN, "metal": METAL}
DEVICE_EXPECTED = f"one of {', '.join(DEVICES)}"


def read_flags(text: str) -> IreeTarget:
    """Return the target of flags. Raises `TargetError`."""
    words = [word for command in split_commands(text) for word in command]
    stated: dict[str, dict[str, str]] = {}
    selected: list[str] = []
    others: list[str] = []
    for name, value in _named(words):
        if name in SELECTION:
            selected += _selected(SELECTION[name], value)
        elif name in FLAGS:
            backend, member = FLAGS[name]
            _state(stated.setdefault(backend, {}), member, name, value)
        elif name == PLATFORM:
            stated.setdefault(METAL, {})
            others.append(f"{name}={value}")
        else:
            others.append(f"{name}={value}" if value else name)
    target = _target(list(dict.fromkeys(selected)), stated)
    if others:
        target.notes.append(f"left out, as a target does not state it: {echo(' '.join(others))}")
    return target


def _named(words: list[Word]) -> Iterator[tuple[str, str]]:
    """Yield the flags with their values; other words have none."""
    remaining = iter(words)
    for word in remaining:
        name, equals, value = word.text.partition("=")
        name = f"-{name}" if name.startswith("-iree-") else name
        if not equals and (name in FLAGS or name in SELECTION):
            following = next(remaining, None)
            value = following.text if following else ""
        yield name, value


def _selected(what: str, value: str) -> Iterator[str]:
    for item in value.split(","):
        if what == BACKEND:
            yield BACKENDS.get(item, item)
            continue
        device = item.partition("[")[0]
        if device not in DEVICES:
            message = f"{echo(item)} is not a device of IREE"
            raise TargetError("OPTION_INVALID", message, DEVICE_EXPECTED)
        if DEVICES[device]:
            yield DEVICES[device]


def _state(members: dict[str, str], member: str, name: str, value: str) -> None:
    if members.setdefault(member, value) != value:
        message = f"{name} is {echo(members[member])} and also {echo(value)}"
        raise TargetError("TWO_TARGETS", message, "one of them")
    if not value:
        raise TargetError("OPTION_INVALID", f"{name} has no value", f"{name}=…")


def _target(selected: list[str], stated: Mapping[str, dict[str, str]]) -> IreeTarget:
    """Return the only target that is selected, or described if none is selected."""
    names = selected or list(stated)
    if len(names) > 1:
        message = f"{' and '.join(map(echo, names))} are different targets"
        raise TargetError("TWO_TARGETS", message, "the flags of one of them; publish two tags")
    if not names:
        raise TargetError("OPTION_MISSING", "no flag states a target", DEVICE_EXPECTED)
    members: dict[str, str] = dict(stated.get(names[0], {}))
    vector_bytes = members.pop("vector_bytes", "0")
    if not vector_bytes.isdecimal():
        message = f"{echo(vector_bytes)} is not a number of bytes"
        raise TargetError("VALUE_TYPE", message, "a number")
    target = IreeTarget(names[0], vector_bytes=int(vector_bytes))
    for member, value in members.items():
        setattr(target, member, value)
    rest = [name for name in stated if name != names[0]]
    if rest:
        target.notes.append(f"left out what is stated about {', '.join(rest)}: it is not selected")
    return target
