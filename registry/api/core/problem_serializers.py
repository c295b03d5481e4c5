"""Problems (RFC 9457), and the faults that they and dry runs list."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.direct_serializer import DirectSerializer
from registry.api.core.fields import TextListField
from registry.domain.errors import Code


class FaultSerializer(DirectSerializer):
    """One thing that is wrong at one place of a body, or that draws a warning."""

    pointer = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
    expected = serializers.CharField()
    found = serializers.CharField()
    suggestions = TextListField()


class ProblemSerializer(DirectSerializer):
    """Why a request is refused."""

    type = serializers.CharField()
    title = serializers.CharField(source="problem.title")
    status = serializers.IntegerField(source="problem.status")
    detail = serializers.CharField(source="refusal.detail")
    code = serializers.ChoiceField(choices=[str(code) for code in Code], source="refusal.code")
    errors = FaultSerializer(many=True, source="refusal.faults")  # type: ignore[assignment]  # declared fields leave the class
    suggestions = TextListField(source="refusal.suggestions")
    instance = serializers.CharField(
        required=False, help_text="the request, where the registry failed"
    )
