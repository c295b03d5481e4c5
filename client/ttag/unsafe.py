"""Values of a target that could make a compiler open, load or print something.

What each value may be is in `option_patterns.json`, from which the registry checks bodies. Which
lints a response has does not count: a registry can hide them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ttag.errors import UnsafeTarget
from ttag.resolution import Resolution
from ttag.texts.claimed_text import FORBIDDEN, shown
from ttag_rules.llvm_options import COMPILER_OPTIONS, PASSING, WRITTEN
from ttag_rules.nodes import COMPONENTS, STRUCTURE, Node, nodes
from ttag_rules.option_patterns import MAX_LENGTH, REDACTED, TABLE, pattern_name
from ttag_rules.pointer import child

PATTERNS = {name: re.compile(each["pattern"], re.ASCII) for name, each in TABLE["patterns"].items()}
# Choices of a kind of its own for an option that no table names; a product may be a path.
GENERAL = ("word", "name", "feature", "triple")
SETTINGS = TABLE["settings"]


@dataclass(frozen=True, slots=True)
class UnsafeValue:
    """A value, its JSON pointer, and what it could do."""

    pointer: str
    value: object
    danger: str

    @property
    def is_redacted(self) -> bool:
        """True if the registry has replaced text of the value, which no author can have meant."""
        return isinstance(self.value, str) and REDACTED in self.value

    @property
    def place(self) -> str:
        """The pointer and the value, for a sentence."""
        return f"{ascii(self.pointer)[1:-1]} is {shown(self.value)}"

    def __str__(self) -> str:
        return f"{self.place}: {self.danger}"


# Decision 100: whoever may publish could otherwise make a build open files.
def require_safe(resolution: Resolution, reference: str) -> None:
    """Raise `UnsafeTarget` for the first value of a target that could harm a build."""
    unsafe = _first_unsafe(resolution.text)
    if unsafe and unsafe.is_redacted:
        raise UnsafeTarget(
            f"{reference} cannot be built for: the registry's operator removed text from "
            f"{resolution.exact}, whose {unsafe.place}. Use another version, or publish one "
            "without the text that was removed."
        )
    if unsafe:
        raise UnsafeTarget(
            f"{reference} is not safe to build for: {unsafe}. Use another version, or "
            "--allow-unsafe (allow_unsafe=True in Python) if you trust who wrote it."
        )


@lru_cache(maxsize=4096)  # a build asks for few targets, and for each of them often
def _first_unsafe(text: str) -> UnsafeValue | None:
    return next(unsafe_values(json.loads(text)), None)


def unsafe_values(target: Mapping[str, Any]) -> Iterator[UnsafeValue]:
    """Yield the values of a target, or of a mixin, that could harm a build."""
    yield from _strings(target, "", _controls)
    for node in nodes(target):
        yield from _of_node(node)


def _of_node(node: Node) -> Iterator[UnsafeValue]:
    own = dict(node.own)
    for name in PASSING:
        if name in own:
            yield from _passed_on(name, own.pop(name), child(node.pointer, name))
    for name, value in own.items():
        yield from _strings(value, child(node.pointer, name), _pattern_check(node.kind, name))
    for name in COMPONENTS:
        yield from _strings(node.value.get(name), child(node.pointer, name), _general)
    flow = node.value.get("flow", {})
    for name, value in flow.items():
        yield from _setting(name, value, child(child(node.pointer, "flow"), name))
    for name in {*node.value, *_labels(node.value)} - STRUCTURE:
        if problem := _general(name):
            yield UnsafeValue(child(node.pointer, name), name, problem)


def _labels(value: Mapping[str, Any]) -> list[str]:
    devices = value.get("devices")
    return [*devices] if isinstance(devices, dict) else []


def _strings(value: Any, pointer: str, problem_of: Callable[[str], str]) -> Iterator[UnsafeValue]:
    """Yield the strings in a value, and the names of its members, that have a problem."""
    if isinstance(value, str):
        if problem := problem_of(value):
            yield UnsafeValue(pointer, value, problem)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, child(pointer, index), problem_of)
    elif isinstance(value, dict):
        for name, item in value.items():
            if problem := _controls(name):
                yield UnsafeValue(child(pointer, name), name, problem)
            yield from _strings(item, child(pointer, name), problem_of)


def _controls(text: str) -> str:
    has_control = FORBIDDEN.search(text) or "\n" in text
    return "it holds a control character, which can rewrite a terminal" if has_control else ""


def _pattern_check(kind: str, option: str) -> Callable[[str], str]:
    """Return the function that says what is wrong with a string in an option of a kind."""
    name = pattern_name(kind, option)
    return _general if name is None else lambda text: _problem(text, name)


def _problem(text: str, name: str) -> str:
    if reason := TABLE["reserved"].get(name, {}).get(text):
        return str(reason)
    if len(text) <= MAX_LENGTH and PATTERNS[name].fullmatch(text):
        return ""
    return (
        "it can name a file, an option or a second argument to a compiler; expected "
        f"{TABLE['patterns'][name]['expected']}"
    )


def _general(text: str) -> str:
    """Return what is wrong with a string of an option that no table names."""
    problems = [_problem(text, name) for name in GENERAL]
    return problems[0] if all(problems) else ""


def _passed_on(option: str, value: Any, pointer: str) -> Iterator[UnsafeValue]:
    """Yield what an option passes on to LLVM and that the list of safe options does not have."""
    names: set[str] = set()
    for index, text in enumerate(value if isinstance(value, list) else [value]):
        written = WRITTEN.fullmatch(text) if isinstance(text, str) else None
        known = COMPILER_OPTIONS.get(written[1]) if written else None
        if (
            known is None
            or written is None
            or option not in known.options
            or not known.accepts(option, written[2], written[3])
        ):
            danger = "it reaches the inside of LLVM, whose options can write files and load code"
            yield UnsafeValue(child(pointer, index), text, danger)
        elif known.name in names:
            danger = "LLVM ends the process at the second occurrence"
            yield UnsafeValue(child(pointer, index), text, danger)
        else:
            names.add(known.name)


def _setting(name: str, value: Any, pointer: str) -> Iterator[UnsafeValue]:
    """Yield a pass setting that names a file, loads or profiles, or text in any unknown one."""
    if danger := SETTINGS["unsafe"].get(name):
        if value is not False:
            yield UnsafeValue(pointer, value, str(danger))
        return
    known = SETTINGS["text"].get(name, {})
    yield from _strings(value, pointer, lambda text: _setting_problem(known, text))


def _setting_problem(known: Mapping[str, Any], text: str) -> str:
    if "pattern" in known:
        return _problem(text, known["pattern"])
    if text in known.get("values", ()):
        return ""
    return "it is text in a pass setting, which can name a file"
