"""Versions and their yanks in the admin."""

from __future__ import annotations

import json

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from registry.actions.versions import Unyank, Yank
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Version, Withdrawal
from registry.services.core import row_filters
from registry.services.core.text_diff import indented_json
from registry.services.proposals import review_detail
from registry.services.versions import version_list

DIGEST = formatting.column("digest", lambda row: formatting.name(row.digest))
KIND = formatting.column("kind", lambda row: row.kind or "mixin")
STATUS = formatting.column("status", formatting.version_status)
PUBLISHER = formatting.account_column("by", "publisher")
AUTHOR = formatting.account_column("written by", "author")
PUBLISHED = formatting.time_column("published", "published")


def _name_or_root(pointer: str) -> str:
    return formatting.name(pointer) if pointer else "the root"


@admin.register(Version, site=site)
class VersionAdmin(ReadOnlyModelAdmin):
    plural = "Versions"
    about = "Published versions of tags, which never change"
    rows = staticmethod(version_list.all_versions)
    row_actions = (Yank, Unyank)
    list_display = (
        formatting.name_column("version", "exact"),
        KIND,
        formatting.column("digest", lambda row: formatting.short_digest(row.digest)),
        STATUS,
        PUBLISHED,
        formatting.column("by", lambda row: row.publisher.username),
    )
    list_filter = (
        filters.choice_filter("status", ("active", "yanked"), version_list.with_status),
        filters.kind_filter("kind of the tag", "tag__entry"),
        filters.namespace_filter("tag__namespace"),
        filters.text_filter("tag", lambda rows, text: row_filters.of_tag(rows, text, "tag")),
    )
    fieldsets = (
        formatting.facts(
            "Published",
            STATUS,
            PUBLISHED,
            PUBLISHER,
            AUTHOR,
            "accepted_proposal",
            "message",
            DIGEST,
            KIND,
            "bytes",
            "revisions",
            "source_links",
        ),
        formatting.section("Withdrawals", "withdrawals"),
        formatting.section("Dependencies", "used_versions"),
        formatting.section("Source", "body"),
        formatting.section("Target", "resolved"),
        formatting.facts("Tuning keys", "leaf_keys", "build_key"),
        formatting.section("Provenance", "origins"),
    )
    search_fields = ("digest",)
    search_help_text = "By name, in any spelling, or by the start of the digest, such as sha256:4a8"
    search_rows = staticmethod(version_list.versions_like)
    ordering = ("-pk",)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Version | None:
        """Return a version with its documents, which the list leaves out."""
        row = super().get_object(request, object_id, from_field)
        return version_list.load_version(row.pk) if row else None

    def body(self, row: Version) -> str:
        return formatting.block(row.source)

    def resolved(self, row: Version) -> str:
        return formatting.block(indented_json(row.target))

    @admin.display(description="proposed")
    def accepted_proposal(self, row: Version) -> str:
        proposal = review_detail.proposal_of_version(row)
        if proposal is None:
            return formatting.NONE
        url = formatting.row_url("proposal", proposal.pk)
        link = formatting.link(url, f"proposal {proposal.pk}")
        return format_html("{} by {}", link, proposal.submitter)

    @admin.display(description="size")
    def bytes(self, row: Version) -> str:
        return f"{row.size} bytes"

    @admin.display(description="checked against")
    def revisions(self, row: Version) -> str:
        return formatting.lines(
            formatting.link(
                f"{formatting.row_url('kind', revision.kind_id)}#revision-{revision.number}",
                revision,
            )
            for revision in version_list.revisions_of(row)
        )

    @admin.display(description="sources")
    def source_links(self, row: Version) -> str:
        return formatting.lines(map(formatting.external_link, json.loads(row.sources)))

    def withdrawals(self, row: Version) -> str:
        return formatting.table(
            "Withdrawals",
            ("When", "Change", "Reason", "By"),
            version_list.withdrawals_of(row),
            lambda withdrawal: (
                formatting.time_link("withdrawal", withdrawal),
                "yanked" if withdrawal.yanked else "unyanked",
                withdrawal.reason,
                withdrawal.actor,
            ),
        )

    def used_versions(self, row: Version) -> str:
        """Return the references in the body and the versions that they resolved to."""
        return formatting.table(
            "Dependencies",
            ("Pointer", "Relation", "Requested", "Resolved"),
            json.loads(row.dependencies),
            lambda use: (
                _name_or_root(use["pointer"]),
                use["relation"],
                formatting.name(use["requested"]),
                formatting.link(
                    formatting.list_url("version", tag=use["resolved"].partition("@")[0]),
                    formatting.name(use["resolved"]),
                ),
            ),
        )

    @admin.display(description="leaves")
    def leaf_keys(self, row: Version) -> str:
        """Return the tuning key of each leaf; mixins and host-dependent leaves have none."""
        keys = json.loads(row.tuning_keys)
        return formatting.lines(
            format_html("{} {}", _name_or_root(pointer), formatting.name(key))
            for pointer, key in keys.items()
        )

    def build_key(self, row: Version) -> str:
        return formatting.name(row.build.key)

    def origins(self, row: Version) -> str:
        return format_html(
            "<details><summary>Which version set each value</summary>{}</details>",
            formatting.block(indented_json(row.provenance)),
        )

    def links(self, row: Version) -> dict[str, str]:
        return {
            "Public page": reverse("tag", args=[row.exact]),
            "API": f"/api/v1/resolve/{row.exact}",
            "Tag": formatting.row_url("tag", row.tag_id),
            "Events": formatting.list_url("event", q=row.exact),
        }


@admin.register(Withdrawal, site=site)
class WithdrawalAdmin(ReadOnlyModelAdmin):
    plural = "Withdrawals"
    about = "Yanked versions, and undone yanks"
    rows = staticmethod(version_list.all_withdrawals)
    list_display = ("change", "version_name", "reason", formatting.BY, formatting.WHEN)
    list_filter = (filters.namespace_filter("version__tag__namespace"), filters.user_filter())
    fieldsets = (formatting.facts("Details", "reason", formatting.ACTOR, formatting.WHEN),)
    ordering = ("-pk",)

    def change(self, row: Withdrawal) -> str:
        return "yanked" if row.yanked else "unyanked"

    @admin.display(description="version")
    def version_name(self, row: Withdrawal) -> str:
        return formatting.link(formatting.row_url("version", row.version_id), row.version.exact)

    def heading(self, row: Withdrawal) -> str:
        return f"{row.version.exact} {self.change(row)}"

    def links(self, row: Withdrawal) -> dict[str, str]:
        return {
            "Version": formatting.row_url("version", row.version_id),
            "Public page": reverse("tag", args=[row.version.exact]),
            "Events": formatting.list_url("event", q=row.version.exact),
        }
