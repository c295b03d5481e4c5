"""Serializers of requests for namespaces."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.fields import AddressField, EmptyAsNullField, NextPageField
from registry.models import RequestKind, RequestState


class NamespaceRequestSerializer(serializers.Serializer):
    """A request for a namespace, with the decision."""

    number = serializers.IntegerField(source="pk")
    page = AddressField(route="namespace-request", source="pk")
    kind = serializers.ChoiceField(choices=RequestKind.values)
    name = serializers.CharField()
    title = EmptyAsNullField()
    url = serializers.CharField()
    reason = serializers.CharField()
    evidence = EmptyAsNullField()
    requester = serializers.CharField(source="requester.username")
    created = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=RequestState.values)
    decision = EmptyAsNullField()
    decider = serializers.CharField(source="decider.username", allow_null=True)
    decided = serializers.DateTimeField(allow_null=True)


class NamespaceRequestPageSerializer(serializers.Serializer):
    """A page of requests for namespaces."""

    results = NamespaceRequestSerializer(source="rows", many=True)
    next = NextPageField()
