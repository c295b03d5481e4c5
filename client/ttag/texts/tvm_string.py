"""The format `tvm-string`: a leaf and its hosts as the command line that TVM took to 0.23."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ttag.texts.claimed_text import Claim, Unexpected, refuse_controls, shown
from ttag.texts.triples import is_same_triple, with_float_abi
from ttag_rules.compiled_options import FLOAT_ABI
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import HOST, KIND, Node
from ttag_rules.pointer import child

TABLE = TABLES["tvm-string"]
WORD = re.compile(r"(?:[^\\' ]|\\.|'(?:[^'\\]|\\.)*')+")
OPTION = re.compile(r"-([A-Za-z0-9_.-]+)=(.+)")
BARE_WORD, BARE_ITEM = re.compile(r"[^\s'\\]+"), re.compile(r"[^\s'\\,]+")
SPECIAL = re.compile(r"['\\]")
SETTINGS = ("executor", "runtime", "flow")
# The options of these have types that a command line can express, unlike perhaps those of others.
KINDS = {*TABLES["clang"]["cpus"], *TABLES["clang"]["others"]}
MAX_INTEGER = 2**63 - 1


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the line has the target's options, and no other."""
    refuse_controls(claim.text)
    if "\n" in claim.text:
        raise Unexpected("has a second line")
    root = Node("", dict(claim.target))
    written = set(_check_line(claim, claim.text, root, root))
    for name in SETTINGS:
        for member in claim.target.get(name, ()):
            if (name, member) not in written:
                claim.require(f"/{name}/{member}")


def _check_line(claim: Claim, line: str, node: Node, root: Node) -> Iterator[tuple[str, str]]:
    """Check the line of a node, and yield the settings of the root that it holds."""
    kind, options = _split(line)
    if kind != node.kind:
        raise Unexpected(f"has the kind {shown(kind)}, and the target {shown(node.kind)}")
    stated = {name: value for name, value in node.own.items() if name != KIND}
    if FLOAT_ABI in options:
        stated = with_float_abi(stated)
    host = node.value.get(HOST)
    for name, text in options.items():
        if name == HOST and host is not None:
            inner = Node(child(node.pointer, HOST), host, (node, *node.enclosing))
            yield from _check_line(claim, _unquoted(text), inner, root)
        elif name in stated:
            _check_option(name, text, stated[name])
        else:
            yield from _check_setting(name, text, root)
    for name in [*stated, *([HOST] if host is not None else [])]:
        if name in options:
            continue
        if node.kind in KINDS and name in stated and _is_expressible(stated[name]):
            raise Unexpected(f"lacks {shown(child(node.pointer, name))} of the target")
        claim.require(child(node.pointer, name))


def _split(line: str) -> tuple[str, dict[str, str]]:
    """Return the kind and the options of a line, by name. Raises `Unexpected`."""
    words = WORD.findall(line)
    options: dict[str, str] = {}
    if " ".join(words) != line or not words:
        raise Unexpected(f"holds {shown(line)}, which is not a command line")
    for word in words[1:]:
        option = OPTION.fullmatch(word)
        if option is None or option[1] in options:
            raise Unexpected(f"holds {shown(word)}")
        options[option[1]] = option[2]
    return words[0], options


def _check_option(name: str, text: str, stated: Any) -> None:
    content = _content(stated)
    is_triple = name == "mtriple" and is_same_triple(text, str(stated))
    if content is None or not (text == _quoted(content, BARE_WORD) or is_triple):
        raise Unexpected(f"holds {shown(f'-{name}={text}')}, which is not in the target")


def _check_setting(name: str, text: str, root: Node) -> Iterator[tuple[str, str]]:
    """Check an option that states a setting of the executor, the runtime or the flow."""
    part = name if name in {"executor", "runtime"} else TABLE["moved"].get(name)
    settings: Mapping[str, Any] = root.value.get(part, {})
    member = KIND if name == part else name
    value = settings.get(member)
    if name == part:
        value = TABLE[f"{part}s"].get(value)
    content = None if value is None else _content(value)
    if content is None or text != _quoted(content, BARE_WORD):
        raise Unexpected(f"holds {shown(f'-{name}={text}')}, which is not in the target")
    yield part, member
    yield part, KIND  # an option of an executor or a runtime implies its kind


def _is_expressible(value: Any) -> bool:
    """Return whether a command line certainly expresses a value."""
    if isinstance(value, list):
        return all(_is_expressible(item) and not isinstance(item, list) for item in value)
    if isinstance(value, str):
        return bool(value)
    return isinstance(value, int) and abs(value) <= MAX_INTEGER


def _content(value: Any) -> str | None:
    """Return a value as a text; None for what no command line expresses."""
    match value:
        case bool() | int():
            return str(int(value))
        case str():
            return value
        case list():
            items = [content for item in value if (content := _content(item)) is not None]
            return ",".join(_quoted(item, BARE_ITEM) for item in items) or ","
    return None


def _quoted(text: str, bare: re.Pattern[str]) -> str:
    return text if bare.fullmatch(text) else "'" + SPECIAL.sub(r"\\\g<0>", text) + "'"


def _unquoted(text: str) -> str:
    """Return the line in a word. Raises `Unexpected` if it is quoted in another way."""
    inner = re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith("'") else text
    if _quoted(inner, BARE_WORD) != text:
        raise Unexpected(f"holds {shown(text)}, quoted in another way than the registry does")
    return inner
