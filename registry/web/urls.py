"""The URLs of all pages.

A tag comes last in its URL, because it contains slashes and may end in any word. Sections of a
tag's page have a prefix of their own, as in /versions/<tag>.
"""

from __future__ import annotations

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from registry.web.accounts.closing import close
from registry.web.accounts.news import news, news_settings
from registry.web.accounts.news_feed import news_feed
from registry.web.accounts.profile import user
from registry.web.accounts.recovery import recovery_key, stop_reset
from registry.web.accounts.tokens import revoke, tokens
from registry.web.accounts.unsubscribing import unsubscribe
from registry.web.accounts.watching import watch
from registry.web.accounts.your_work import your_work
from registry.web.catalogue import catalogue
from registry.web.core import security_txt
from registry.web.core.problems import problems
from registry.web.core.robots import robots
from registry.web.documents.views import document, documents
from registry.web.events import feeds
from registry.web.events.event_log import events
from registry.web.identify.identify import identify
from registry.web.kinds.kinds import kind, kinds
from registry.web.namespaces.manage import manage, remove_member
from registry.web.namespaces.namespaces import namespace, namespaces
from registry.web.namespaces.pending_change import pending_change
from registry.web.namespaces.requests import (
    claim,
    namespace_request,
    request_namespace,
    withdraw_request,
)
from registry.web.namespaces.trusted_publishers import publishers, revoke_publisher
from registry.web.namespaces.webhooks import webhook, webhook_action, webhooks
from registry.web.proposals import feeds as proposal_feeds
from registry.web.proposals.proposal import proposal, proposal_action
from registry.web.proposals.queue import queue
from registry.web.proposals.report import report_fact
from registry.web.proposals.revision_diff import revision_diff
from registry.web.proposals.submit.views import draft, submit
from registry.web.search.csv_list import tags_csv
from registry.web.search.home import home, tags
from registry.web.search.runners import list_runners
from registry.web.search.suggestions import suggestions
from registry.web.tags import actions as tag_actions, sitemaps
from registry.web.tags.badges import badge
from registry.web.tags.tag import tag
from registry.web.versions import actions as version_actions
from registry.web.versions.compare import compare
from registry.web.versions.composition import composition
from registry.web.versions.diff import diff
from registry.web.versions.formats import formats
from registry.web.versions.hardware import hardware
from registry.web.versions.history import versions
from registry.web.versions.lineage import lineage
from registry.web.versions.rebase import rebase
from registry.web.versions.resolved_values import resolved
from registry.web.versions.runs_on import runs_on
from registry.web.versions.source import source
from registry.web.versions.update import update
from registry.web.versions.used_by import used_by

# Decision 036: every view of a tag has a URL, and scripts only shorten the way.
urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("tags/", tags, name="tags"),
    path("tags.csv", tags_csv, name="tags-csv"),
    path("suggestions", suggestions, name="suggestions"),
    path("identify", identify, name="identify"),
    path("feed.atom", feeds.registry_feed, name="feed"),
    path("tags/<reference:reference>.atom", feeds.tag_feed, name="tag-feed"),
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
    path("runs-on", runs_on, name="runs-on"),
    path("runs-on/<reference:reference>", list_runners, name="runners"),
    path("namespaces/", namespaces, name="namespaces"),
    path(
        "namespaces/<str:name>/proposals.atom",
        proposal_feeds.namespace_proposals_feed,
        name="proposals-feed",
    ),
    path("namespaces/<str:name>/claim", claim, name="claim-namespace"),
    path("namespaces/<rest:name>.atom", feeds.namespace_feed, name="namespace-feed"),
    path("namespaces/<rest:name>", namespace, name="namespace"),
    path("namespace-requests/new", request_namespace, name="request-namespace"),
    path("namespace-requests/<int:number>", namespace_request, name="namespace-request"),
    path("namespace-requests/<int:number>/withdraw", withdraw_request, name="withdraw-request"),
    path("docs/", documents, name="documents"),
    path("docs/<path:path>", document, name="document"),
    path(
        "policies/namespaces",
        RedirectView.as_view(url="/docs/namespaces", permanent=True),
    ),
    path("kinds/", kinds, name="kinds"),
    path("kinds/<rest:name>", kind, name="kind"),
    path("submit", submit, name="submit"),
    path("submit/<uuid:key>", draft, name="draft"),
    path("report/<reference:reference>", report_fact, name="report-fact"),
    path("proposals/", queue, name="proposals"),
    path("proposals/<int:number>.atom", proposal_feeds.proposal_feed, name="proposal-feed"),
    path("proposals/<int:number>", proposal, name="proposal"),
    path(
        "proposals/<int:number>/changes/<int:old>...<int:new>",
        revision_diff,
        name="proposal-revision-diff",
    ),
    path("proposals/<int:number>/<slug:verb>", proposal_action, name="proposal-action"),
    *version_actions.action_pages(),
    *tag_actions.action_pages(),
    path("update/<reference:reference>", update, name="update"),
    path("rebase/<reference:reference>", rebase, name="rebase"),
    path("login", RedirectView.as_view(pattern_name="account_login")),
    path("signup", RedirectView.as_view(pattern_name="account_signup")),
    path("users/<rest:name>", user, name="user"),
    path("me", your_work, name="your-work"),
    path("me/news", news, name="news"),
    path("me/news/settings", news_settings, name="news-settings"),
    path("news.atom", news_feed, name="news-feed"),
    path("watch/<path:name>", watch, name="watch"),
    path("unsubscribe", unsubscribe, name="unsubscribe"),
    path("me/tokens", tokens, name="tokens"),
    path("me/tokens/<slug:prefix>/revoke", revoke, name="token-revoke"),
    path("me/close", close, name="close-account"),
    path("me/recovery-key", recovery_key, name="recovery-key"),
    path("me/reset", stop_reset, name="stop-reset"),
    path("changes/<int:number>/<slug:verb>", pending_change, name="pending-change"),
    path("manage/<str:name>", manage, name="manage-namespace"),
    path("manage/<str:name>/members/<int:key>/remove", remove_member, name="remove-member"),
    path("manage/<str:name>/trusted-publishers", publishers, name="trusted-publishers"),
    path(
        "manage/<str:name>/trusted-publishers/<int:number>/revoke",
        revoke_publisher,
        name="trusted-publisher-revoke",
    ),
    path("manage/<str:name>/webhooks", webhooks, name="webhooks"),
    path("manage/<str:name>/webhooks/<int:number>", webhook, name="webhook"),
    path(
        "manage/<str:name>/webhooks/<int:number>/<slug:verb>",
        webhook_action,
        name="webhook-action",
    ),
    path("events", events, name="events"),
    path("problems", problems, name="problems"),
    path("catalogue", catalogue, name="catalogue"),
    path("badges/<reference:reference>.svg", badge, name="badge"),
    path("robots.txt", robots, name="robots"),
    path(security_txt.PATH, security_txt.security_txt, name="security-txt"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemaps/<slug:name>-<int:number>.xml", sitemaps.part, name="sitemap-part"),
]
