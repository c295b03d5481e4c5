"""What a new revision of a kind changes, option by option, and why a schema cannot be one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from registry.domain import body_schema, schema
from registry.domain.document import canonical, same
from registry.domain.errors import echo
from registry.domain.pointer import natural

MAX_NAME = 64  # characters, as the column has
NAME = re.compile(r"(?:(?:executor|runtime)/)?[a-z][a-z0-9_-]*")


class Aspect(StrEnum):
    """What about an option, or about the kind as a whole, is not as it was."""

    ADDED = "added"
    REMOVED = "removed"
    TYPE = "type"  # and whatever else says which values are valid
    RANGE = "range"
    DEFAULT = "default"
    CONSUMERS = "consumers"
    TUNING = "affects tuning"
    WORDS = "words"  # read by people only


ASPECTS = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), Aspect.RANGE),
    **dict.fromkeys(("multipleOf", "minLength", "maxLength"), Aspect.RANGE),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems"), Aspect.RANGE),
    **dict.fromkeys(("default", "x-derived-default"), Aspect.DEFAULT),
    "x-consumers": Aspect.CONSUMERS,
    "x-affects-tuning": Aspect.TUNING,
    **dict.fromkeys(("x-keys", "x-host-dependent-without"), Aspect.TUNING),
    **dict.fromkeys(("title", "description", "examples", "$comment", "deprecated"), Aspect.WORDS),
    **dict.fromkeys(("x-reason", "x-unit", "x-since", "x-device-type"), Aspect.WORDS),
}
PLAIN = ("default", "x-consumers", "x-affects-tuning")  # keywords that their aspect names already
OPTIONS = ("properties", "patternProperties")


@dataclass(frozen=True, slots=True)
class OptionChange:
    """One aspect of one option that is not as it was; without an option, of the kind as a whole.

    `old` and `new` are text for people, empty where nothing stood or stands.
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


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[OptionChange, ...]:
    """Compare two schemas that describe a kind: the kind as a whole first, then its options."""
    found = list(_aspects("", _without_options(old), _without_options(new)))
    before, after = _options(old), _options(new)
    for name in sorted(before.keys() | after.keys(), key=natural):
        if name not in before:
            found.append(OptionChange(name, Aspect.ADDED, new=_type(after[name])))
        elif name not in after:
            found.append(OptionChange(name, Aspect.REMOVED, old=_type(before[name])))
        else:
            found += _aspects(name, before[name], after[name])
    return tuple(found)


def problems(name: str, source: Mapping[str, Any]) -> Iterator[str]:
    """Why a schema cannot be in force under a name: one sentence for each reason."""
    if name == body_schema.NAME:
        yield f"{name} is the schema of whole bodies; no kind has the name"
    elif not NAME.fullmatch(name) or len(name) > MAX_NAME:
        yield (
            f"{echo(name)} is no name of a kind: a lower-case letter, then letters, digits, _ and "
            "-, at most 64, behind executor/ or runtime/ for one of these"
        )
    try:
        canonical(dict(source))
    except ValueError as error:
        yield f"the schema is not JSON as the registry keeps it: {error}"
        return
    yield from schema.problems(source)
    yield from _annotation_problems(source)


def _annotation_problems(source: Mapping[str, Any]) -> Iterator[str]:
    for keyword in ("x-keys", "x-host-dependent-without"):
        if not _is_texts(source.get(keyword, [])):
            yield f"{keyword} is not a list of texts"
    options = [source.get(part) for part in OPTIONS]
    for described in (part for part in options if isinstance(part, dict)):
        for name, option in described.items():
            if not isinstance(option, dict):
                continue
            if not _is_texts(option.get("x-consumers", [])):
                yield f"{name} names consumers that are no texts (x-consumers)"
            derived = option.get("x-derived-default", {})
            if not isinstance(derived, dict) or not isinstance(derived.get("where", {}), dict):
                yield f'{name} has an x-derived-default that is not {{"value", "where"}}'


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _options(source: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: option for part in OPTIONS for name, option in source.get(part, {}).items()}


def _without_options(source: Mapping[str, Any]) -> dict[str, Any]:
    return {keyword: value for keyword, value in source.items() if keyword not in OPTIONS}


def _aspects(option: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[OptionChange]:
    differing: dict[Aspect, list[str]] = {}
    for keyword in (*old, *(keyword for keyword in new if keyword not in old)):
        if keyword not in old or keyword not in new or not same(old[keyword], new[keyword]):
            differing.setdefault(ASPECTS.get(keyword, Aspect.TYPE), []).append(keyword)
    for aspect in Aspect:
        if keywords := differing.get(aspect):
            yield OptionChange(option, aspect, _shown(old, keywords), _shown(new, keywords))


def _shown(described: Mapping[str, Any], keywords: list[str]) -> str:
    """What some keywords say, without the name of one that its aspect names."""
    return ", ".join(
        _text(described[keyword]) if keyword in PLAIN else f"{keyword} {_text(described[keyword])}"
        for keyword in keywords
        if keyword in described
    )


def _text(value: Any) -> str:
    return ", ".join(value) if value and _is_texts(value) else echo(value)


def _type(option: Mapping[str, Any]) -> str:
    """Which values an option takes."""
    said = [
        word for word in option if ASPECTS.get(word, Aspect.TYPE) in (Aspect.TYPE, Aspect.RANGE)
    ]
    return _shown(option, said)
