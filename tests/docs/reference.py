"""Writes docs/ttag.md: every public name of the client, from its signature and its docstring.

python -m tests.docs.reference
"""

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from types import ModuleType
from typing import Any

import ttag
import ttag.errors
import ttag.records
import ttag.tvm
from tests.databases import ROOT

PAGE = ROOT / "docs/ttag.md"
MODULES = (ttag, ttag.records, ttag.tvm)
HEAD = """\
# The Python package ttag

Every public name, as the code states it: `make reference` writes this page, and a test compares it
with the code. [Python](../client/README.md#python) is the place to start. For each error it says
which exit code the command `ttag` has for it.
"""
LITERAL = (str, int, float, bool, tuple, type(None))  # defaults that are shown as they are


def render() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(line for module in MODULES for line in _module(module))])


def public_members(owner: type) -> dict[str, Any]:
    """Return the public methods and properties of a class, its own and those that it inherits."""
    members: dict[str, Any] = {}
    for each in reversed(owner.__mro__):
        if each.__module__.startswith("ttag"):
            members |= {name: value for name, value in vars(each).items() if name[0] != "_"}
    fields = getattr(owner, "__dataclass_fields__", {})  # a default may be a function
    described = (property, cached_property, classmethod, staticmethod)
    return {
        name: value
        for name, value in sorted(members.items())
        if isinstance(value, described) or (inspect.isfunction(value) and name not in fields)
    }


def is_property(member: object) -> bool:
    """Return whether a member is read without being called."""
    return isinstance(member, property | cached_property)


def docstring(value: Any) -> str:
    """Return the docstring of a name or a member, without its indentation."""
    return inspect.cleandoc(getattr(value, "__func__", value).__doc__ or "")


def _module(module: ModuleType) -> Iterator[str]:
    yield f"## {module.__name__}\n"
    yield f"{_example(docstring(module))}\n"
    for name in sorted(module.__all__, key=lambda name: (name.startswith("__"), name.lower())):
        value = getattr(module, name)
        yield f"### {name.strip('_') if isinstance(value, str) else name}\n"
        if isinstance(value, str):
            yield f"`{module.__name__}.{name}`: the version of this package, a string.\n"
        else:
            yield from _name(name, value)


def _name(name: str, value: Any) -> Iterator[str]:
    yield f"```python\n{_call(name, value)}\n```\n"
    yield f"{docstring(value)}\n"
    if not isinstance(value, type):
        return
    members = public_members(value)
    if issubclass(value, Exception):
        yield f"{_base(value)}.\n"
        members.pop("exit_code", None)
    if members:
        yield "".join(_member(name, member) for name, member in members.items())


def _base(error: type[Exception]) -> str:
    code = inspect.getattr_static(error, "exit_code", None)
    bases = (each.__name__ for each in error.__mro__[1:])
    base = f"A `{next(name for name in bases if name != 'NotUsable')}`"  # which is not public
    if not isinstance(code, ttag.errors.ExitCode):
        return base  # a warning, or an error whose code depends on the response
    return f"{base} with the exit code {int(code)} (`{code.name}`)"


def _member(name: str, member: Any) -> str:
    text = " ".join(docstring(member).split())
    call = name if is_property(member) else _call(name, member, most=10_000)
    return f"- `{call}`: {text}\n"


def _call(name: str, function: Any, most: int = 100) -> str:
    """Return the parameters and the result of a function or a class: over lines, if it is long."""
    function = getattr(function, "__func__", function)
    try:
        signature = inspect.signature(function)
    except ValueError:
        return name  # an exception with the arguments of all exceptions
    parameters: list[str] = []
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        if each.name not in {"self", "cls"} and not each.name.startswith("_"):
            annotation = "" if each.annotation is each.empty else f": {each.annotation}"
            parameters.append(f"{each.name}{annotation}{_default(each.default)}")
    result = signature.return_annotation
    end = "" if result in {signature.empty, None} or isinstance(function, type) else f" -> {result}"
    call = f"{name}({', '.join(parameters)}){end}"
    if len(call) <= most:
        return call
    lines = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"{name}(\n{lines}){end}"


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    return f" = {value!r}" if isinstance(value, LITERAL) else " = ..."


def _example(text: str) -> str:
    """Return a docstring whose indented lines are a block of code."""
    return re.sub(
        r"((?:^    .*\n?|^\n(?=    ))+)",
        lambda match: f"```python\n{inspect.cleandoc(match[0])}\n```\n",
        text,
        flags=re.MULTILINE,
    )


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
