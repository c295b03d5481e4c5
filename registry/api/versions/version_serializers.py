"""Serializers of versions, their lineage and their dependents."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.fields import (
    EmptyAsNullField,
    NextPageField,
    RawJSONField,
    StatusField,
    StoredJSONField,
    TextListField,
)
from registry.api.versions.resolution_serializers import DependencySerializer
from registry.domain.resolution.body_references import Relation
from registry.models import Status

RELATIONS = [str(relation) for relation in Relation]
STATUSES = [str(status) for status in Status]


class VersionSerializer(serializers.Serializer):
    """A version without its target."""

    reference = serializers.CharField(source="exact")
    version = serializers.CharField(source="number")
    digest = serializers.CharField()
    kind = EmptyAsNullField()
    published = serializers.DateTimeField()
    publisher = serializers.CharField(source="publisher.username")
    author = serializers.CharField(source="author.username", allow_null=True)
    message = serializers.CharField()
    sources = StoredJSONField(TextListField())
    status = StatusField(source="yanked")
    yanked = serializers.CharField(source="yank_reason", allow_null=True)


class VersionPageSerializer(serializers.Serializer):
    """A page of a tag's versions."""

    tag = serializers.CharField(source="tag.text")
    last_published = serializers.CharField()
    results = VersionSerializer(source="page.rows", many=True)
    next = NextPageField(source="page.next_key")


class WithdrawalSerializer(serializers.Serializer):
    """A version after it was yanked or unyanked."""

    reference = serializers.CharField(source="version.exact")
    status = StatusField(source="yanked")
    reason = serializers.CharField()
    at = serializers.DateTimeField(source="created")
    by = serializers.CharField(source="actor.username")


class LineageMemberSerializer(serializers.Serializer):
    """One version of a lineage, with its direct uses."""

    reference = serializers.CharField(source="version.exact")
    distance = serializers.IntegerField()
    kind = EmptyAsNullField(source="version.kind")
    digest = serializers.CharField(source="version.digest")
    published = serializers.DateTimeField(source="version.published")
    status = StatusField(source="version.yanked")
    uses = RawJSONField(DependencySerializer(many=True), source="version.dependencies")


class LineagePageSerializer(serializers.Serializer):
    """A page of a lineage."""

    results = LineageMemberSerializer(source="page.rows", many=True)
    next = NextPageField(source="page.next_key")


class DependentSerializer(serializers.Serializer):
    """A version that depends on another one, with the first of its direct uses."""

    tag = serializers.CharField(source="version.tag.text")
    reference = serializers.CharField(source="version.exact")
    distance = serializers.IntegerField()
    relation = serializers.ChoiceField(source="use.relation", choices=RELATIONS, allow_null=True)
    requested = serializers.CharField(source="use.requested", allow_null=True)
    pointer = serializers.CharField(source="use.pointer", allow_null=True)
    resolved = serializers.CharField(source="use.resolved.exact", allow_null=True)
    status = serializers.ChoiceField(choices=STATUSES)
    outdated = serializers.BooleanField(source="is_outdated", allow_null=True)


class DependentPageSerializer(serializers.Serializer):
    """A page of dependents."""

    results = DependentSerializer(source="rows", many=True)
    next = NextPageField()
