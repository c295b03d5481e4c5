"""The base of the shapes that resolving answers with, up to a thousand in one answer."""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import Any

from rest_framework import serializers


class DirectSerializer(serializers.Serializer):
    """Reads each field's source as a plain attribute; an optional field that is None is left out.

    DRF looks first whether a source is a mapping, a callable or missing, which takes as long again
    as the rest of a resolution: see docs/decisions/0047.
    """

    @cached_property
    def _readers(self) -> list[tuple[str, Any, Any, bool]]:
        return [
            (name, attrgetter(str(field.source)), field.to_representation, field.required)
            for name, field in self.fields.items()
        ]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the instance as a value for JSON."""
        shape: dict[str, Any] = {}
        for name, read, represent, is_required in self._readers:
            value = read(instance)
            if value is not None:
                shape[name] = represent(value)
            elif is_required:
                shape[name] = None
        return shape
