"""Serializers of what a pasted text describes."""

from __future__ import annotations

from typing import get_args

from rest_framework import serializers

from registry.api.core.fields import TextListField
from registry.api.versions.change_serializers import OriginSerializer
from registry.domain.identify.readings import Stated
from registry.domain.identify.relation import Relation


class FactSerializer(OriginSerializer):
    """A value of a body, with the characters of the text that say it."""

    pointer = serializers.CharField()
    from_ = serializers.IntegerField(source="start")
    to = serializers.IntegerField(source="end")
    stated = serializers.ChoiceField(choices=list(get_args(Stated)))


class DifferenceSerializer(serializers.Serializer):
    """A value that a tag and the text state differently; null where the tag states none."""

    pointer = serializers.CharField()
    tag = serializers.JSONField(allow_null=True)
    text = serializers.JSONField(allow_null=True)


class RelatedTagSerializer(serializers.Serializer):
    """A tag of a reading, with its relation to it and the differences."""

    reference = serializers.CharField()
    relation = serializers.ChoiceField(choices=list(get_args(Relation)), source="related.relation")
    node = serializers.CharField(
        source="related.node", help_text="the part of the tag that was compared, by its pointer"
    )
    differences = DifferenceSerializer(source="related.differences", many=True)


class ReadingSerializer(serializers.Serializer):
    """One machine or target that the text describes."""

    body = serializers.DictField(source="reading.body")
    facts = FactSerializer(source="reading.facts", many=True)
    tags = RelatedTagSerializer(many=True)
    notes = TextListField(source="reading.notes")
    search = serializers.CharField(help_text="the query of a list of tags, or empty")


class RecognisedSerializer(OriginSerializer):
    """A form of text that was recognised, with its characters."""

    as_ = serializers.CharField(source="form")
    from_ = serializers.IntegerField(source="start")
    to = serializers.IntegerField(source="end")


class IgnoredSerializer(OriginSerializer):
    """A part of the text that says nothing about a machine, and why."""

    text = serializers.CharField()
    reason = serializers.CharField()
    from_ = serializers.IntegerField(source="start")
    to = serializers.IntegerField(source="end")


class IdentificationSerializer(serializers.Serializer):
    """The readings of a text; without any, nothing in it that the registry can name."""

    readings = ReadingSerializer(many=True)
    recognised = RecognisedSerializer(many=True)
    ignored = IgnoredSerializer(many=True)
