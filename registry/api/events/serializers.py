"""Serializers of the event log."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from rest_framework import serializers

from registry.api.core.fields import EmptyAsNullField, NextPageField
from registry.services.events import event_feed


class DetailField(serializers.DictField):
    """The public details of an event."""

    def to_representation(self, event: Any) -> dict[str, Any]:
        """Return the public details of an event."""
        return dict(event_feed.public_detail(event))


class EventSerializer(serializers.Serializer):
    """One write as an event."""

    number = serializers.IntegerField()
    action = serializers.CharField()
    subject = serializers.CharField()
    namespace = EmptyAsNullField()
    actor = serializers.CharField(source="actor.username")
    created = serializers.DateTimeField()
    detail = DetailField(source="*")


class NextEventsField(NextPageField):
    """The URL of the events after those of this page."""

    def to_representation(self, key: Any) -> str:
        """Return the URL, with the number of the last event instead of a cursor."""
        request = self.context["request"]
        others = {name: text for name, text in request.GET.items() if name != "after"}
        return f"{request.path}?{urlencode({'after': key[0], **others})}"


class EventPageSerializer(serializers.Serializer):
    """A page of events."""

    results = EventSerializer(source="rows", many=True)
    next = NextEventsField()


class LogKeySerializer(serializers.Serializer):
    """A public key of the log."""

    key = serializers.CharField()
    since = serializers.IntegerField()
    endorsement = serializers.CharField(allow_null=True)


class LogForkSerializer(serializers.Serializer):
    """A log that ended, because events were lost."""

    origin = serializers.CharField()
    size = serializers.IntegerField()
    root = serializers.CharField()  # type: ignore[assignment]  # not the property of DRF's fields
    reason = serializers.CharField()


class LogKeysSerializer(serializers.Serializer):
    """The origin of the log, its keys and its forks."""

    origin = serializers.CharField()
    keys = LogKeySerializer(many=True)
    forks = LogForkSerializer(many=True)
