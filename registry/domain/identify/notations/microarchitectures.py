"""Read processors by archspec's names, as Spack, conda and EasyBuild write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from registry.domain.identify.reading_builder import ReadingBuilder, matches_in
from registry.domain.identify.readings import Reading
from ttag_rules.notations.archspec_names import GENERIC, MACHINES, Microarchitecture

X86_LEVEL = "x86-64-v"  # with which LLVM's names of levels begin
# A level of Arm, or an architecture, is no processor.
PROCESSORS: Mapping[str, Microarchitecture] = {
    name: each
    for name, each in MACHINES.items()
    if each.vendor != GENERIC or each.mcpu.startswith(X86_LEVEL)
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
        builders: dict[str, ReadingBuilder] = {}
        for match in matches_in(text, pattern):
            parts = match.groupdict()
            group = "name" if parts["name"] else "target"
            builder = builders.setdefault(parts[group] or "", ReadingBuilder(text, form))
            _state(builder, match, group, system="linux" if parts.get("os") else "")
        yield from (builder.reading() for builder in builders.values())


def _state(builder: ReadingBuilder, match: re.Match[str], group: str, *, system: str) -> None:
    machine = PROCESSORS[match[group]]
    span = match.span(group)
    builder.state("/kind", "llvm", span, "inferred")
    if system:
        builder.state(
            "/mtriple", f"{machine.architecture}-unknown-{system}", match.span("os"), "inferred"
        )
    builder.state(
        "/mcpu", machine.mcpu, span, "text" if machine.mcpu == match[group] else "inferred"
    )
