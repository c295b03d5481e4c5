"""URLs of the API. The tag's path comes last in every URL, since it contains slashes."""

from __future__ import annotations

from django.urls import path

from registry.api.catalogue.catalogue import Catalogue
from registry.api.core import problems
from registry.api.core.action_resource import action_routes
from registry.api.core.docs import Docs
from registry.api.core.openapi import OpenApi
from registry.api.core.run import run
from registry.api.events.events import Events
from registry.api.events.log import LogCheckpoint, LogKeys, LogTileView
from registry.api.identify.identify import Identify
from registry.api.kinds.kinds import KindSchema, KindsView
from registry.api.namespaces.namespaces import Namespaces, NamespaceView
from registry.api.namespaces.readmes import ReadmeActions, ReadmeRevisionView
from registry.api.namespaces.requests import (
    NamespaceRequestActions,
    NamespaceRequests,
    NamespaceRequestView,
    RequestCommentsView,
)
from registry.api.namespaces.trusted_publishing import TrustedPublishing
from registry.api.proposals.actions import ProposalActions
from registry.api.proposals.proposals import Proposals, ProposalView, Revise
from registry.api.search.search import Tags
from registry.api.tags.actions import TagActions
from registry.api.tags.aliases import AliasActions
from registry.api.tags.tags import TagView
from registry.api.users.users import UserView
from registry.api.versions.actions import VersionActions
from registry.api.versions.baseline import BaselineView
from registry.api.versions.check import Check
from registry.api.versions.dependents import Dependents
from registry.api.versions.diff import Diff
from registry.api.versions.digests import Digest
from registry.api.versions.explain import Explain
from registry.api.versions.lineage import LineageView
from registry.api.versions.resolve import Resolve, ResolveMany
from registry.api.versions.runs_on import RunsOn, RunsOnTargets
from registry.api.versions.runs_on_list import RunsOnList
from registry.api.versions.versions import Versions

app_name = "api"
urlpatterns = [
    path("resolve/<reference:reference>", Resolve.as_view(), name="resolve"),
    path("resolve", ResolveMany.as_view(), name="resolve-many"),
    path("explain/<reference:reference>", Explain.as_view(), name="explain"),
    path("digests/<rest:digest>", Digest.as_view(), name="digest"),
    path("tags", Tags.as_view(), name="tags"),
    path("tags/<reference:reference>", TagView.as_view(), name="tag"),
    path("versions/<reference:reference>", Versions.as_view(), name="versions"),
    path("diff/<pair:pair>", Diff.as_view(), name="diff"),
    path("runs-on/<sides:pair>", RunsOn.as_view(), name="runs-on"),
    path("runs-on/<reference:reference>", RunsOnList.as_view(), name="runs-on-list"),
    path("baseline", BaselineView.as_view(), name="baseline"),
    path("runs-on", RunsOnTargets.as_view(), name="runs-on-targets"),
    path("lineage/<reference:reference>", LineageView.as_view(), name="lineage"),
    path("dependents/<reference:reference>", Dependents.as_view(), name="dependents"),
    *action_routes(VersionActions),
    *action_routes(TagActions),
    *action_routes(AliasActions),
    path("check", Check.as_view(), name="check"),
    path("identify", Identify.as_view(), name="identify"),
    path("proposals", Proposals.as_view(), name="proposals"),
    path("proposals/<rest:number>/revise", Revise.as_view(), name="revise"),
    *action_routes(ProposalActions),
    path("proposals/<rest:number>", ProposalView.as_view(), name="proposal"),
    path("kinds", KindsView.as_view(), name="kinds"),
    path("kinds/<rest:name>", KindSchema.as_view(), name="kind"),
    path("catalogue", Catalogue.as_view(), name="catalogue"),
    path("namespaces", Namespaces.as_view(), name="namespaces"),
    *action_routes(ReadmeActions),
    path(
        "namespaces/<rest:name>/readme/<rest:number>",
        ReadmeRevisionView.as_view(),
        name="readme-revision",
    ),
    path("namespaces/<rest:name>", NamespaceView.as_view(), name="namespace"),
    path("namespace-requests", NamespaceRequests.as_view(), name="namespace-requests"),
    *action_routes(NamespaceRequestActions),
    path(
        "namespace-requests/<rest:number>/comments",
        RequestCommentsView.as_view(),
        name="request-comments",
    ),
    path(
        "namespace-requests/<rest:number>", NamespaceRequestView.as_view(), name="namespace-request"
    ),
    path("users/<rest:name>", UserView.as_view(), name="user"),
    path("trusted-publishing", TrustedPublishing.as_view(), name="trusted-publishing"),
    path("events", Events.as_view(), name="events"),
    path("log/checkpoint", LogCheckpoint.as_view(), name="log-checkpoint"),
    path("log/keys", LogKeys.as_view(), name="log-keys"),
    path("log/tile/<rest:tile>", LogTileView.as_view(), name="log-tile"),
    path("docs", Docs.as_view(), name="docs"),
    path("docs/run", run, name="run"),
    path("openapi.json", OpenApi.as_view(), name="openapi"),
    path("<rest:path>", problems.route_unknown),
]
