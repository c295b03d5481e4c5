"""GET runs-on/<reference>?direction=: all machines that run its code, or all code that it runs."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from registry.api.core.fields import EmptyAsNullField, NextPageField
from registry.api.core.filter_parameters import FILTER_PARAMETERS
from registry.api.core.openapi_schema import (
    PAGED,
    REFERENCE,
    REFERENCE_CODES,
    operation,
    query,
)
from registry.api.core.resource import Resource
from registry.api.versions.runs_on import OPTION_PARAMETERS
from registry.api.versions.runs_on_serializers import ConditionSerializer
from registry.domain.errors import Code
from registry.domain.names.choices import check_choice
from registry.domain.reference import Reference
from registry.http import compatibility_options
from registry.services.core import cursors
from registry.services.search import query_parameters
from registry.services.versions import compatibility, runners
from registry.services.versions.runners import Direction
from ttag_rules.compatibility.verdicts import Answer

DIRECTION, VERDICT = "direction", "verdict"


class RunnerSerializer(serializers.Serializer):
    """A tag with the verdict about it."""

    tag = serializers.CharField(source="entry.text")
    reference = serializers.CharField(source="entry.exact")
    kind = EmptyAsNullField(source="entry.kind")
    vendor = EmptyAsNullField(source="entry.vendor")
    arch = EmptyAsNullField(source="entry.arch")
    verdict = serializers.ChoiceField(choices=list(Answer), source="verdict.answer")
    reason = serializers.CharField(source="verdict.reason")
    conditions = ConditionSerializer(source="verdict.conditions", many=True)


class RunnersSerializer(serializers.Serializer):
    """A page of tags, of which one side of the question is the reference."""

    reference = serializers.CharField(source="side.exact", help_text="the exact reference")
    results = RunnerSerializer(source="rows", many=True)
    judged = serializers.IntegerField(help_text="how many tags this page compared")
    next = NextPageField()


class RunsOnList(Resource):
    """All machines that run code for a target, or all targets whose code a machine runs."""

    @operation(
        "runs_on_list",
        "All machines that run code for a version, or all code that its machine runs",
        RunnersSerializer,
        *REFERENCE_CODES,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            REFERENCE,
            query(
                DIRECTION,
                "machines: they run code built for the reference; targets: their code runs on it",
                enum=[*Direction],
                required=True,
            ),
            query(VERDICT, "the verdict that tags have; by default yes", enum=["", *Answer]),
            *FILTER_PARAMETERS,
            *OPTION_PARAMETERS,
            *PAGED,
        ],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return a page of tags by name, with the filters of the list of tags."""
        parameters = request.query_params
        answer = parameters.get(VERDICT) or Answer.YES
        check_choice(VERDICT, answer, [*Answer])
        direction = parameters.get(DIRECTION, "")
        check_choice(DIRECTION, direction, [*Direction])
        page = runners.find_runners(
            compatibility.resolve_reference(reference),
            Direction(direction),
            query_parameters.parse_query(request.GET),
            answers=frozenset({Answer(answer)}),
            options=compatibility_options.read_query(parameters.dict()),
            after=cursors.decode_cursor(request.path, parameters),
        )
        return self.answer(RunnersSerializer, page)
