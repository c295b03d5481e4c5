"""Serializers of problems (RFC 9457) and of the faults in problems and dry runs."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.direct_serializer import DirectSerializer
from registry.api.core.fields import TextListField
from registry.domain.errors import Code


class FaultSerializer(DirectSerializer):
    """A single validation error or lint of a body."""

    pointer = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
    expected = serializers.CharField()
    found = serializers.CharField()
    suggestions = TextListField()


class ProblemSerializer(DirectSerializer):
    """The document of an error response."""

    type = serializers.CharField()
    title = serializers.CharField(source="problem.title")
    status = serializers.IntegerField(source="problem.status")
    detail = serializers.CharField(source="refusal.detail")
    code = serializers.ChoiceField(choices=[str(code) for code in Code], source="refusal.code")
    errors = FaultSerializer(many=True, source="refusal.faults")  # type: ignore[assignment]  # declared fields leave the class
    suggestions = TextListField(source="refusal.suggestions")
    instance = serializers.CharField(
        required=False, help_text="the request, for errors of the registry itself"
    )
