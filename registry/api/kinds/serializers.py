"""Serializers of kinds."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.api.core.fields import AddressField, NextPageField, TextListField


class SortedTextListField(TextListField):
    """A list of texts in sorted order."""

    def to_representation(self, data: Any) -> list[str]:
        """Return them as a sorted list."""
        return sorted(data)


class KindSerializer(serializers.Serializer):
    """A kind, and where its JSON Schema is."""

    name = serializers.CharField()
    role = serializers.CharField()
    revision = serializers.IntegerField()
    description = serializers.CharField()
    options = SortedTextListField()
    schema = AddressField(route="api:kind", source="name")


class KindPageSerializer(serializers.Serializer):
    """A page of kinds, and where the schema of whole bodies is."""

    results = KindSerializer(source="rows", many=True)
    next = NextPageField()
    body = AddressField(route="api:kind")
