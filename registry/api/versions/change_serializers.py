"""Serializers of values with their origins, and of diffs."""

from __future__ import annotations

from typing import Any

import orjson
from rest_framework import serializers

from registry.api.core.direct_serializer import DirectSerializer
from registry.api.core.fields import RawJSONField, StatusField, TextListField
from registry.domain.version_number import Bump
from registry.services.versions.comparing import Comparison
from registry.services.versions.explaining import TargetLeaf

BUMPS = [str(bump) for bump in Bump]


class OriginSerializer(DirectSerializer):
    """Renames the field `from_` to `from`, which is a keyword in Python."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields under their names in responses."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class SideSerializer(OriginSerializer):
    """A value and the version that set it; null for a version that is not published yet."""

    value = serializers.JSONField()
    from_ = serializers.CharField(source="origin", allow_null=True)


class ExplainedValueSerializer(OriginSerializer):
    """A value by its pointer, with the version that set it."""

    pointer = serializers.CharField()
    value = serializers.JSONField(source="leaf.value")
    from_ = serializers.CharField(source="leaf.origin")


class ExplanationSerializer(serializers.Serializer):
    """Every value of a version's target."""

    reference = serializers.CharField()
    values = RawJSONField(ExplainedValueSerializer(many=True))


def explained_values(values: list[TargetLeaf]) -> str:
    """Return explained values as JSON."""
    return orjson.dumps(ExplainedValueSerializer(values, many=True).data).decode()


class ChangeSerializer(DirectSerializer):
    """One leaf that differs; a side that does not have it is null."""

    pointer = serializers.CharField()
    old = SideSerializer(allow_null=True)
    new = SideSerializer(allow_null=True)
    consumers = TextListField()
    affects_tuning = serializers.BooleanField()


class ComparedVersionSerializer(serializers.Serializer):
    """One of two versions that are compared."""

    reference = serializers.CharField()
    exact = serializers.CharField()
    digest = serializers.CharField(source="version.digest")
    status = StatusField(source="version.yanked")


class ComparedKeySerializer(DirectSerializer):
    """A tuning key, and the leaves that have it on either side."""

    key = serializers.CharField()
    count = serializers.IntegerField()
    old = TextListField()
    new = TextListField()


class ComparedKeysSerializer(serializers.Serializer):
    """The tuning keys that were kept, lost and gained."""

    kept = ComparedKeySerializer(many=True)
    lost = ComparedKeySerializer(many=True)
    new = ComparedKeySerializer(many=True)


class ComparedBuildsSerializer(serializers.Serializer):
    """The build keys of both versions; null for a mixin or a host-dependent target."""

    old = serializers.CharField(allow_null=True)
    new = serializers.CharField(allow_null=True)
    equal = serializers.BooleanField(source="are_equal")


class ComparisonSerializer(serializers.Serializer):
    """The differences between two versions."""

    old = ComparedVersionSerializer()
    new = ComparedVersionSerializer()
    bump = serializers.ChoiceField(
        choices=[str(bump) for bump in Bump if bump is not Bump.FIRST], allow_null=True
    )
    changes = RawJSONField(ChangeSerializer(many=True))
    tuning_keys = RawJSONField(ComparedKeysSerializer())
    build_keys = RawJSONField(ComparedBuildsSerializer())


def difference_members(comparison: Comparison) -> dict[str, Any]:
    """Return the members of a comparison that depend on the contents of both versions only."""
    serialized = {
        "changes": ChangeSerializer(comparison.changes, many=True),
        "tuning_keys": ComparedKeysSerializer(comparison.keys),
        "build_keys": ComparedBuildsSerializer(comparison.builds),
    }
    texts = {name: orjson.dumps(part.data).decode() for name, part in serialized.items()}
    return {"bump": comparison.bump, **texts}
