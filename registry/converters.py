"""Typed paths, for both faces. The path has been percent-decoded once, by the server."""

from __future__ import annotations

from django.urls import register_converter

from registry.domain.errors import Refused
from registry.domain.reference import Pair, Reference

ANYTHING = r"[\s\S]*"  # newlines too: they are refused with a reason


class ReferenceConverter:
    """The rest of a path as a `Reference`, or as the `Refused` that says why it is none.

    A converter's own error would be a 404 without a sentence; the faces answer the refusal.
    """

    regex = ANYTHING

    def to_python(self, text: str) -> Reference | Refused:
        """Parse once, at the edge."""
        try:
            return Reference.parse(text)
        except Refused as refusal:
            return refusal

    def to_url(self, value: object) -> str:
        """The reference as it is written."""
        return str(value)


class PairConverter:
    """The rest of a path as a `Pair`, or as the `Refused` that says why it is none."""

    regex = ANYTHING

    def to_python(self, text: str) -> Pair | Refused:
        """Parse once, at the edge."""
        try:
            return Pair.parse(text)
        except Refused as refusal:
            return refusal

    def to_url(self, value: object) -> str:
        """The pair as it is written."""
        return str(value)


class RestConverter:
    """The rest of a path as it stands: a kind's name may hold a slash, as in executor/aot."""

    regex = ANYTHING

    def to_python(self, text: str) -> str:
        """As it stands."""
        return text

    def to_url(self, value: object) -> str:
        """As it stands."""
        return str(value)


def register() -> None:
    """Make `<reference:...>`, `<pair:...>` and `<rest:...>` known, once a process."""
    register_converter(ReferenceConverter, "reference")
    register_converter(PairConverter, "pair")
    register_converter(RestConverter, "rest")
