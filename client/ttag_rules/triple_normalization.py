"""Normalize triples as `llvm::Triple::normalize` of LLVM 22 does.

A triple is `architecture-vendor-system-environment`. People leave components out and swap them.
LLVM moves the components that it knows to their positions, and pushes the others to the right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ttag_rules.triple_names import (
    CYGWIN,
    MINGW,
    WIN32,
    file_format,
    is_architecture,
    is_environment,
    is_system,
    is_vendor,
    is_windows_toolchain,
)

ARCHITECTURE, VENDOR, SYSTEM, ENVIRONMENT = range(4)
TESTS: tuple[Callable[[str], bool], ...] = (is_architecture, is_vendor, is_system, is_environment)
MISSING = "unknown"  # stands for a missing component
BARE = "none"  # the system of code without an operating system

SHADER_MODEL = re.compile(r"shadermodel6\.([0-9]|x)(?:\.[0-9]+){0,2}")
LATEST_DXIL = "9"  # the minor version of DXIL for shader model 6.x


def normalize(text: str) -> str:
    """Return a triple as LLVM 22 writes it: `x86_64-linux-gnu` is `x86_64-unknown-linux-gnu`."""
    ordered = OrderedComponents.parse(text)
    names = [name or MISSING for name in ordered.names]
    environment = _environment(ordered)
    if environment:
        names[ENVIRONMENT] = environment
    if ordered.fixed[SYSTEM]:
        names = _with_windows(names, environment, ordered.file_format)
    if names[ARCHITECTURE] == "dxil":
        names = [_dxil(names), *names[VENDOR : ENVIRONMENT + 1]]
    return "-".join(names)


def misplaced_components(text: str) -> list[str]:
    """Return the system and the environment of a triple that its text has in another place.

    LLVM reads a text that is not normalized by position, and so without them.
    """
    names, normal_names = text.split("-"), normalize(text).split("-")
    stated = (*OrderedComponents.parse(text).names, "", "", "", "")
    return [
        stated[position]
        for position, is_known in ((SYSTEM, is_system), (ENVIRONMENT, is_environment))
        if stated[position]
        and any(map(is_known, normal_names[position : position + 1]))
        and not any(map(is_known, names[position : position + 1]))
    ]


def _environment(ordered: OrderedComponents) -> str:
    """Return the normal name of the environment; empty if there is none that LLVM knows."""
    if not ordered.has_environment:
        return ""
    name = ordered.names[ENVIRONMENT]
    is_suse = ordered.fixed[VENDOR] and ordered.names[VENDOR] == "suse"
    if is_suse and re.match("gnueabi(?!hf|t64)", name):
        return "gnueabihf"  # what SUSE means by gnueabi
    if name.startswith("androideabi"):
        return name.replace("androideabi", "android", 1)
    return name


def _with_windows(names: list[str], environment: str, file_format: str) -> list[str]:
    """Return components in which Windows has its normal name, and its toolchain's environment."""
    system = names[SYSTEM]
    extra = "" if file_format == "coff" else file_format
    if system.startswith(WIN32) and not environment:
        return [*names[:SYSTEM], "windows", extra or "msvc"]
    if system.startswith(MINGW):
        environment = "gnu"
    elif system.startswith(CYGWIN):
        environment = "cygnus"
    elif not system.startswith(WIN32):
        return names
    return [*names[:SYSTEM], "windows", environment, *filter(None, [extra])]


def _dxil(names: list[str]) -> str:
    """Return the architecture of DirectX code, with the version that a shader model implies."""
    if len(names) <= SYSTEM or not names[SYSTEM].startswith("shadermodel"):
        return names[ARCHITECTURE]
    match = SHADER_MODEL.fullmatch(names[SYSTEM])
    return f"dxilv1.{match[1].replace('x', LATEST_DXIL) if match else 0}"


@dataclass(slots=True)
class OrderedComponents:
    """The components of a triple, known ones in their positions; missing ones are empty.

    `fixed` says which of the four positions hold a component that LLVM knows there.
    """

    names: list[str]
    fixed: list[bool] = field(default_factory=lambda: [False] * len(TESTS))
    file_format: str = ""

    @classmethod
    def parse(cls, text: str) -> OrderedComponents:
        """Split a triple, and move its components to their positions."""
        ordered = cls(text.split("-"))
        ordered._order()
        return ordered

    @property
    def has_environment(self) -> bool:
        """True if LLVM knows the environment; a file format in its position is none."""
        return self.fixed[ENVIRONMENT] and is_environment(self.names[ENVIRONMENT])

    def _order(self) -> None:
        """Move the components to their positions; those that LLVM knows where they are stay."""
        for position, name in enumerate(self.names[: len(TESTS)]):
            self.fixed[position] = TESTS[position](name)
        if len(self.names) > len(TESTS):
            self.file_format = file_format(self.names[len(TESTS)])
        for position in range(len(TESTS)):
            if not self.fixed[position]:
                self._fill(position)
        if self._is_bare():
            self.names[VENDOR], self.names[SYSTEM] = "", BARE

    def _fill(self, position: int) -> None:
        """Move the first component that is known for a position to it."""
        for index in self._movable(0):
            name = self.names[index]
            if not self._is_known(name, position):
                continue
            self._move(index, position)
            self.fixed[position] = True
            return

    def _move(self, index: int, position: int) -> None:
        """Move a component to its position: left by inserting it there, right by filling gaps."""
        if index > position:
            name, self.names[index] = self.names[index], ""
            self._insert(name, position)
        while index < position:
            self._insert("", index)
            index = next(self._movable(index + 1))

    def _is_known(self, name: str, position: int) -> bool:
        if TESTS[position](name):
            return True
        if position == SYSTEM:
            return is_windows_toolchain(name)
        if position == ENVIRONMENT:
            self.file_format = file_format(name)
            return bool(self.file_format)
        return False

    def _insert(self, name: str, index: int) -> None:
        """Insert a component; push those that can move to the right, up to the first gap."""
        for place in self._movable(index):
            name, self.names[place] = self.names[place], name
            if not name:
                return
        self.names.append(name)

    def _movable(self, start: int) -> Iterator[int]:
        """Yield the indices from `start` on of components that are not fixed."""
        for index in range(start, len(self.names)):
            if index >= len(TESTS) or not self.fixed[index]:
                yield index

    def _is_bare(self) -> bool:
        """Return whether `none` is the system, as in arm-none-eabi, and not the vendor."""
        return (
            self.fixed == [True, False, False, True]
            and self.names[VENDOR] == BARE
            and not self.names[SYSTEM]
        )
