"""Serializers of kinds and their revisions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.api.core.fields import AddressField, NextPageField, TextListField


class SortedTextListField(TextListField):
    """A list of texts in sorted order."""

    def to_representation(self, data: Any) -> list[str]:
        """Return the texts in sorted order."""
        return sorted(data)


class KindSerializer(serializers.Serializer):
    """A kind with the URL of its JSON Schema."""

    name = serializers.CharField()
    role = serializers.CharField()
    revision = serializers.IntegerField()
    description = serializers.CharField()
    options = SortedTextListField()
    schema = AddressField(route="api:kind", source="name")


class KindPageSerializer(serializers.Serializer):
    """A page of kinds, with the URL of the schema of whole bodies."""

    results = KindSerializer(source="rows", many=True)
    next = NextPageField()
    body = AddressField(route="api:kind")
