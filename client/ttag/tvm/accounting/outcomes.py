"""The three things that can become of a value in a build."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from ttag.tvm.built_nodes import BuiltNode


class Step(Enum):
    """A step of the build that reads a value."""

    TARGET = "the Target that functions are compiled for"
    EXECUTION_MODE = "the execution mode of the virtual machine"
    RUNTIME = "the runtime that the code is linked for"
    SETTING = "the PassContext that functions are lowered in"
    PARAMETERS = "whether params become constants"
    CODE_GENERATOR = "the code generator that gets parts of Relax functions"
    CODE_GENERATOR_OPTIONS = "the options that the code generator is called with"
    LIBRARY = "the library that gets parts of Relax functions"
    STRUCTURE = "which nodes there are"


@dataclass(frozen=True, slots=True)
class Irrelevant:
    """A value that makes no difference to the code, and the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """A value that would make a difference, but that TVM does not follow, and what to do."""

    reason: str


Outcome: TypeAlias = "Step | Irrelevant | Lost"


@dataclass(frozen=True, slots=True)
class Build:
    """Facts about a build and about TVM, by which some outcomes differ.

    `settings` are those of a `PassContext`, with the types of their values; `registered` has the
    names of all global functions.
    """

    main: BuiltNode
    kinds: frozenset[str]
    has_relax: bool
    settings: Mapping[str, str]
    registered: frozenset[str]


Rule: TypeAlias = Callable[[Any, BuiltNode, Build], Outcome]
