"""The administrators' view: accounts to manage, what is published to look at.

Namespaces, tokens and everything published are written by services, which leave events; here they
are read-only.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from registry.models import Event, KindRevision, Membership, Namespace, Tag, Token, User, Version

admin.site.site_header = "Target Tag Registry"
admin.site.site_title = "Target Tag Registry"
admin.site.register(User, UserAdmin)


class ReadOnly(admin.ModelAdmin):
    """Rows to look at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is made here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted here."""
        return False


@admin.register(Namespace)
class NamespaceAdmin(ReadOnly):
    """Who owns what."""

    list_display = ("name", "title", "created")
    search_fields = ("name", "title")


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    """Who may do what where."""

    list_display = ("namespace", "user", "role")
    list_filter = ("role", "namespace")
    list_select_related = ("namespace", "user")


@admin.register(Token)
class TokenAdmin(ReadOnly):
    """Tokens, without their secrets, which are not kept."""

    list_display = ("prefix", "label", "owner", "scopes", "pattern", "expires", "revoked")
    list_select_related = ("owner",)
    exclude = ("digest",)


@admin.register(Tag)
class TagAdmin(ReadOnly):
    """Tags by name."""

    list_display = ("text", "namespace", "created")
    list_filter = ("namespace",)
    list_select_related = ("namespace",)
    search_fields = ("text",)


@admin.register(Version)
class VersionAdmin(ReadOnly):
    """What has been published."""

    list_display = ("__str__", "kind", "digest", "published", "publisher")
    list_filter = ("kind",)
    list_select_related = ("tag", "publisher")
    search_fields = ("tag__text", "digest")


@admin.register(KindRevision)
class KindRevisionAdmin(ReadOnly):
    """Kinds and what they were before."""

    list_display = ("kind", "number", "created", "author")
    list_select_related = ("kind", "author")


@admin.register(Event)
class EventAdmin(ReadOnly):
    """The log of every write."""

    list_display = ("number", "action", "subject", "actor", "created")
    list_filter = ("action",)
    list_select_related = ("actor",)
    search_fields = ("subject",)
