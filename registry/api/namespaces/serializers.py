"""Serializers of namespaces, of members, and of requests for namespaces."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.fields import AddressField, EmptyAsNullField, NextPageField
from registry.models import Policy, RequestKind, RequestState, Role
from registry.services.namespaces.directory import Maintainer


class NamespaceSerializer(serializers.Serializer):
    """A namespace with its number of tags."""

    name = serializers.CharField(source="namespace.name")
    title = serializers.CharField(source="namespace.title")
    description = serializers.CharField(source="namespace.description")
    url = EmptyAsNullField(source="namespace.url")
    policy = serializers.ChoiceField(choices=Policy.values, source="namespace.policy")
    kept_by = serializers.ChoiceField(choices=[*Maintainer])
    tags = serializers.IntegerField()


class NamespacePageSerializer(serializers.Serializer):
    """A page of namespaces."""

    results = NamespaceSerializer(source="rows", many=True)
    next = NextPageField()


class MemberSerializer(serializers.Serializer):
    """A person and their role."""

    username = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=Role.values)


class NamespaceWithMembersSerializer(NamespaceSerializer):
    """A namespace with a page of its members."""

    members = MemberSerializer(source="members.rows", many=True)
    next = NextPageField(source="members.next_key")


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


class RequestCommentSerializer(serializers.Serializer):
    """A comment on a request for a namespace."""

    by = serializers.CharField(source="author.username")
    at = serializers.DateTimeField(source="created")
    text = serializers.CharField()


class RequestCommentPageSerializer(serializers.Serializer):
    """A page of comments on a request for a namespace."""

    results = RequestCommentSerializer(source="rows", many=True)
    next = NextPageField()


class NamespaceRequestPageSerializer(serializers.Serializer):
    """A page of requests for namespaces."""

    results = NamespaceRequestSerializer(source="rows", many=True)
    next = NextPageField()
