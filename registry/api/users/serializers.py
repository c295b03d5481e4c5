"""Serializers of accounts and of what they did in public."""

from __future__ import annotations

from rest_framework import serializers

from registry.api.core.fields import AddressField, NextPageField, StatusField
from registry.models import Role


class UserRoleSerializer(serializers.Serializer):
    """A namespace and the account's role in it."""

    namespace = serializers.CharField(source="namespace.name")
    role = serializers.ChoiceField(choices=Role.values)


class WrittenVersionSerializer(serializers.Serializer):
    """A version that the account wrote."""

    reference = serializers.CharField(source="exact")
    published = serializers.CharField(source="date")
    status = StatusField(source="yanked")


class UserSerializer(serializers.Serializer):
    """An account with its roles, its proposals by state, and a page of versions."""

    username = serializers.CharField(source="user.username")
    page = AddressField(route="user", source="user.username")
    since = serializers.DateTimeField()
    roles = UserRoleSerializer(many=True)
    proposals = serializers.DictField(
        source="outcomes", child=serializers.IntegerField(), help_text="how many, by state"
    )
    versions = WrittenVersionSerializer(source="versions.rows", many=True)
    next = NextPageField(source="versions.next_key")
