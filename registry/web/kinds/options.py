"""Describe the options of a kind: accepted values, consumers, and the effect on tuning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.text import Truncator

from registry.domain.document import MAX_INTEGER
from registry.domain.kinds.kinds import COMMON_OPTIONS, Kind
from registry.domain.kinds.schema import DEFS, PATTERN_DESCRIPTIONS
from registry.web.core.units import SCALED, humanize
from registry.web.kinds.shares import OptionShare

AFFECTS_TUNING = {True: "yes", False: "no", "unknown": "counts as yes"}
PATTERNS = {
    DEFS[name]["pattern"]: description
    for name, description in PATTERN_DESCRIPTIONS.items()
    if "pattern" in DEFS[name]
}
PATTERNS[DEFS["features"]["items"]["pattern"]] = PATTERN_DESCRIPTIONS["features"]
ANY_OTHER = "any other dotted name"
MAX_FULL_OPTIONS = (
    60  # with more, only the selected one is described in full, to limit the page size
)
MAX_PATTERN = 40  # characters; longer ones are unreadable
MAX_DESCRIPTION = {False: 70, True: 400}  # characters, by `is_full`
TYPES = {"boolean": "true or false", "array": "list", "string": "text"}


def option_rows(
    kind: Kind,
    shares: Mapping[str, tuple[OptionShare, ...]] | None = None,
    since: Mapping[str, int] | None = None,
    selected: str = "",
) -> list[dict[str, Any]]:
    """Return the named options of a kind, its own first, then the pattern for other names.

    `shares` maps an option to its shares, `since` to the revision that added it. The `selected`
    option comes first; if there are many, it is the only one described in full.
    """
    schema = kind.schema
    options = [(name, option) for name, option in schema["properties"].items() if name != "kind"]
    options += [(ANY_OTHER, option) for option in schema.get("patternProperties", {}).values()]
    return [
        _row(
            name,
            option,
            is_full=name == selected or not has_many_options(kind),
            since=_since(option, (since or {}).get(name)),
            shares=(shares or {}).get(name, ()),
            is_required=name in schema["required"],
        )
        for name, option in sorted(options, key=lambda item: item[0] != selected)
    ]


def has_many_options(kind: Kind) -> bool:
    """Return whether a kind has too many options to describe all of them in full."""
    return len(kind.options) > MAX_FULL_OPTIONS


def option_units(kind: Kind) -> dict[str, str]:
    options = kind.schema["properties"].items()
    return {name: option["x-unit"] for name, option in options if "x-unit" in option}


def _since(option: Mapping[str, Any], revision: int | None) -> str:
    version = str(option.get("x-since", ""))
    return version or (f"revision {revision}" if revision else "")


def _row(name: str, option: Mapping[str, Any], *, is_full: bool, **fields: Any) -> dict[str, Any]:
    """Return the row of one option, with `fields`."""
    unit, max_length = option.get("x-unit", ""), MAX_DESCRIPTION[is_full]
    keyless = ("absent" if value is None else value for value in option.get("x-host-dependent", ()))
    return {
        "name": name,
        "anchor": name.replace(" ", "-"),
        "accepts": Truncator(accepts(option)).chars(max_length),
        "default": _default(option),
        "human_default": humanize(option.get("default"), unit) if unit in SCALED else "",
        "unit": unit,
        "consumers": option.get("x-consumers", ()),
        "affects_tuning": AFFECTS_TUNING[option.get("x-affects-tuning", "unknown")],
        "without_key": " or ".join(keyless),  # values with which a leaf has no tuning key
        "description": Truncator(option.get("description", "")).chars(max_length),
        "reason": Truncator(option.get("x-reason", "")).chars(max_length),
        "is_common": COMMON_OPTIONS.get(name) == option,
        "is_deprecated": option.get("deprecated", False),
        "is_counted": name != ANY_OTHER and option.get("type") != "object",  # values of objects not
        "is_full": is_full,
        **fields,
    }


def accepts(option: Mapping[str, Any]) -> str:
    """Describe the values that a schema accepts."""
    schema = DEFS.get(option.get("$ref", "").removeprefix("#/$defs/"), option)
    if description := PATTERNS.get(schema.get("pattern", "")):
        return description
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join(_text(value) for value in schema["enum"])
    return ", ".join(_clauses(schema))


def _clauses(schema: Mapping[str, Any]) -> Iterator[str]:
    types = schema.get("type", "any value")
    types = [types] if isinstance(types, str) else types
    yield " or ".join(TYPES.get(name, name) for name in types)
    if limits := _limits(schema):
        yield limits
    if "items" in schema:
        yield f"each {accepts(schema['items'])}"
    if "patternProperties" in schema:
        names = (name.strip("^$()").replace("|", ", ") for name in schema["patternProperties"])
        yield from (f"of {name}" for name in names)
    if "pattern" in schema:
        pattern = schema["pattern"]
        is_readable = len(pattern) <= MAX_PATTERN
        yield f"matching {pattern}" if is_readable else "matching a pattern in the JSON Schema"
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
    """Describe the default value; first the one that compilers derive from other options."""
    defaults = []
    if derived := option.get("x-derived-default"):
        conditions = derived.get("where", {}).items()
        where = " and ".join(f"{name} is {_text(value)}" for name, value in conditions)
        defaults.append(f"{_text(derived['value'])}{' if ' if where else ''}{where}")
    if "default" in option:
        defaults.append(_text(option["default"]))
    return ", else ".join(defaults)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
