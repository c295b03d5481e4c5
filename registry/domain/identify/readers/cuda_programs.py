"""GPUs of NVIDIA as programs print them: PyTorch, TensorFlow, llama.cpp and CUDA's samples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from registry.domain.identify.devices import MEMORY, MODEL, PrintedGpu, read_gpus, supported_gpus
from registry.domain.identify.readings import Reading
from ttag_rules.probe import nvidia_smi

GPU = (
    r"(?P<name>(?:(?:NVIDIA|Nvidia|nvidia) )?"
    r"(?:GeForce|Quadro|Tesla|TITAN|GTX|RTX|[ABHLPTV]\d{1,4})\b[\w +-]{0,48}?)"
)
CAPABILITY = r"[Cc]apability[ :=]{1,3}(?:sm_(?P<sm>\d{2,3})|(?P<capability>\d{1,2}\.\d))"
# Each states a name and a compute capability, the memory where the program prints it.
FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "torch.cuda.get_device_properties",
        re.compile(
            r"_CudaDeviceProperties\(name='(?P<name>[^'\n]{2,80})', major=(?P<major>\d{1,2}), "
            r"minor=(?P<minor>\d)(?:, total_memory=(?P<mib>\d{3,7})MB)?"
        ),
    ),
    (
        "a device of llama.cpp",
        re.compile(
            r"Device \d{1,3}: (?P<name>[^,\n]{2,80}), "
            r"compute capability (?P<capability>\d{1,2}\.\d)"
            r"(?:, VMM: \w{2,3})?(?:, VRAM: (?P<mib>\d{3,7}) MiB)?"
        ),
    ),
    (
        "a device of TensorFlow",
        re.compile(
            r"name: (?P<name>[^,\n]{2,80}), pci bus id: [\w:.]{4,20}, "
            r"compute capability: (?P<capability>\d{1,2}\.\d)"
        ),
    ),
    (
        "CUDA's deviceQuery",
        re.compile(
            r"Device \d{1,3}: \"?(?P<name>[^\"\n,]{2,80}?)\"?[ \t\r]*\n(?:[^\n]{0,200}\n){0,8}?"
            r"[^\n]{0,40}(?i:CUDA Capability)(?: Major/Minor version number)?:[ \t]{0,40}"
            r"(?P<capability>\d{1,2}\.\d)"
            r"(?:\s{0,20}(?:[^\n]{0,200}\n){0,2}?[^\n]{0,10}Total amount of global memory:"
            r"[ \t]{0,40}(?P<mib>\d{3,7}) M)?"
        ),
    ),
    (
        "a GPU that PyTorch does not support",
        re.compile(
            r"(?P<name>[A-Z][\w -]{1,60}?) (?:with CUDA capability sm_(?P<sm>\d{2,3})|"
            r"which is of cuda capability (?P<capability>\d{1,2}\.\d))"
        ),
    ),
    (
        "a GPU with its compute capability",
        re.compile(GPU + r"[ ]{0,3}[,(][^\n]{0,60}?" + CAPABILITY),
    ),
)
SUPPORTED = re.compile(
    r"(?:supports? CUDA capabilities|minimum cuda capability supported by this library is"
    r"|arch_list)[^\n]{0,400}"
)
NUMBERED = re.compile(r"^(?:Found )?GPU\d{0,2} ")
MIB = 1024 * 1024


def read(text: str) -> Iterator[Reading]:
    """Yield each GPU that a program prints, and what it prints of GPUs that it supports."""
    if "apability" in text or "_CudaDeviceProperties" in text or "apabilities" in text:
        yield from read_gpus(_gpus(text))
        yield from map(supported_gpus, SUPPORTED.finditer(text))


def _gpus(text: str) -> Iterator[PrintedGpu]:
    taken: list[tuple[int, int]] = []
    for form, pattern in FORMS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            yield _gpu(form, match)


def _gpu(form: str, match: re.Match[str]) -> PrintedGpu:
    parts = match.groupdict()
    name = NUMBERED.sub("", match["name"])
    place = (match.end("name") - len(name), match.end("name"))
    mib = int(parts.get("mib") or 0)
    places = {MODEL: place}
    if mib:
        places[MEMORY] = match.span("mib")
    for group in ("capability", "sm", "major"):
        if parts.get(group):
            places["/arch"] = match.span(group)
    return PrintedGpu(
        nvidia_smi.gpu(_model(name), _capability(parts), mib * MIB), form, *match.span(), places
    )


def _model(name: str) -> str:
    """Return a name as NVIDIA writes it."""
    vendor, _, rest = name.strip().partition(" ")
    return f"NVIDIA {rest}" if vendor.lower() == "nvidia" and rest else name.strip()


def _capability(parts: dict[str, str | None]) -> str:
    if parts.get("major"):
        return f"{parts['major']}.{parts['minor']}"
    if number := parts.get("sm"):
        return f"{number[:-1]}.{number[-1]}"
    return parts.get("capability") or ""
