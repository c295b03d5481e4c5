"""Serializers of verdicts, the results of dry runs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.api.core.fields import RawJSONField, TextListField
from registry.api.core.problem_serializers import FaultSerializer
from registry.api.versions.change_serializers import BUMPS, ChangeSerializer
from registry.api.versions.verdicts import DryRun
from registry.services.proposals.evaluation import Evaluation


class EffectSerializer(serializers.Serializer):
    """The effect of a publication on one dependent."""

    tag = serializers.CharField()
    reference = serializers.CharField(source="exact")
    valid = serializers.BooleanField(source="is_valid")
    errors = FaultSerializer(many=True)  # type: ignore[assignment]  # declared fields leave the class
    version = serializers.CharField(source="number", allow_null=True)
    bump = serializers.ChoiceField(choices=BUMPS, allow_null=True)
    diff = ChangeSerializer(many=True)


class SortedCountsField(serializers.DictField):
    """Counts by name in sorted order."""

    child = serializers.IntegerField()

    def to_representation(self, value: Any) -> dict[str, int]:
        return {str(name): count for name, count in sorted(value.items())}


class ImpactSerializer(serializers.Serializer):
    """The impact of a publication on dependents."""

    results = EffectSerializer(source="effects", many=True)
    counts = SortedCountsField()
    downstream = serializers.IntegerField()
    complete = serializers.BooleanField(source="is_complete")
    circular = TextListField()


class NearDuplicateSerializer(serializers.Serializer):
    """A near duplicate with its differences."""

    reference = serializers.CharField(source="exact")
    diff = ChangeSerializer(source="changes", many=True)


class NoteSerializer(serializers.Serializer):
    """A note of an importer about a part of the source."""

    pointer = serializers.CharField()
    message = serializers.CharField()


class VerdictSerializer(serializers.Serializer):
    """The result of a dry run: the next version, or the errors."""

    valid = serializers.BooleanField(source="is_valid")
    errors = FaultSerializer(many=True)  # type: ignore[assignment]  # declared fields leave the class
    target = RawJSONField(serializers.DictField(), source="draft.resolution.text", allow_null=True)
    digest = serializers.CharField(source="draft.digest", allow_null=True)
    tuning_keys = serializers.DictField(
        child=serializers.CharField(), source="draft.tuning_keys", allow_null=True
    )
    build_key = serializers.CharField(source="draft.build_key", allow_null=True)
    version = serializers.CharField(source="draft.number", allow_null=True)
    bump = serializers.ChoiceField(choices=BUMPS, source="draft.bump", allow_null=True)
    diff = ChangeSerializer(many=True)
    lints = FaultSerializer(many=True)
    notes = NoteSerializer(many=True)
    impact = ImpactSerializer(required=False, allow_null=True)
    near = NearDuplicateSerializer(many=True, required=False, allow_null=True)
    tuning = serializers.DictField(
        child=serializers.DictField(),
        required=False,
        allow_null=True,
        help_text="what the tuning keys digest, by pointer",
    )
    body = serializers.DictField(required=False, help_text="the body that was imported from source")

    def to_representation(self, instance: DryRun | Evaluation) -> dict[str, Any]:
        """Leave out extras that the request does not include; proposals' verdicts have none."""
        if isinstance(instance, Evaluation):
            instance = DryRun(instance.draft, instance.refusal, instance.lints)
        data = super().to_representation(instance)
        return {name: value for name, value in data.items() if name not in instance.omitted_members}
