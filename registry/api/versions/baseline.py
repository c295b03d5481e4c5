"""POST baseline: the fewest targets that run on all of several machines."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from registry.api.core.fields import TextListField
from registry.api.core.openapi_schema import REFERENCE_CODES, operation
from registry.api.core.request_bodies import RequestBody
from registry.api.core.resource import Resource
from registry.api.versions.resolution_serializers import ReferenceWarningSerializer
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.http import patterns, request_members
from registry.http.caching import CachePolicy
from registry.services.versions import baselines
from registry.services.versions.compiler_objections import COMPILERS, find_compiler
from ttag_rules.compatibility.baseline.baseline import MAX_BUILDS, MAX_MACHINES
from ttag_rules.names import MAX_REFERENCE


class FeatureLossSerializer(serializers.Serializer):
    """Features that some machines have and their build does not use."""

    text = serializers.CharField(help_text="the features in a few words")
    features = TextListField()
    machines = TextListField(help_text="the exact references of the machines that lose them")


class NearestTagSerializer(serializers.Serializer):
    """A published tag that runs on all machines of a build."""

    reference = serializers.CharField(help_text="the exact reference of the newest version")
    loss = serializers.IntegerField(help_text="the number of features that the machines lose by it")
    equal = serializers.BooleanField(
        source="is_equal", help_text="whether its target is that of the build"
    )


class FleetBuildSerializer(serializers.Serializer):
    """A target with the machines that it is for."""

    target = serializers.DictField(help_text="a body, which is not published")
    machines = TextListField(help_text="the exact references of the machines")
    losses = FeatureLossSerializer(many=True)
    nearest = NearestTagSerializer(
        many=True, help_text="the published tags by which the machines lose least, at most five"
    )
    uncompared = serializers.IntegerField(
        source="unseen",
        help_text="the number of tags that were not compared, and may come as near",
    )


class FleetBaselineSerializer(serializers.Serializer):
    """The builds for some machines, each of which runs one."""

    builds = FleetBuildSerializer(many=True)
    loss = serializers.IntegerField(help_text="the number of lost features of all machines")
    optimal = serializers.BooleanField(
        source="is_optimal", help_text="whether no other builds lose less"
    )
    warnings = ReferenceWarningSerializer(many=True)


def _refuse_unusable(texts: list[str]) -> None:
    """Raise `Refused` for no reference, for too many, and for each text that is none."""
    if not texts:
        raise Refused(Code.REQUEST_INVALID, "There is no machine: expected at least one reference.")
    if len(texts) > MAX_MACHINES:
        detail = f"{len(texts)} machines are too many: at most {MAX_MACHINES}."
        raise Refused(Code.TOO_LARGE, detail)
    readers = {str(index): partial(Reference.parse, text) for index, text in enumerate(texts)}
    request_members.read_all(readers)


BASELINE = RequestBody(
    "BaselineRequest",
    "The machines of a fleet, and how many builds may be made for them.",
    {
        "machines": request_members.texts(
            {"pattern": patterns.REFERENCE, "maxLength": MAX_REFERENCE},
            MAX_MACHINES,
            _refuse_unusable,
            min_items=1,
        ),
        "builds": request_members.count(
            maximum=MAX_BUILDS, default=1, help_text="how many targets may be made; by default one"
        ),
        "compiler": request_members.choice(COMPILERS, find_compiler, default=""),
    },
    max_bytes=512 * 1024,  # enough for the longest references
)


class BaselineView(Resource):
    """The largest targets that run on several machines. Nothing is stored."""

    reads_by_post = True

    @operation(
        "baseline",
        "The fewest targets that run on several machines",
        FleetBaselineSerializer,
        *REFERENCE_CODES,
        request=BASELINE,
    )
    def post(self, request: Request) -> HttpResponse:
        """Return targets, of which each machine runs one, with what each machine loses."""
        values = BASELINE.read(request)
        references = list(map(Reference.parse, values["machines"]))
        result = baselines.find_baseline(references, values["builds"], values["compiler"])
        return self.answer(FleetBaselineSerializer, result, policy=CachePolicy.NO_STORE)
