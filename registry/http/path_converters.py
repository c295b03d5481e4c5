"""Path converters of pages and API. Paths arrive percent-decoded."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import register_converter

from registry.domain.errors import Refused
from registry.domain.reference import Pair, Reference

ANYTHING = r"[\s\S]*"  # including newlines, which parsing rejects with a reason


class RestConverter:
    """The rest of a path, unchanged: kinds may have a slash in their name, as in executor/aot."""

    regex = ANYTHING

    def to_python(self, text: str) -> object:
        return text

    def to_url(self, value: object) -> str:
        return str(value)


class ReferenceConverter(RestConverter):
    """The rest of a path as a `Reference`, or the `Refused` error of parsing it.

    Raising it here would yield a plain 404; views respond with its code and message.
    """

    parse: Callable[[str], Reference | Pair] = Reference.parse

    def to_python(self, text: str) -> Reference | Pair | Refused:
        """Return the parsed text, or the error."""
        try:
            return type(self).parse(text)
        except Refused as refusal:
            return refusal


class PairConverter(ReferenceConverter):
    """The rest of a path as a `Pair`, or the `Refused` error of parsing it."""

    parse = Pair.parse


class SidesConverter(PairConverter):
    """The rest of a path as a `Pair`, only if it has the separator: others are one reference."""

    regex = rf"{ANYTHING}\.\.\.{ANYTHING}"


def register() -> None:
    """Register `<reference:...>`, `<pair:...>`, `<sides:...>` and `<rest:...>`, once."""
    register_converter(SidesConverter, "sides")
    register_converter(ReferenceConverter, "reference")
    register_converter(PairConverter, "pair")
    register_converter(RestConverter, "rest")
