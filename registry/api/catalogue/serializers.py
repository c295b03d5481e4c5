"""Serializers of what the catalogue covers."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.tags.serializers import MissingProductSerializer


class FactCoverageSerializer(serializers.Serializer):
    """A fact with the number of names that state it, and the reason why others do not."""

    fact = serializers.CharField()
    stated = serializers.IntegerField()
    reason = serializers.CharField()


class CategoryCoverageSerializer(serializers.Serializer):
    """A hardware category with the facts by which people choose."""

    category = serializers.CharField()
    names = serializers.IntegerField()
    facts = FactCoverageSerializer(many=True)


class DisagreementSerializer(serializers.Serializer):
    """A fact that sources state differently, with what the tag has."""

    tag = serializers.CharField()
    fact = serializers.CharField()
    values = serializers.DictField()
    choice = serializers.CharField(allow_null=True)


class NoticeSerializer(serializers.Serializer):
    """A public source of facts with its licences."""

    source = serializers.CharField()  # type: ignore[assignment]  # not that of DRF's fields
    url = serializers.CharField()
    licences = serializers.ListField(child=serializers.CharField())


class CatalogueSerializer(serializers.Serializer):
    """The facts that the catalogue states, and its gaps."""

    categories = CategoryCoverageSerializer(many=True)
    missing = MissingProductSerializer(many=True)
    disagreements = DisagreementSerializer(many=True)
    notices = NoticeSerializer(many=True)
