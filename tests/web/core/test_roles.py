"""Access of every role to every page and form; `tests/actions/roles.py` says who may act."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from registry.actions import (
    namespace_requests,
    namespaces as namespace_actions,
    news,
    pending_changes,
    proposals,
    readmes,
    tags,
    tokens,
    trusted_publishers,
    webhooks,
)
from registry.actions.accounts import CloseAccount, MakeRecoveryKey, RemoveIdentity, StopReset
from registry.actions.action_form import ActionForm
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site as admin_site
from registry.domain import document
from registry.domain.reference import Tag
from registry.models import MailChoice, NewsFeed, Policy, SavedDraft, Watch
from registry.services.core.permissions import Actor
from registry.services.namespaces import namespaces
from registry.services.versions import outdated
from registry.web.urls import urlpatterns
from registry.web.versions.update import _state_token
from tests.actions.roles import (
    ALL,
    MEMBERS,
    NOBODY_PUBLISHES,
    OWNERS,
    REVIEWED,
    SIGNED_IN,
    declared_actions,
    missing_rows,
    row_of,
)
from tests.actions.routes import actions_with_page
from tests.actions.site import DRAFT, PREFIX, ROLES, Site
from tests.people import make_acme, make_alice
from tests.profiles import is_thorough
from tests.publishing import row_counts

pytestmark = pytest.mark.django_db

PROFILE = {
    "mode": "json",
    "tag": "acme/another",
    "body": '{"kind": "llvm", "mcpu": "znver3"}',
    "message": "",
    "sources": "",
    "base": "",
    "key": "22222222-2222-4222-8222-222222222222",
}


@dataclass(frozen=True)
class Form:
    """A valid form, and the roles that may submit it."""

    fields: dict[str, Any]
    roles: str
    roles_by_policy: dict[str, str] = field(default_factory=dict)  # if not `roles`
    denied: str = "forbidden"  # the outcome for signed-in users without permission
    anonymous: str = "sign in"  # the outcome for anonymous users

    def allowed(self, policy: str) -> set[str]:
        return set(self.roles_by_policy.get(policy, self.roles).split())


def form(action: type[ActionForm]) -> Form:
    """Return the form of an action, as its row states."""
    row = row_of(action)
    return Form(row.values, row.roles, row.roles_by_policy)


@dataclass(frozen=True)
class Page:
    """A page with its forms, and the roles that may see it.

    Other users receive 403, or 404 if the page is `is_hidden`; anonymous users sign in first.
    """

    path: str
    roles: str = ALL
    forms: dict[str, Form] = field(default_factory=dict)
    is_hidden: bool = False
    actions: tuple[type[ActionForm], ...] = ()
    roles_by_policy: dict[str, str] = field(default_factory=dict)

    def allowed(self, policy: str) -> set[str]:
        return set(self.roles_by_policy.get(policy, self.roles).split())


KEPT = (SavedDraft, Watch, MailChoice, NewsFeed)  # that are written without an event
POSTED_ELSEWHERE = ("close-account", "recovery-key", "webhook")  # whose posts other tests try
DIGEST = document.digest(document.canonical({"kind": "llvm", "mcpu": "znver3"}))
PREVIEWED = f"acme/another@1.0.0 {DIGEST}"


def of(action: type[ActionForm], path: str = "", **options: Any) -> Page:
    """Return the page of an action, visible to the roles that may take it."""
    row = row_of(action)
    path = path or reverse(action.page, args=[row.subject])
    shown = {"roles": row.roles, "roles_by_policy": row.roles_by_policy} | options
    return Page(path, forms={"form": form(action)}, actions=(action,), **shown)


def shared(path: str, roles: str, *actions: type[ActionForm]) -> Page:
    """Return a page with the forms of several actions."""
    forms = {action.slug: form(action) for action in actions}
    return Page(path, roles, forms, actions=actions)


def public(path: str) -> Page:
    return Page(path)


PAGES = {
    "home": public("/"),
    "tags": public("/tags/"),
    "tags-csv": public("/tags.csv?namespace=acme"),
    "suggestions": public("/suggestions?q=soc"),
    "identify": Page(
        "/identify",
        forms={"text": Form({"text": "a\nb"}, "", anonymous="nothing", denied="nothing")},
    ),
    "feed": public("/feed.atom"),
    "tag-feed": public("/tags/acme/boards/x.atom"),
    "tag": public("/tags/acme/boards/x"),
    "resolved": public("/resolved/acme/boards/x"),
    "composition": public("/composition/acme/boards/x"),
    "lineage": public("/lineage/acme/boards/x"),
    "used-by": public("/used-by/acme/boards/x"),
    "hardware": public("/hardware/acme/boards/x"),
    "versions": public("/versions/acme/boards/x"),
    "source": public("/source/acme/boards/x"),
    "formats": public("/formats/acme/boards/x"),
    "diff": public("/diff/acme/boards/x@1.0.0...acme/boards/x"),
    "compare": public("/compare?tag=acme/boards/x"),
    "runs-on": public("/runs-on?built_for=acme/boards/x&machine=acme/boards/x"),
    "runners": public("/runs-on/acme/boards/x"),
    "namespaces": public("/namespaces/"),
    "proposals-feed": public("/namespaces/acme/proposals.atom"),
    "namespace-feed": public("/namespaces/acme.atom"),
    "namespace": public("/namespaces/acme"),
    "readme": public("/namespaces/acme/readme/"),
    "readme-revision": public("/namespaces/acme/readme/1"),
    "readme-changes": public("/namespaces/acme/readme/1...1"),
    "write-readme": of(readmes.WriteReadme, "/manage/acme/readme"),
    "documents": public("/docs/"),
    "document": public("/docs/namespaces"),
    "user": public("/users/alice"),
    "namespace-request": public("/namespace-requests/{request}"),
    "kinds": public("/kinds/"),
    "kind": public("/kinds/llvm"),
    "proposals": public("/proposals/"),
    "proposal-feed": public("/proposals/{proposal}.atom"),
    "proposal": public("/proposals/{proposal}"),
    "proposal-revision-diff": public("/proposals/{proposal}/changes/1...1"),
    "events": public("/events"),
    "problems": public("/problems"),
    "catalogue": public("/catalogue"),
    "badge": public("/badges/acme/boards/x.svg"),
    "robots": public("/robots.txt"),
    "security-txt": public("/.well-known/security.txt"),
    "sitemap": public("/sitemap.xml"),
    "sitemap-part": public("/sitemaps/tags-1.xml"),
    **{f"{action.page} {action.slug}": of(action) for action in actions_with_page()},
    "rename rename": of(tags.RenameTag, roles_by_policy=REVIEWED),
    "your-work": Page(
        "/me", SIGNED_IN, {"drop": Form({"drop": DRAFT}, "submitter", denied="nothing")}
    ),
    "news": Page("/me/news", SIGNED_IN, {"read": Form({"up_to": "1"}, "", denied="nothing")}),
    "news-settings": shared("/me/news/settings", SIGNED_IN, news.ChooseMailTimes, news.RenewFeed),
    "news-feed": public("/news.atom?key={feed}"),
    "unsubscribe": Page(
        "/unsubscribe?{unsubscribe}",
        forms={"stop": Form({"List-Unsubscribe": "One-Click"}, ALL, anonymous="done")},
    ),
    "watch watch": of(news.Watch, "/watch/acme/boards/x"),
    "watch stop": of(news.StopWatching, "/watch/acme/boards/x"),
    "tokens": shared("/me/tokens", SIGNED_IN, tokens.IssueOwnToken),
    "token-revoke": of(tokens.RevokeToken, f"/me/tokens/{PREFIX}/revoke", is_hidden=True),
    "manage-namespace": shared(
        "/manage/acme",
        OWNERS,
        namespace_actions.DescribeNamespace,
        namespace_actions.SetPolicy,
        namespace_actions.GrantRole,
        namespace_actions.ChangeRole,
    ),
    "remove-member": of(namespace_actions.RemoveMember, "/manage/acme/members/{member}/remove"),
    "trusted-publishers": shared(
        "/manage/acme/trusted-publishers", OWNERS, trusted_publishers.RegisterPublisher
    ),
    "trusted-publisher-revoke": of(
        trusted_publishers.RevokePublisher, "/manage/acme/trusted-publishers/{publisher}/revoke"
    ),
    "webhooks": shared("/manage/acme/webhooks", OWNERS, webhooks.AddWebhook),
    "webhook": Page("/manage/acme/webhooks/{webhook}", OWNERS),
    "webhook-action remove": of(webhooks.RemoveWebhook, "/manage/acme/webhooks/{webhook}/remove"),
    "webhook-action enable": of(webhooks.EnableWebhook, "/manage/acme/webhooks/{disabled}/enable"),
    "stop-reset": Page(
        "/me/reset",
        SIGNED_IN,
        {"stop": Form({}, "submitter", denied="409")},
        actions=(StopReset,),
    ),
    # Their forms need the password again.
    "recovery-key": Page("/me/recovery-key", SIGNED_IN, actions=(MakeRecoveryKey,)),
    "close-account": Page("/me/close", SIGNED_IN, actions=(CloseAccount,)),
    "draft": Page(
        f"/submit/{DRAFT}",
        "submitter",
        {"delete": Form({"do": "delete"}, "submitter", denied="nothing")},
        is_hidden=True,
    ),
    "submit": Page(
        "/submit",
        ALL,
        {
            "check": Form(PROFILE | {"do": "check"}, "", anonymous="nothing", denied="nothing"),
            "save": Form(PROFILE | {"do": "save"}, SIGNED_IN),
            "submit": Form(PROFILE | {"do": "submit"}, SIGNED_IN),
            "publish": Form(
                PROFILE | {"do": "publish", "previewed": PREVIEWED}, MEMBERS, NOBODY_PUBLISHES
            ),
        },
    ),
    "report-fact": Page(
        "/report/acme/machine",
        ALL,
        {
            "report": Form(
                {"fact": "vendor", "value": "Apex", "source": "https://example.org/a"}, SIGNED_IN
            )
        },
    ),
    "update": Page(
        "/update/acme/child",
        ALL,
        {
            "publish": Form({"do": "publish"}, MEMBERS, NOBODY_PUBLISHES),
            "propose": Form({"do": "propose"}, SIGNED_IN),
        },
    ),
    "rebase": Page(
        "/rebase/acme/base",
        SIGNED_IN,
        {"continue": Form({"tag": "acme/child"}, MEMBERS, NOBODY_PUBLISHES, denied="nothing")},
    ),
    "request-namespace": of(namespace_requests.RequestNamespace, "/namespace-requests/new"),
    "claim-namespace": of(namespace_requests.ClaimNamespace, "/namespaces/arm/claim"),
    "comment-on-request": of(
        namespace_requests.CommentOnRequest, "/namespace-requests/{request}/comment"
    ),
    "withdraw-request": of(
        namespace_requests.WithdrawRequest, "/namespace-requests/{request}/withdraw"
    ),
    "pending-change confirm": of(pending_changes.ConfirmChange, "/changes/{change}/confirm"),
    "pending-change discard": of(pending_changes.DiscardChange, "/changes/{change}/discard"),
    "proposal-action comment": of(proposals.Comment, "/proposals/{proposal}/comment"),
    "proposal-action accept": of(proposals.Accept, "/proposals/{proposal}/accept"),
    "proposal-action ask": of(proposals.RequestChanges, "/proposals/{proposal}/ask"),
    "proposal-action reject": of(proposals.Reject, "/proposals/{proposal}/reject"),
    "proposal-action withdraw": of(proposals.Withdraw, "/proposals/{proposal}/withdraw"),
}


@pytest.fixture(scope="module")
def module_site(module_transaction: None) -> Site:
    return Site(make_acme(), make_alice())


@pytest.fixture
def site(module_site: Site, db: None) -> Site:
    module_site.acme.refresh_from_db()
    return module_site


def outcome(response: Any) -> str:
    """Return the outcome of a request: `page`, `done`, `sign in`, `forbidden` or `hidden`."""
    if response.status_code in (301, 302, 303):
        return "sign in" if "/accounts/login/" in response["Location"] else "done"
    return {200: "page", 403: "forbidden", 404: "hidden", 405: "not allowed"}.get(
        response.status_code, f"{response.status_code}"
    )


def expected(
    allowed: set[str], role: str, outcome: str, denied: str, anonymous: str = "sign in"
) -> str:
    if role in allowed:
        return outcome
    return anonymous if role in ("nobody", "closed") else denied


def restricted_pages() -> Iterator[Any]:
    """Yield the pages that are not public, each with the policies that matter."""
    for key, page in PAGES.items():
        if page.roles != ALL:
            yield key, Policy.MEMBERS
            for policy in page.roles_by_policy:
                yield pytest.param(key, policy, marks=pytest.mark.any_database)


def all_forms() -> Iterator[Any]:
    """Yield the forms of all pages, each with the policies that matter."""
    for key, page in PAGES.items():
        for name, form in page.forms.items():
            yield key, name, Policy.MEMBERS
            for policy in form.roles_by_policy:
                yield pytest.param(key, name, policy, marks=pytest.mark.any_database)


@pytest.mark.parametrize(("key", "policy"), [*restricted_pages()])
def test_restricted_page_is_shown_to_permitted_roles(key: str, policy: str, site: Site) -> None:
    namespaces.set_policy(site.acme, Policy(policy), actor=Actor.operator(site.users["owner"]))
    page = PAGES[key]
    path = site.fill(page.path)
    outcomes = {role: outcome(site.client(role).get(path)) for role in ROLES}
    denied = "hidden" if page.is_hidden else "forbidden"
    allowed = page.allowed(policy)
    assert outcomes == {role: expected(allowed, role, "page", denied) for role in ROLES}


@pytest.mark.parametrize("key", [key for key, page in PAGES.items() if page.roles == ALL])
def test_public_page_is_shown_to_every_role(key: str, site: Site) -> None:
    """With `--thorough`; otherwise to one who is signed in and one who is not."""
    path = site.fill(PAGES[key].path)
    roles = ROLES if is_thorough() else ("nobody", "stranger")
    assert {role: outcome(site.client(role).get(path)) for role in roles} == dict.fromkeys(
        roles, "page"
    )


@pytest.mark.parametrize(("key", "name", "policy"), [*all_forms()])
def test_form_can_be_submitted_by_permitted_roles(
    key: str, name: str, policy: str, site: Site
) -> None:
    namespaces.set_policy(site.acme, Policy(policy), actor=Actor.operator(site.users["owner"]))
    page, form = PAGES[key], PAGES[key].forms[name]
    path = site.fill(page.path)
    fields = site.values(form.fields)
    if key == "update":
        token = _state_token(outdated.compute_update(Tag.parse("acme/child")))
        fields |= {"seen": token, "key": ""}
    outcomes, before = {}, row_counts(*KEPT)
    for role in ROLES:
        with transaction.atomic():
            response = site.client(role).post(path, fields)
            result, has_written = outcome(response), row_counts(*KEPT) != before
            transaction.set_rollback(True)
        if result in ("page", "done"):
            result = "done" if has_written else "nothing"
        else:
            assert not has_written
        outcomes[role] = result
    denied = "hidden" if page.is_hidden and form.denied == "forbidden" else form.denied
    assert outcomes == {
        role: expected(form.allowed(policy), role, "done", denied, form.anonymous) for role in ROLES
    }


@pytest.mark.any_database
@pytest.mark.parametrize(
    "key",
    [key for key, page in PAGES.items() if not page.forms and key not in POSTED_ELSEWHERE],
)
def test_pages_without_forms_reject_post(key: str, site: Site) -> None:
    response = site.client("staff").post(site.fill(PAGES[key].path))
    assert outcome(response) == "not allowed"


def test_every_page_is_in_the_table() -> None:
    names = {pattern.name for pattern in urlpatterns if pattern.name}
    listed = {key.split()[0] for key in PAGES}
    missing = names - listed
    assert not missing, "give it a row in PAGES of tests/web/core/test_roles.py"
    assert listed == names


def test_every_declared_action_is_in_the_table() -> None:
    assert not missing_rows()


NOT_IN_ADMIN = {  # why, and which
    "one does them for oneself": {
        *("ChooseMailTimes", "CloseAccount", "Comment", "IssueOwnToken", "MakeRecoveryKey"),
        *("RemoveIdentity", "RenewFeed", "StopWatching", "Watch", "Withdraw", "WithdrawRequest"),
    },
    "a namespace's owners decide": {
        *("AddWebhook", "EnableWebhook", "RegisterPublisher", "RemoveWebhook"),
    },
    "it asks the registry for something": {"ClaimNamespace", "RequestNamespace"},
    "it begins with a name, not with a row": {"AliasForTag", "RenameTag"},
    "staff has a page for it": {"ConfirmChange", "DiscardChange"},
}


def test_every_action_is_offered_somewhere() -> None:
    on_pages = {action for page in PAGES.values() for action in page.actions}
    on_pages.add(RemoveIdentity)  # below /accounts/, where there is an identity provider
    in_api = {action for action in declared_actions() if action.route}
    assert on_pages | in_admin() | in_api == {*declared_actions()}
    assert {action for action in declared_actions() if action.page} <= on_pages


def test_the_admin_offers_every_action_but_those_of_one_person() -> None:
    missing = {action.__name__ for action in declared_actions()} - {
        action.__name__ for action in in_admin()
    }
    assert missing == set().union(*NOT_IN_ADMIN.values()), (
        "add the action to `row_actions` of a table in registry/admin, or give it a row here"
    )


def in_admin() -> set[type[ActionForm]]:
    tables = [
        each for each in admin_site._registry.values() if isinstance(each, ReadOnlyModelAdmin)
    ]
    offered = {each for table in tables for each in (table.create_action, *table.row_actions)}
    in_tables = {each for each in offered if each}
    return {proposals.AcceptSelected, *in_tables}  # it has a page of its own
