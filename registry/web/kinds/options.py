"""A kind's options in words: what each accepts, its consumers, whether it affects tuning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from registry.domain.document import MAX_INTEGER
from registry.domain.kinds import COMMON_OPTIONS, Kind
from registry.domain.schema import DEFS, PATTERN_DESCRIPTIONS
from registry.web.core.units import SCALED, humanize
from registry.web.kinds.usage import Shown

AFFECTS = {True: "yes", False: "no", "unknown": "counts as yes"}
FORMS = {
    DEFS[name]["pattern"]: words
    for name, words in PATTERN_DESCRIPTIONS.items()
    if "pattern" in DEFS[name]
}
FORMS[DEFS["features"]["items"]["pattern"]] = PATTERN_DESCRIPTIONS["features"]
ANY_OTHER = "any other dotted name"
MANY = 60  # options; of more, only one at a time is described in full, to keep the page small
LONGEST_PATTERN = 40  # characters that people may still read
MAX_DESCRIPTION = {False: 70, True: 400}  # characters, by `is_full`
TYPES = {"boolean": "true or false", "array": "list", "string": "text"}


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option as a row of a kind's page."""

    name: str
    broken: SafeString  # the name with places where a line may end
    anchor: str
    accepts: str
    default: str
    human_default: str
    unit: str
    consumers: tuple[str, ...]
    affects: str
    description: str
    reason: str
    since: str
    uses: tuple[Shown, ...]
    is_common: bool
    is_required: bool
    is_deprecated: bool
    is_counted: bool  # whether tags can be filtered by its values: not if it is an object
    is_full: bool


def option_rows(
    kind: Kind,
    uses: Mapping[str, tuple[Shown, ...]] | None = None,
    since: Mapping[str, int] | None = None,
    chosen: str = "",
) -> list[OptionRow]:
    """Return every named option of a kind, its own first, then the pattern for other names.

    `uses` maps an option to its usage, `since` to the revision that added it. The `chosen` one
    comes first; if a kind has many options, only that one is described in full.
    """
    schema = kind.schema
    named = [(name, option) for name, option in schema["properties"].items() if name != "kind"]
    named += [(ANY_OTHER, option) for option in schema.get("patternProperties", {}).values()]
    return [
        _row(
            name,
            option,
            is_full=name == chosen or not has_many(kind),
            since=_since(option, (since or {}).get(name)),
            uses=(uses or {}).get(name, ()),
            is_required=name in schema["required"],
        )
        for name, option in sorted(named, key=lambda each: each[0] != chosen)
    ]


def has_many(kind: Kind) -> bool:
    """Return whether a kind has too many options to describe them all in full on one page."""
    return len(kind.options) > MANY


def option_units(kind: Kind) -> dict[str, str]:
    """Return the unit of each option that has one."""
    options = kind.schema["properties"].items()
    return {name: option["x-unit"] for name, option in options if "x-unit" in option}


def _since(option: Mapping[str, Any], revision: int | None) -> str:
    said = str(option.get("x-since", ""))
    return said or (f"revision {revision}" if revision else "")


def _row(name: str, option: Mapping[str, Any], *, is_full: bool, **more: Any) -> OptionRow:
    unit, most = option.get("x-unit", ""), MAX_DESCRIPTION[is_full]
    return OptionRow(
        name=name,
        broken=format_html_join(mark_safe("_<wbr>"), "{}", ((part,) for part in name.split("_"))),
        anchor=name.replace(" ", "-"),
        accepts=Truncator(accepts(option)).chars(most),
        default=_default(option),
        human_default=humanize(option.get("default"), unit) if unit in SCALED else "",
        unit=unit,
        consumers=tuple(option.get("x-consumers", ())),
        affects=AFFECTS[option.get("x-affects-tuning", "unknown")],
        description=Truncator(option.get("description", "")).chars(most),
        reason=Truncator(option.get("x-reason", "")).chars(most),
        is_common=COMMON_OPTIONS.get(name) == option,
        is_deprecated=option.get("deprecated", False),
        is_counted=name != ANY_OTHER and option.get("type") != "object",
        is_full=is_full,
        **more,
    )


def accepts(option: Mapping[str, Any]) -> str:
    """Describe the values that a schema accepts."""
    schema = DEFS.get(option.get("$ref", "").removeprefix("#/$defs/"), option)
    if words := FORMS.get(schema.get("pattern", "")):
        return words
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join(_text(value) for value in schema["enum"])
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
        pattern = schema["pattern"]
        is_short = len(pattern) <= LONGEST_PATTERN
        yield f"of the form {pattern}" if is_short else "of a form that the JSON Schema gives"
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
    """Return the default value in words; first the one that compilers derive from other options."""
    known = []
    if derived := option.get("x-derived-default"):
        conditions = derived.get("where", {}).items()
        where = " and ".join(f"{name} is {_text(value)}" for name, value in conditions)
        known.append(f"{_text(derived['value'])}{' where ' if where else ''}{where}")
    if "default" in option:
        known.append(_text(option["default"]))
    return ", else ".join(known)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
