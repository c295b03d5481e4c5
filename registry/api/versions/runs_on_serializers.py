"""Serializers of verdicts: whether code for one target runs on the machine of another."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.versions.resolution_serializers import ReferenceWarningSerializer
from ttag_rules.compatibility.verdicts import Answer, Dimension


class ConditionSerializer(serializers.Serializer):
    """A condition that has to be met by the build or the machine."""

    name = serializers.CharField(help_text="feature, ships, driver, toolkit or system")
    value = serializers.CharField(help_text="of a feature, form or system; empty for others")
    at_least = serializers.CharField(help_text="the least version; empty if it is no version")


class FindingPointersSerializer(serializers.Serializer):
    """The places of a finding in both targets."""

    built_for = serializers.CharField()
    machine = serializers.CharField()


class FindingSerializer(serializers.Serializer):
    """The answer in one dimension."""

    dimension = serializers.ChoiceField(choices=list(Dimension))
    verdict = serializers.ChoiceField(choices=list(Answer), source="answer")
    reason = serializers.CharField()
    pointers = FindingPointersSerializer(source="*")
    conditions = ConditionSerializer(many=True)


class JudgementSerializer(serializers.Serializer):
    """Whether code built for one target runs on the machine of another, and why."""

    built_for = serializers.CharField(
        source="built_for.exact", allow_null=True, help_text="the exact reference; null for a body"
    )
    machine = serializers.CharField(
        source="machine.exact", allow_null=True, help_text="the exact reference; null for a body"
    )
    verdict = serializers.ChoiceField(choices=list(Answer), source="verdict.answer")
    reason = serializers.CharField(source="verdict.reason")
    dimensions = FindingSerializer(source="verdict.findings", many=True)
    conditions = ConditionSerializer(source="verdict.conditions", many=True)
    warnings = ReferenceWarningSerializer(many=True)
