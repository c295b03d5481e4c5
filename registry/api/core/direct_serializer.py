"""A fast base class for the serializers of resolutions, up to a thousand in one response."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from django.utils.functional import cached_property
from rest_framework import serializers


class DirectSerializer(serializers.Serializer):
    """Reads each field's source as a plain attribute; an optional field that is None is left out.

    DRF first checks whether a source is a mapping, a callable or missing, which would double the
    time of a resolution: see docs/decisions/0047.
    """

    @cached_property
    def _readers(self) -> list[tuple[str, Any, Any, bool]]:
        return [
            (name, attrgetter(str(field.source)), field.to_representation, field.required)
            for name, field in self.fields.items()
        ]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the instance as a value for JSON."""
        data: dict[str, Any] = {}
        for name, read, represent, is_required in self._readers:
            value = read(instance)
            if value is not None:
                data[name] = represent(value)
            elif is_required:
                data[name] = None
        return data
