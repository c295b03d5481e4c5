"""The pages. A tag's name comes last in every URL: it holds slashes, and any word can end it.

Sections that outgrow the tag's page get a prefix of their own, as in /versions/<tag>.
"""

from __future__ import annotations

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from registry.web.home import home
from registry.web.kinds import kind, kinds
from registry.web.problems import problems
from registry.web.tag import tag

urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("tags/", RedirectView.as_view(pattern_name="home", query_string=True)),
    path("tags/<reference:reference>", tag, name="tag"),
    path("kinds/", kinds, name="kinds"),
    path("kinds/<rest:name>", kind, name="kind"),
    path("problems", problems, name="problems"),
]
