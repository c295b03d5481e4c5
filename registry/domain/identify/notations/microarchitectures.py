"""Read processors by archspec's names, as Spack, conda and EasyBuild write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from registry.domain.identify.drafts import MAX_MATCHES, Draft
from registry.domain.identify.readings import Reading

_X86 = (
    *("nocona", "core2", "nehalem", "westmere", "sandybridge", "ivybridge", "haswell"),
    *("broadwell", "skylake", "cannonlake", "cascadelake", "sapphirerapids"),
)
# LLVM's triple and name of a processor by archspec's name.
PROCESSORS: Mapping[str, tuple[str, str]] = {
    **{name: ("x86_64", name) for name in _X86},
    **{f"x86_64_v{level}": ("x86_64", f"x86-64-v{level}") for level in (2, 3, 4)},
    "skylake_avx512": ("x86_64", "skylake-avx512"),
    "icelake": ("x86_64", "icelake-client"),
    "mic_knl": ("x86_64", "knl"),
    "k10": ("x86_64", "amdfam10"),
    **{f"zen{number or ''}": ("x86_64", f"znver{number or 1}") for number in (0, 2, 3, 4, 5)},
    **{
        name: ("x86_64", f"bdver{number}")
        for number, name in enumerate(("bulldozer", "piledriver", "steamroller", "excavator"), 1)
    },
    "cortex_a72": ("aarch64", "cortex-a72"),
    "neoverse_n1": ("aarch64", "neoverse-n1"),
    "neoverse_n2": ("aarch64", "neoverse-n2"),
    "neoverse_v1": ("aarch64", "neoverse-v1"),
    "neoverse_v2": ("aarch64", "neoverse-v2"),
    "thunderx2": ("aarch64", "thunderx2t99"),
    "a64fx": ("aarch64", "a64fx"),
    **{f"power{number}le": ("powerpc64le", f"pwr{number}") for number in (8, 9, 10)},
    "u74mc": ("riscv64", "sifive-u74"),
}
_NAMES = "|".join(sorted(PROCESSORS, key=len, reverse=True))
FORMS = (
    ("archspec of conda", re.compile(rf"__archspec=(?:[0-9]+=)?(?P<name>{_NAMES})(?![\w.])")),
    (
        "target of Spack",
        re.compile(
            rf"(?<![\w-])(?:arch=)?(?P<os>linux)-[a-z]+[0-9.]*-(?P<name>{_NAMES})(?![\w.])"
            rf"|(?<![\w-])target=(?P<target>{_NAMES})(?![\w.-])"
        ),
    ),
)


def read(text: str) -> Iterator[Reading]:
    """Yield a reading for each processor that differs."""
    for form, pattern in FORMS:
        drafts: dict[str, Draft] = {}
        for match in islice(pattern.finditer(text), MAX_MATCHES):
            parts = match.groupdict()
            group = "name" if parts["name"] else "target"
            draft = drafts.setdefault(parts[group] or "", Draft(text, form))
            _state(draft, match, group, system="linux" if parts.get("os") else "")
        yield from (draft.reading() for draft in drafts.values())


def _state(draft: Draft, match: re.Match[str], group: str, *, system: str) -> None:
    architecture, processor = PROCESSORS[match[group]]
    span = match.span(group)
    draft.state("/kind", "llvm", span, "inferred")
    if system:
        draft.state("/mtriple", f"{architecture}-unknown-{system}", match.span("os"), "inferred")
    draft.state("/mcpu", processor, span, "text" if processor == match[group] else "inferred")
