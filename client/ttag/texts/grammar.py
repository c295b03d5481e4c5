"""Splits a text into the items of its format's grammar; a text is nothing but such items."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from ttag.texts.claimed_text import Unexpected, refuse_controls, shown
from ttag_rules.grammars import TABLES

SLOT = re.compile(r"\{([a-z]+)\}")
END = "\n"


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a text: the name of its rule, and the value in it; empty if it holds none."""

    name: str
    value: str


def parse(form: str, text: str) -> list[Item]:
    """Return the items of a text in the format `clang`, `cmake` or `iree`. Raises `Unexpected`."""
    refuse_controls(text)
    grammar, expression, names = _compiled(form)
    separator: str = grammar["separator"]
    items: list[Item] = []
    position = 0
    while position < len(text):
        match = expression.match(text, position)
        if match is None:
            raise Unexpected(f"holds {shown(text[position:])}")
        group = str(match.lastgroup)
        item = Item(names[group], match[f"{group}_"])
        if item.name not in grammar["repeated"] and any(item.name == old.name for old in items):
            raise Unexpected(f"holds {shown(match[0])} twice")
        items.append(item)
        position = match.end()
        is_last = position == len(text) - len(END)
        position += len(END) if is_last else len(separator)
    if not items or not text.endswith(END):
        raise Unexpected("is cut short")
    return items


@cache
def _compiled(form: str) -> tuple[dict[str, Any], re.Pattern[str], dict[str, str]]:
    """Return a grammar, the expression of one item and what follows it, and names by group."""
    grammar = TABLES["texts"][form]
    names = {f"i{index}": name for index, name in enumerate(grammar["items"])}
    rules = (_rule(group, grammar["items"][name]) for group, name in names.items())
    follows = f"{re.escape(grammar['separator'])}(?=.)|{END}\\Z"
    return grammar, re.compile(f"(?:{'|'.join(rules)})(?={follows})", re.DOTALL), names


def _rule(group: str, rule: str) -> str:
    """Return the expression of an item: fixed text around at most one value."""
    before, *slot = SLOT.split(rule)
    name, after = slot or ("", "")
    value = TABLES["patterns"][name] if name else ""
    return f"(?P<{group}>{re.escape(before)}(?P<{group}_>{value}){re.escape(after)})"
