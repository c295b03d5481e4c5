"""Read lists of GPU architectures that builds are given: of CUDA, ROCm, CMake, PyTorch and Spack.

Each architecture of a list is a reading: a list says for which GPUs code is built, and none of them
is the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from registry.domain.compile_commands.gpu import AMD
from registry.domain.compile_commands.words import Word
from registry.domain.identify.notations.product_names import gpu_on_line
from registry.domain.identify.reading_builder import ReadingBuilder, matches_in, nothing
from registry.domain.identify.readings import Ignored, Reading, Stated

FORM = "list of GPU architectures"
NAMES = (
    *("TORCH_CUDA_ARCH_LIST", "CMAKE_CUDA_ARCHITECTURES", "CUDA_ARCHITECTURES", "CUDAARCHS"),
    *("CUDA_ARCH_LIST", "CUDA_ARCH_BIN", "CUDA_ARCHS", "TF_CUDA_COMPUTE_CAPABILITIES"),
    *("NVTE_CUDA_ARCHS", "FLASH_ATTN_CUDA_ARCHS", "HOROVOD_BUILD_CUDA_CC_LIST", "cuda_arch"),
    *("PYTORCH_ROCM_ARCH", "AMDGPU_TARGETS", "GPU_TARGETS", "GPU_ARCHS", "HIP_ARCHITECTURES"),
    *("CMAKE_HIP_ARCHITECTURES", "HCC_AMDGPU_TARGET", "amdgpu_target", "amdgpu_targets"),
)
LIST = re.compile(
    rf"""(?:(?<![A-Za-z])|(?<=-D))(?:{"|".join(NAMES)})(?::[A-Z]+)?
    (?:[ ]{{0,20}}[:?+]?=[ ]{{0,20}}|[ ]{{1,20}}(?=[^=\n)]{{0,200}}\)))
    (?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'
    |(?P<bare>[^\s"'()]+(?:[ ][0-9]+[af]?(?:-real|-virtual)?(?![\w-]))*))""",
    re.VERBOSE,
)
OVERRIDE = re.compile(
    r"HSA_OVERRIDE_GFX_VERSION[ \t]{0,20}[=:][ \t]{0,20}[\"']?"
    r"(?P<version>(?P<major>[0-9]{1,2})\.(?P<minor>[0-9])\.(?P<step>[0-9]{1,2}))(?![0-9.])"
)
SEPARATED = re.compile(r"[^;,\s]+")
NAME = re.compile(rf"sm_[0-9]{{2,3}}[af]?|{AMD.pattern}")
# A text of nothing else, as programs print lists; a single name may be that of a tag.
NAMES_ONLY = re.compile(
    rf"[\s'\"\[]*(?:{NAME.pattern})(?:[\s,;'\"]+(?:{NAME.pattern}))+[\s,;'\"\]]*"
)
CUDA = re.compile(
    r"(?:sm_|compute_)?(?P<number>[0-9]{2,3}|[0-9]{1,2}\.[0-9])(?P<suffix>[af]?)"
    r"(?P<code>-real|-virtual|\+PTX)?"
)
NVIDIA = frozenset(
    {
        *("20", "21", "30", "32", "35", "37", "50", "52", "53", "60", "61", "62", "70", "72"),
        *("75", "80", "86", "87", "88", "89", "90", "100", "101", "103", "110", "120", "121"),
    }
)
ONE_OF = "one of several architectures for which code is built; the text does not choose"
LEFT_OPEN = {
    "native": "says the machine that builds, whatever it is",
    "all": "says every architecture",
    "all-major": "says every architecture",
    "off": "says no architecture",
}


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each architecture of each list."""
    for match in matches_in(text, LIST):
        group = next(name for name in ("double", "single", "bare") if match[name] is not None)
        words = [
            Word(word[0].strip("[]\\"), match.start(group) + word.start())
            for word in matches_in(match[group], SEPARATED)
        ]
        yield from gpu_readings(text, words, FORM, product=gpu_on_line(text, match.start()))
    if NAMES_ONLY.fullmatch(text):
        words = [Word(match[0], match.start()) for match in matches_in(text, NAME)]
        yield from gpu_readings(text, words, FORM)
    for match in matches_in(text, OVERRIDE):
        yield _overridden(text, match)


def gpu_readings(
    text: str,
    words: Sequence[Word],
    form: str,
    *,
    host: ReadingBuilder | None = None,
    product: ReadingBuilder | None = None,
) -> Iterator[Reading]:
    """Yield a reading for each architecture that words name, and one for those that name none.

    What the builder of a host states belongs to each; what one of a product does, to a single one.
    """
    names = {word: architecture_name(word.text) for word in words}
    distinct = dict.fromkeys(name for name in names.values() if name)
    for name in distinct:
        builder = ReadingBuilder(text, form)
        for word in (word for word in words if names[word] == name):
            stated: Stated = "text" if word.text == name else "inferred"
            state_gpu(builder, name, word.span, "ambiguous" if len(distinct) > 1 else stated)
        if len(distinct) > 1:
            builder.notes.append(ONE_OF)
        elif product:
            builder.add(product)
        if host:
            _add_host(builder, host)
        yield builder.reading()
    unread = [word for word in words if not names[word] and not word.text.startswith("compute_")]
    if unread:
        yield nothing(*map(_ignored, unread))


def architecture_name(text: str) -> str:
    """Return `sm_86` for 86, 8.6, 8.6+PTX and sm_86, and gfx names as they are; else nothing."""
    if AMD.fullmatch(text):
        return text
    match = CUDA.fullmatch(text)
    if not match or match["code"] == "-virtual" or text.startswith("compute_"):
        return ""
    number = match["number"].replace(".", "")
    return f"sm_{number}{match['suffix']}" if number in NVIDIA else ""


def state_gpu(builder: ReadingBuilder, name: str, span: tuple[int, int], stated: Stated) -> None:
    is_nvidia = name.startswith("sm_")
    builder.state("/kind", "cuda" if is_nvidia else "rocm", span, "inferred")
    builder.state("/arch" if is_nvidia else "/mcpu", name, span, stated)


def _add_host(builder: ReadingBuilder, host: ReadingBuilder) -> None:
    builder.body["host"] = host.body
    builder.facts += (replace(fact, pointer=f"/host{fact.pointer}") for fact in host.facts)
    builder.places += host.places
    builder.notes += host.notes


def _ignored(word: Word) -> Ignored:
    reason = LEFT_OPEN.get(word.text.casefold(), "names no GPU that is known")
    return Ignored(word.text, reason, *word.span)


def _overridden(text: str, match: re.Match[str]) -> Reading:
    """Read the version that ROCm is told to take a GPU for."""
    builder = ReadingBuilder(text, "HSA_OVERRIDE_GFX_VERSION")
    name = f"gfx{match['major']}{match['minor']}{int(match['step']):x}"
    state_gpu(builder, name, match.span("version"), "inferred")
    builder.notes.append(f"ROCm is told to take the GPU for {name}; it may be another one")
    return builder.reading()
