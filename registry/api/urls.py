"""The resources. The tag's path comes last in every URL, since it holds slashes."""

from __future__ import annotations

from django.urls import path

from registry.api import problems
from registry.api.check import Check
from registry.api.digests import Digest
from registry.api.kinds import Kinds, KindSchema
from registry.api.openapi import OpenApi
from registry.api.resolve import Resolve
from registry.api.tags import Tag
from registry.api.versions import Versions

app_name = "api"
urlpatterns = [
    path("resolve/<reference:reference>", Resolve.as_view(), name="resolve"),
    path("digests/<rest:digest>", Digest.as_view(), name="digest"),
    path("tags/<reference:reference>", Tag.as_view(), name="tag"),
    path("versions/<reference:reference>", Versions.as_view(), name="versions"),
    path("check", Check.as_view(), name="check"),
    path("kinds", Kinds.as_view(), name="kinds"),
    path("kinds/<rest:name>", KindSchema.as_view(), name="kind"),
    path("openapi.json", OpenApi.as_view(), name="openapi"),
    path("<rest:path>", problems.route_unknown),
]
