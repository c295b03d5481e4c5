"""Compare two revisions of a kind, option by option, and check the schema of a new kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from registry.domain.document import canonical, is_same_json
from registry.domain.errors import echo
from registry.domain.kinds import body_schema, schema
from registry.domain.kinds.hardware import SOURCES
from registry.domain.kinds.kinds import HARDWARE
from ttag_rules.pointer import natural_key

MAX_NAME = 64  # characters; the size of the column
NAME = re.compile(r"(?:(?:executor|runtime)/)?[a-z][a-z0-9_-]*")


class Aspect(StrEnum):
    """The aspect of an option that changed."""

    ADDED = "added"
    REMOVED = "removed"
    TYPE = "type"  # and any other keyword that restricts the values
    RANGE = "range"
    DEFAULT = "default"
    CONSUMERS = "consumers"
    TUNING = "affects tuning"
    DOCUMENTATION = "documentation"  # read by people only


ASPECTS = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), Aspect.RANGE),
    **dict.fromkeys(("multipleOf", "minLength", "maxLength"), Aspect.RANGE),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems"), Aspect.RANGE),
    **dict.fromkeys(("default", "x-derived-default"), Aspect.DEFAULT),
    "x-consumers": Aspect.CONSUMERS,
    "x-affects-tuning": Aspect.TUNING,
    **dict.fromkeys(("x-keys", "x-host-dependent"), Aspect.TUNING),
    **dict.fromkeys(("title", "description", "examples", "$comment"), Aspect.DOCUMENTATION),
    **dict.fromkeys(("deprecated", "x-reason", "x-unit", "x-group"), Aspect.DOCUMENTATION),
    **dict.fromkeys(("x-since", "x-device-type"), Aspect.DOCUMENTATION),
}
# The aspect already names these keywords.
UNNAMED_KEYWORDS = ("default", "x-consumers", "x-affects-tuning")
OPTION_KEYWORDS = ("properties", "patternProperties")


@dataclass(frozen=True, slots=True)
class OptionChange:
    """A change in one aspect of an option; of the whole kind if `option` is empty.

    `old` and `new` are readable text, empty if there was or is no value.
    """

    option: str
    aspect: Aspect
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        subject = f"option {self.option}" if self.option else "the kind"
        if self.aspect in (Aspect.ADDED, Aspect.REMOVED):
            return f"{subject} {self.aspect}: {self.new or self.old}"
        return f"{subject}, {self.aspect}: {self.old or 'nothing'} becomes {self.new or 'nothing'}"


def compare_schemas(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[OptionChange, ...]:
    """Compare two schemas of a kind; changes to the kind as a whole come first."""
    differences = list(_aspects("", _without_options(old), _without_options(new)))
    before, after = _options(old), _options(new)
    for name in sorted(before.keys() | after.keys(), key=natural_key):
        if name not in before:
            differences.append(OptionChange(name, Aspect.ADDED, new=_format_type(after[name])))
        elif name not in after:
            differences.append(OptionChange(name, Aspect.REMOVED, old=_format_type(before[name])))
        else:
            differences += _aspects(name, before[name], after[name])
    return tuple(differences)


def schema_problems(name: str, source: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each reason why a schema cannot be a kind."""
    if name == body_schema.NAME:
        yield f"{name} is the schema of whole bodies; a kind cannot have that name"
    elif not NAME.fullmatch(name) or len(name) > MAX_NAME:
        yield (
            f"{echo(name)} is not a valid kind name: use a lowercase letter, then letters, digits, "
            "_ and -, at most 64 characters; start an executor or runtime with executor/ or "
            "runtime/"
        )
    try:
        canonical(dict(source))
    except ValueError as error:
        yield f"the schema cannot be stored as canonical JSON: {error}"
        return
    yield from schema.kind_schema_problems(source)
    yield from _annotation_problems(source)
    if name == HARDWARE:
        yield from _group_problems(source)


def _annotation_problems(source: Mapping[str, Any]) -> Iterator[str]:
    if not _is_texts(source.get("x-keys", [])):
        yield "x-keys is not a list of strings"
    options = [source.get(part) for part in OPTION_KEYWORDS]
    for described in (part for part in options if isinstance(part, dict)):
        for name, option in described.items():
            if not isinstance(option, dict):
                continue
            if not _is_texts(option.get("x-consumers", [])):
                yield f"{name} names consumers that are not strings (x-consumers)"
            if not _is_texts_or_null(option.get("x-host-dependent", [])):
                yield f"{name} has an x-host-dependent that is not a list of strings and null"
            derived = option.get("x-derived-default", {})
            if not isinstance(derived, dict) or not isinstance(derived.get("where", {}), dict):
                yield f'{name} has an x-derived-default that is not {{"value", "where"}}'


def _group_problems(source: Mapping[str, Any]) -> Iterator[str]:
    """Yield the hardware facts that state no group, by which their sources are stated."""
    for name, option in source.get("properties", {}).items():
        group = option.get("x-group") if isinstance(option, dict) else None
        if name != SOURCES and not isinstance(group, str):
            yield f"{name} does not state its group (x-group)"


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_texts_or_null(value: Any) -> bool:
    return isinstance(value, list) and _is_texts([item for item in value if item is not None])


def _options(source: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        name: option for part in OPTION_KEYWORDS for name, option in source.get(part, {}).items()
    }


def _without_options(source: Mapping[str, Any]) -> dict[str, Any]:
    return {keyword: value for keyword, value in source.items() if keyword not in OPTION_KEYWORDS}


def _aspects(option: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[OptionChange]:
    differing: dict[Aspect, list[str]] = {}
    for keyword in (*old, *(keyword for keyword in new if keyword not in old)):
        if keyword not in old or keyword not in new or not is_same_json(old[keyword], new[keyword]):
            differing.setdefault(ASPECTS.get(keyword, Aspect.TYPE), []).append(keyword)
    for aspect in Aspect:
        if keywords := differing.get(aspect):
            yield OptionChange(option, aspect, _format(old, keywords), _format(new, keywords))


def _format(described: Mapping[str, Any], keywords: list[str]) -> str:
    """Format the values of some keywords; leave out the name of a keyword that its aspect names."""
    return ", ".join(
        _format_value(described[keyword])
        if keyword in UNNAMED_KEYWORDS
        else f"{keyword} {_format_value(described[keyword])}"
        for keyword in keywords
        if keyword in described
    )


def _format_value(value: Any) -> str:
    return ", ".join(value) if value and _is_texts(value) else echo(value)


def _format_type(option: Mapping[str, Any]) -> str:
    """Format the keywords that restrict an option's values."""
    keywords = [
        keyword
        for keyword in option
        if ASPECTS.get(keyword, Aspect.TYPE) in (Aspect.TYPE, Aspect.RANGE)
    ]
    return _format(option, keywords)
