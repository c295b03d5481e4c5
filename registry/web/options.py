"""A kind's options in words: what each accepts, who reads it, whether tuning depends on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from registry.domain.document import MAX_INTEGER
from registry.domain.kinds import COMMON, Kind
from registry.domain.schema import DEFS, WORDS

AFFECTS = {True: "yes", False: "no", "unknown": "counts as yes"}
FORMS = {DEFS[name]["pattern"]: words for name, words in WORDS.items() if "pattern" in DEFS[name]}
FORMS[DEFS["features"]["items"]["pattern"]] = WORDS["features"]
TYPES = {"boolean": "true or false", "array": "list", "string": "text"}


@dataclass(frozen=True, slots=True)
class Described:
    """One option as a row of a kind's page."""

    name: str
    anchor: str
    accepts: str
    default: str
    unit: str
    consumers: tuple[str, ...]
    affects: str
    description: str
    reason: str
    is_common: bool
    is_required: bool
    is_deprecated: bool


def described(kind: Kind) -> list[Described]:
    """Every option that a kind names, its own first, and the form of those it takes besides."""
    schema = kind.schema
    named = {name: option for name, option in schema["properties"].items() if name != "kind"}
    forms = schema.get("patternProperties", {})
    rows = [_row(name, option, schema["required"]) for name, option in named.items()]
    return rows + [_row("any other dotted name", option, ()) for option in forms.values()]


def _row(name: str, option: Mapping[str, Any], required: Any) -> Described:
    return Described(
        name=name,
        anchor=name.replace(" ", "-"),
        accepts=accepts(option),
        default=_default(option),
        unit=option.get("x-unit", ""),
        consumers=tuple(option.get("x-consumers", ())),
        affects=AFFECTS[option.get("x-affects-tuning", "unknown")],
        description=option.get("description", ""),
        reason=option.get("x-reason", ""),
        is_common=COMMON.get(name) == option,
        is_required=name in required,
        is_deprecated=option.get("deprecated", False),
    )


def accepts(option: Mapping[str, Any]) -> str:
    """The values that a schema takes, in words."""
    schema = DEFS.get(option.get("$ref", "").removeprefix("#/$defs/"), option)
    if words := FORMS.get(schema.get("pattern", "")):
        return words
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join(_plain(value) for value in schema["enum"])
    return ", ".join(_clauses(schema))


def _clauses(schema: Mapping[str, Any]) -> Iterator[str]:
    types = schema.get("type", "any value")
    words = [types] if isinstance(types, str) else types
    yield " or ".join(TYPES.get(word, word) for word in words)
    if limits := _limits(schema):
        yield limits
    if "items" in schema:
        yield f"each {accepts(schema['items'])}"
    if "patternProperties" in schema:
        forms = (form.strip("^$()").replace("|", ", ") for form in schema["patternProperties"])
        yield from (f"of {form}" for form in forms)
    if "pattern" in schema:
        yield f"of the form {schema['pattern']}"
    if "maxLength" in schema:
        yield f"at most {schema['maxLength']} characters"


def _limits(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        return f"more than {schema['exclusiveMinimum']}"
    if low is None and high is None:
        return ""
    if high is None or high == MAX_INTEGER:
        return f"{low} or more"
    return f"{low} to {high:,}" if low is not None else f"{high:,} or less"


def _default(option: Mapping[str, Any]) -> str:
    """What holds where an option is not stated; first what a compiler derives from others."""
    known = []
    if derived := option.get("x-derived-default"):
        conditions = derived.get("where", {}).items()
        where = " and ".join(f"{name} is {_plain(value)}" for name, value in conditions)
        known.append(f"{_plain(derived['value'])}{' where ' if where else ''}{where}")
    if "default" in option:
        known.append(_plain(option["default"]))
    return ", else ".join(known)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
