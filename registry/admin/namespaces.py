"""Namespaces and memberships in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from registry.actions.namespaces import (
    ChangeRole,
    CreateNamespace,
    DescribeNamespace,
    GrantRole,
    RemoveMember,
    SetPolicy,
)
from registry.actions.pending_changes import describe_change
from registry.actions.readmes import WriteReadme
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Membership, Namespace
from registry.services.namespaces import directory, four_eyes

MEMBER = formatting.account_column("member", "user")
CREATED = formatting.time_column("created", "created")


@admin.register(Namespace, site=site)
class NamespaceAdmin(ReadOnlyModelAdmin):
    plural = "Namespaces"
    about = "The first segments of names, with their owners"
    rows = staticmethod(directory.all_namespaces)
    page_template = "registry/admin/namespace.html"
    create_action = CreateNamespace
    row_actions = (DescribeNamespace, WriteReadme, SetPolicy, GrantRole)
    list_display = (
        "name",
        "title",
        formatting.column("policy", lambda row: row.policy),
        "tags",
        "members",
        CREATED,
    )
    list_filter = ("policy",)
    fieldsets = (
        formatting.facts(
            "Description", "title", "description", "website", "policy", "tags", CREATED
        ),
        formatting.section("Members", "member_table"),
    )
    search_fields = ("name", "title")
    search_help_text = "By name or title"
    ordering = ("name",)

    def tags(self, row: Any) -> str:
        return formatting.link(formatting.list_url("tag", namespace=row.name), row.tag_count)

    def members(self, row: Any) -> str:
        return formatting.link(
            formatting.list_url("membership", namespace=row.name), row.member_count
        )

    def website(self, row: Namespace) -> str:
        return formatting.external_link(row.url)

    def member_table(self, row: Namespace) -> str:
        return formatting.table(
            "Members",
            ("Member", "Role", "Change"),
            directory.members_of(row),
            lambda member: (member.user, member.role, self._member_links(member)),
        )

    def _member_links(self, member: Membership) -> str:
        members: Any = self.admin_site.get_model_admin(Membership)
        return format_html(
            '<a href="{}">Change role<span class="visually-hidden"> of {}</span></a> · '
            '<a href="{}">Remove<span class="visually-hidden"> {}</span></a>',
            members.action_url(ChangeRole, member),
            member.user,
            members.action_url(RemoveMember, member),
            member.user,
        )

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        pending = [(change, describe_change(change)) for change in four_eyes.list_pending(row)]
        return {"pending": pending}

    def links(self, row: Namespace) -> dict[str, str]:
        return {
            "Tags": formatting.list_url("tag", namespace=row.name),
            "Aliases": formatting.list_url("name", namespace=row.name),
            "Requests": formatting.list_url("namespacerequest", q=row.name, state="all"),
            "Proposals": formatting.list_url("proposal", namespace=row.name),
            "Events": formatting.list_url("event", namespace=row.name),
        }


@admin.register(Membership, site=site)
class MembershipAdmin(ReadOnlyModelAdmin):
    plural = "Members"
    about = "Roles of users in namespaces, granted on the page of the namespace"
    rows = staticmethod(directory.all_members)
    row_actions = (ChangeRole, RemoveMember)
    list_display = (
        formatting.column("member", lambda row: row.user.username),
        "namespace_name",
        "role",
    )
    fieldsets = (
        formatting.facts(
            "Role", formatting.account_column("member", "user"), "namespace_name", "role"
        ),
    )
    list_filter = ("role", filters.namespace_filter())
    search_fields = ("user__username",)
    search_help_text = "By username"
    ordering = ("pk",)

    @admin.display(description="namespace")
    def namespace_name(self, row: Membership) -> str:
        return formatting.link(
            formatting.row_url("namespace", row.namespace_id), row.namespace.name
        )

    def event_subject(self, row: Membership) -> str:
        return row.namespace.name
