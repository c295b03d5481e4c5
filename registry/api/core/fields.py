"""Fields that several serializers use."""

from __future__ import annotations

import json
from typing import Any

import orjson
from django.urls import reverse
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from registry.services.core import cursors


class EmptyAsNullField(serializers.CharField):
    """Text; null in responses if it is empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """Return the text, or None for an empty one."""
        return str(value) or None


class TextListField(serializers.ListField):
    """A list of texts."""

    child = serializers.CharField()


class CountOfField(serializers.IntegerField):
    """The length of a sequence."""

    def to_representation(self, value: Any) -> int:
        """Return the number of elements."""
        return len(value)


class StatusField(serializers.ChoiceField):
    """The status of a version, read from the boolean `yanked`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=["active", "yanked"], **kwargs)

    def to_representation(self, value: Any) -> str:
        """Return `yanked` or `active`."""
        return "yanked" if value else "active"


class AddressField(serializers.CharField):
    """The path of a named route, read from its only argument."""

    def __init__(self, *, route: str, **kwargs: Any) -> None:
        self.route = route
        super().__init__(**kwargs)

    def to_representation(self, value: Any) -> str:
        return reverse(self.route, args=[value])


class NextPageField(serializers.CharField):
    """The URL of the next page, read from the sort key of this page's last row."""

    def __init__(self, *, source: str = "next_key", **kwargs: Any) -> None:
        super().__init__(source=source, allow_null=True, **kwargs)

    def to_representation(self, key: Any) -> Any:
        """Return the URL, with the parameters of the request."""
        request = self.context["request"]
        return cursors.next_url(request.path, request.GET, key)


class StoredJSONField(serializers.Field):
    """JSON that is stored as text; `shape` is the field that describes it."""

    def __init__(self, shape: serializers.Field, **kwargs: Any) -> None:
        self.shape = shape
        super().__init__(**kwargs)

    def to_representation(self, text: str) -> Any:
        """Return the parsed value."""
        return json.loads(text)


class RawJSONField(StoredJSONField):
    """JSON that responses contain byte for byte as it is stored."""

    def to_representation(self, text: str) -> orjson.Fragment:
        """Return the text as a fragment that orjson copies into the response."""
        return orjson.Fragment(text)


class StoredJSONExtension(OpenApiSerializerFieldExtension):
    """Describes stored JSON by its shape."""

    target_class = StoredJSONField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> Any:
        """Return the schema of the shape."""
        return auto_schema._map_serializer_field(self.target.shape, direction)
