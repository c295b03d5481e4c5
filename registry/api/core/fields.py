"""Fields that several shapes share."""

from __future__ import annotations

import json
from typing import Any

import orjson
from django.urls import reverse
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from registry.api.core import paging


class EmptyAsNullField(serializers.CharField):
    """Text that is answered as null where it is empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """Return the text, or None for an empty one."""
        return str(value) or None


class TextListField(serializers.ListField):
    """A list of texts."""

    child = serializers.CharField()
    default_error_messages = {"invalid": "a list of texts"}

    def to_internal_value(self, data: Any) -> list[str]:
        """Return the texts; unlike DRF's field, refuse numbers."""
        if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
            self.fail("invalid")
        return list(data)


class CountOfField(serializers.IntegerField):
    """The length of a sequence."""

    def to_representation(self, value: Any) -> int:
        """Return how many elements there are."""
        return len(value)


class StatusField(serializers.ChoiceField):
    """Whether a version is yanked, as text; read from a boolean."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=["active", "yanked"], **kwargs)

    def to_representation(self, value: Any) -> str:
        """Return `yanked` or `active`."""
        return "yanked" if value else "active"


class AddressField(serializers.CharField):
    """The path of a named route; read from its one argument."""

    def __init__(self, *, route: str, **kwargs: Any) -> None:
        self.route = route
        super().__init__(**kwargs)

    def to_representation(self, value: Any) -> str:
        return reverse(self.route, args=[value])


class NextPageField(serializers.CharField):
    """The address of the next page; read from the sort key of this page's last row."""

    def __init__(self, *, source: str = "following", **kwargs: Any) -> None:
        super().__init__(source=source, allow_null=True, **kwargs)

    def to_representation(self, key: Any) -> Any:
        """Return the address, with the parameters of the request."""
        return paging.next_url(self.context["request"], key)


class StoredJSONField(serializers.Field):
    """JSON that is stored as text; `shape` is the field that describes it."""

    def __init__(self, shape: serializers.Field, **kwargs: Any) -> None:
        self.shape = shape
        super().__init__(**kwargs)

    def to_representation(self, text: str) -> Any:
        """Return the parsed value."""
        return json.loads(text)


class RawJSONField(StoredJSONField):
    """JSON that is answered byte for byte as it is stored."""

    def to_representation(self, text: str) -> orjson.Fragment:
        """Return the text for `conditional.json_of` to copy into the answer."""
        return orjson.Fragment(text)


class StoredJSONExtension(OpenApiSerializerFieldExtension):
    """Describes stored JSON by its shape."""

    target_class = StoredJSONField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> Any:
        """Return the schema of the shape."""
        return auto_schema._map_serializer_field(self.target.shape, direction)
