"""Serializers of namespaces and members."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.fields import EmptyAsNullField, NextPageField
from registry.models import Policy, Role
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
