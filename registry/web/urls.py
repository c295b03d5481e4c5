"""The pages. A tag's name comes last in every URL: it holds slashes, and any word can end it.

Sections that outgrow the tag's page get a prefix of their own, as in /versions/<tag>.
"""

from __future__ import annotations

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from registry.web import feeds, sitemaps
from registry.web.badges import badge
from registry.web.compare import compare
from registry.web.composition import composition
from registry.web.diff import diff
from registry.web.formats import formats
from registry.web.hardware import hardware
from registry.web.home import home
from registry.web.kinds import kind, kinds
from registry.web.lineage import lineage
from registry.web.namespaces import namespace, namespaces
from registry.web.problems import problems
from registry.web.resolved import resolved
from registry.web.robots import robots
from registry.web.source import source
from registry.web.tag import tag
from registry.web.used_by import used_by
from registry.web.versions import versions

urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("tags/", RedirectView.as_view(pattern_name="home", query_string=True)),
    path("feed.atom", feeds.everything, name="feed"),
    path("tags/<reference:reference>.atom", feeds.of_tag, name="tag-feed"),
    path("tags/<reference:reference>", tag, name="tag"),
    path("resolved/<reference:reference>", resolved, name="resolved"),
    path("composition/<reference:reference>", composition, name="composition"),
    path("lineage/<reference:reference>", lineage, name="lineage"),
    path("used-by/<reference:reference>", used_by, name="used-by"),
    path("hardware/<reference:reference>", hardware, name="hardware"),
    path("versions/<reference:reference>", versions, name="versions"),
    path("source/<reference:reference>", source, name="source"),
    path("formats/<reference:reference>", formats, name="formats"),
    path("diff/<pair:pair>", diff, name="diff"),
    path("compare", compare, name="compare"),
    path("namespaces/", namespaces, name="namespaces"),
    path("namespaces/<rest:name>.atom", feeds.of_namespace, name="namespace-feed"),
    path("namespaces/<rest:name>", namespace, name="namespace"),
    path("kinds/", kinds, name="kinds"),
    path("kinds/<rest:name>", kind, name="kind"),
    path("problems", problems, name="problems"),
    path("badges/<reference:reference>.svg", badge, name="badge"),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemaps/<slug:name>-<int:number>.xml", sitemaps.part, name="sitemap-part"),
]
