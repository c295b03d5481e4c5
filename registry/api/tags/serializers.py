"""Serializers of tags, aliases and search results."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.api.core.fields import CountOfField, EmptyAsNullField, NextPageField, TextListField
from registry.api.versions.version_serializers import STATUSES, VersionSerializer
from registry.domain.proofs import Compiler, Reach, Step
from registry.services.search.facets import FACETS


class SupersessionSerializer(serializers.Serializer):
    """The reason for a deprecation, and the tag to use instead."""

    reason = serializers.CharField(source="last_deprecation")
    successor = serializers.CharField(source="last_successor", allow_null=True)

    def to_representation(self, tag: Any) -> Any:
        """Return null for a tag that is not deprecated."""
        return super().to_representation(tag) if tag.last_deprecated else None


class DeprecationSerializer(serializers.Serializer):
    """A tag after it was deprecated or undeprecated."""

    tag = serializers.CharField(source="tag.text")
    status = serializers.ChoiceField(choices=STATUSES)
    deprecated = SupersessionSerializer(source="tag", allow_null=True)


class DayCountSerializer(serializers.Serializer):
    """The number of times a tag was resolved on one day, in UTC."""

    day = serializers.DateField()
    resolves = serializers.IntegerField()


class UsageSerializer(serializers.Serializer):
    """The number of times a tag was resolved in the last days, in total and per day, today last."""

    days = serializers.IntegerField()
    resolves = serializers.IntegerField()
    daily = DayCountSerializer(many=True)


class ProofSerializer(serializers.Serializer):
    """The steps that compilers took for a leaf of the newest version, the furthest first."""

    node = serializers.CharField(source="pointer", allow_blank=True)
    steps = serializers.ListField(child=serializers.ChoiceField(choices=[*Step]))


class NodeProofSerializer(serializers.Serializer):
    """The proof of a compiler for one leaf of a target by itself."""

    node = serializers.CharField(source="pointer", allow_blank=True)
    reach = serializers.ChoiceField(choices=[*Reach], source="proof.reach")
    reason = EmptyAsNullField(source="proof.reason")


class CompilerProofSerializer(serializers.Serializer):
    """The proofs of a compiler for the newest version, and for each of its leaves."""

    compiler = serializers.ChoiceField(choices=[*Compiler])
    release = serializers.CharField()
    reach = serializers.ChoiceField(choices=[*Reach], source="proof.reach")
    reason = EmptyAsNullField(source="proof.reason")
    nodes = NodeProofSerializer(many=True)


class TagSerializer(serializers.Serializer):
    """A tag with its newest version."""

    tag = serializers.CharField(source="tag.text")
    namespace = serializers.CharField(source="name.namespace")
    name = serializers.CharField(source="name.name")
    variant = EmptyAsNullField(source="name.variant")
    aliases = TextListField()
    family = serializers.BooleanField(source="tag.is_family")
    description = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    deprecated = SupersessionSerializer(source="tag", allow_null=True)
    newest = VersionSerializer(allow_null=True)
    last_published = serializers.CharField(source="last_published.number")
    versions = CountOfField()
    usage = UsageSerializer()
    proofs = ProofSerializer(many=True)
    compiles_with = CompilerProofSerializer(many=True)


class AliasSerializer(serializers.Serializer):
    """An alias and its target."""

    alias = serializers.CharField(source="name.text")
    tag = serializers.CharField(source="name.tag.text")
    reference = serializers.CharField()


class ReasonSerializer(serializers.Serializer):
    """A value of a tag with the words of the search that it has."""

    field = serializers.CharField()
    value = serializers.CharField()
    words = TextListField()


class EntrySerializer(serializers.Serializer):
    """A tag in a list; without a version if all are yanked."""

    tag = serializers.CharField(source="text")
    reference = serializers.CharField(source="exact", allow_null=True)
    version = serializers.CharField(source="version.number", allow_null=True)
    digest = serializers.CharField(source="version.digest", allow_null=True)
    published = serializers.DateTimeField(source="version.published", allow_null=True)
    kind = EmptyAsNullField()
    vendor = EmptyAsNullField()
    arch = EmptyAsNullField()
    family = EmptyAsNullField()
    status = serializers.ChoiceField(choices=STATUSES)
    successor = EmptyAsNullField()
    lints = serializers.IntegerField(source="lint_count")
    resolves = serializers.IntegerField()
    matched = ReasonSerializer(source="reasons", many=True)
    unstated = TextListField()


class NearestSerializer(serializers.Serializer):
    """Another machine than the one that was searched for, and what differs."""

    tag = serializers.CharField(source="text")
    reference = serializers.CharField(source="exact", allow_null=True)
    differs = TextListField()


class MissingProductSerializer(serializers.Serializer):
    """A product that no tag describes, and the reason."""

    product = serializers.CharField()
    group = serializers.CharField()
    reason = serializers.CharField()


class FacetValueSerializer(serializers.Serializer):
    """One value of a facet with the number of matching tags that have it."""

    value = serializers.CharField()
    count = serializers.IntegerField()


class FacetsSerializer(serializers.Serializer):
    """The most frequent values of each facet."""

    def get_fields(self) -> dict[str, Any]:
        """Return a list of values for each facet."""
        return {facet: FacetValueSerializer(many=True) for facet in FACETS}


class EntryPageSerializer(serializers.Serializer):
    """A page of a search."""

    results = EntrySerializer(source="entries", many=True)
    next = NextPageField()
    total = serializers.IntegerField()
    capped = serializers.BooleanField(source="is_capped")
    facets = FacetsSerializer()
    cut_facets = TextListField(help_text="the facets that have more values")
    beginning = EmptyAsNullField()
    missing = MissingProductSerializer(many=True)
    nearest = NearestSerializer(many=True)
    suggestions = TextListField(source="similar")
    ignored = TextListField(source="left_out")
    unstated = serializers.IntegerField(allow_null=True)
