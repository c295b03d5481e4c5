"""The robots.txt: crawlers may read pages, but not filtered lists or diffs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.web.core.decorators import public_document

RULES = (  # RFC 9309: the longest matching rule applies
    "User-agent: *",
    "Disallow: /*?",  # searches and paginated lists; the sitemap has what they list
    "Disallow: /admin/",
    "Disallow: /api/",  # the pages show the same data
    "Allow: /api/v1/docs",
    "Disallow: /accounts/",
    "Disallow: /me",
    "Disallow: /submit/",  # drafts
    "Disallow: /report/",  # forms
    "Disallow: /namespace-requests/",
    "Disallow: /namespaces/*/readme/",  # what owners have replaced
    "Disallow: /update/",
    "Disallow: /rebase/",
    "Disallow: /users/",  # about people, who may close their account
    "Disallow: /badges/",
    "Disallow: /compare",
    "Disallow: /diff/",  # one for every pair of versions
    "Disallow: /runs-on",  # lists compare thousands of tags
)


@public_document
def robots(request: HttpRequest) -> HttpResponse:
    """Return the rules and the URL of the sitemap."""
    sitemap = request.build_absolute_uri(reverse("sitemap"))
    lines = [*RULES, "", f"Sitemap: {sitemap}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
