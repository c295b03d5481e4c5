"""Serializers of resolutions and exports."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.api.core.direct_serializer import DirectSerializer
from registry.api.core.fields import RawJSONField, TextListField
from registry.api.core.problem_serializers import FaultSerializer
from registry.domain.resolution.body_references import Relation
from registry.models import Status
from registry.services.versions.exporting import ExportFormat


class DependencySerializer(serializers.Serializer):
    """A direct use of one version by another."""

    pointer = serializers.CharField()
    requested = serializers.CharField()
    resolved = serializers.CharField()
    relation = serializers.ChoiceField(choices=[str(relation) for relation in Relation])


class WarningSerializer(DirectSerializer):
    """A warning for clients that resolve this reference."""

    code = serializers.CharField()
    message = serializers.CharField()
    successor = serializers.CharField(required=False)


class ReferenceWarningSerializer(WarningSerializer):
    """A warning about one of several versions."""

    reference = serializers.CharField(help_text="the exact reference of the version")


class NodeAskedSerializer(DirectSerializer):
    """The requested node, and the digest of the whole target."""

    pointer = serializers.CharField(source="part.pointer")
    digest_of_whole = serializers.CharField(source="version.digest")


class ResolutionSerializer(DirectSerializer):
    """A resolved reference with its version, status and warnings."""

    reference = serializers.CharField()
    tag = serializers.CharField(source="version.tag.text")
    version = serializers.CharField(source="version.number")
    node = NodeAskedSerializer(required=False)
    digest = serializers.CharField()
    published = serializers.DateTimeField(source="version.date")
    event = serializers.IntegerField(source="version.event")
    status = serializers.ChoiceField(choices=[str(status) for status in Status])
    target = RawJSONField(serializers.DictField())
    tuning_keys = RawJSONField(serializers.DictField(child=serializers.CharField()))
    lineage = RawJSONField(TextListField(), source="version.lineage")
    dependencies = RawJSONField(DependencySerializer(many=True))
    build_key = serializers.CharField(allow_null=True)
    lints = RawJSONField(FaultSerializer(many=True))
    warnings = WarningSerializer(many=True)


@extend_schema_field(
    {
        "anyOf": [
            {"$ref": "#/components/schemas/Resolution"},
            {"$ref": "#/components/schemas/Problem"},
            {"type": "object"},  # a target in another format
        ]
    }
)
class ResultField(serializers.JSONField):
    """The result for one of many references."""


class ResultsSerializer(serializers.Serializer):
    """A resolution or a problem for each of many references, in their order."""

    results = serializers.ListField(child=ResultField())


class LossSerializer(serializers.Serializer):
    """A dropped value with the reason."""

    pointer = serializers.CharField()
    reason = serializers.CharField()


@extend_schema_field({"type": ["object", "array"], "items": {}})  # generators need `items`
class ExportedField(serializers.JSONField):
    """A member of an exported target."""


def export_serializer(form: ExportFormat) -> type[serializers.Serializer]:
    """Return the serializer of a JSON format: its members, and the dropped values."""
    assert form.written  # noqa: S101 - the other formats return stored text
    members: dict[str, Any] = {name: ExportedField() for name in form.written.members}
    name = f"{form.name.title().replace('-', '')}ExportSerializer"
    base = (serializers.Serializer,)
    return type(name, base, {**members, "dropped": LossSerializer(many=True)})
