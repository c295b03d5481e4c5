"""Access of every role to every page and form."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from registry.domain import document
from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Tag
from registry.models import Namespace, PendingChange, Policy, Role, SavedDraft, Token, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces, trusted_publishers
from registry.services.proposals import saved_drafts, submission
from registry.services.tags import deprecation
from registry.services.versions import outdated
from registry.web.urls import urlpatterns
from registry.web.versions.update import _state_token
from tests.people import make_acme, make_alice
from tests.publishing import publish, row_counts, yank
from tests.requests import TEXTS, request_namespace

pytestmark = pytest.mark.django_db

ROLES = ("nobody", "stranger", "submitter", "member", "curator", "owner", "staff", "closed")
BOARD = {"kind": "llvm", "mcpu": "haswell"}
DRAFT = "11111111-1111-4111-8111-111111111111"
PREFIX = "0123456789ab"

ALL = "nobody stranger submitter member curator owner staff closed"
SIGNED_IN = "stranger submitter member curator owner staff"
MEMBERS, CURATORS, OWNERS = "member curator owner staff", "curator owner staff", "owner staff"
REASON = {"reason": "because"}
DECISION = {"seen": "1", "key": "", "text": "because"}
THING = '{"kind": "llvm", "mcpu": "skylake"}'
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


@dataclass(frozen=True)
class Page:
    """A page with its forms, and the roles that may see it.

    Other users receive 403, or 404 if the page is `is_hidden`; anonymous users sign in first.
    """

    path: str
    roles: str = ALL
    forms: dict[str, Form] = field(default_factory=dict)
    is_hidden: bool = False
    roles_by_policy: dict[str, str] = field(default_factory=dict)

    def allowed(self, policy: str) -> set[str]:
        return set(self.roles_by_policy.get(policy, self.roles).split())


PREVIEWED = document.digest(document.canonical({"kind": "llvm", "mcpu": "znver3"}))
REVIEWED: dict[str, str] = {Policy.CURATORS: CURATORS, Policy.FOUR_EYES: CURATORS}
NOBODY_PUBLISHES: dict[str, str] = {Policy.CURATORS: CURATORS, Policy.FOUR_EYES: ""}


def action(path: str, roles: str, fields: dict[str, Any], roles_by_policy: Any = None) -> Page:
    """Return a page with one form, visible to the roles that may submit it."""
    roles_by_policy = roles_by_policy or {}
    form = Form(fields, roles, roles_by_policy)
    return Page(path, roles, {"form": form}, roles_by_policy=roles_by_policy)


def public(path: str) -> Page:
    return Page(path)


PAGES = {
    "home": public("/"),
    "tags": public("/tags/"),
    "suggestions": public("/suggestions?q=soc"),
    "feed": public("/feed.atom"),
    "tag-feed": public("/tags/acme/board.atom"),
    "tag": public("/tags/acme/board"),
    "resolved": public("/resolved/acme/board"),
    "composition": public("/composition/acme/board"),
    "lineage": public("/lineage/acme/board"),
    "used-by": public("/used-by/acme/board"),
    "hardware": public("/hardware/acme/board"),
    "versions": public("/versions/acme/board"),
    "source": public("/source/acme/board"),
    "formats": public("/formats/acme/board"),
    "diff": public("/diff/acme/board@1.0.0...acme/board"),
    "compare": public("/compare?tag=acme/board"),
    "namespaces": public("/namespaces/"),
    "proposals-feed": public("/namespaces/acme/proposals.atom"),
    "namespace-feed": public("/namespaces/acme.atom"),
    "namespace": public("/namespaces/acme"),
    "documents": public("/docs/"),
    "document": public("/docs/namespaces"),
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
    "badge": public("/badges/acme/board.svg"),
    "robots": public("/robots.txt"),
    "security-txt": public("/.well-known/security.txt"),
    "sitemap": public("/sitemap.xml"),
    "sitemap-part": public("/sitemaps/tags-1.xml"),
    "yank": action("/yank/acme/board@2.0.0", MEMBERS, REASON, REVIEWED),
    "unyank": action("/unyank/acme/board@3.0.0", MEMBERS, REASON, REVIEWED),
    "deprecate": action("/deprecate/acme/board", MEMBERS, REASON, REVIEWED),
    "undeprecate": action("/undeprecate/acme/old", MEMBERS, REASON, REVIEWED),
    "family": action("/family/acme/board", CURATORS, {"to": "family"}),
    "alias": action(
        "/alias/acme/board", CURATORS, {"text": "acme/BOARD", "reference": "acme/board"}
    ),
    "rename": Page(
        "/rename/acme/board",
        MEMBERS,
        {"form": Form(REASON | {"name": "acme/new"}, MEMBERS, NOBODY_PUBLISHES)},
        roles_by_policy=REVIEWED,
    ),
    "your-work": Page(
        "/me", SIGNED_IN, {"drop": Form({"drop": DRAFT}, "submitter", denied="nothing")}
    ),
    "tokens": Page(
        "/me/tokens",
        SIGNED_IN,
        {"issue": Form({"label": "ci", "scopes": "propose", "pattern": "acme"}, SIGNED_IN)},
    ),
    "token-revoke": Page(
        f"/me/tokens/{PREFIX}/revoke", "submitter", {"form": Form({}, "submitter")}, is_hidden=True
    ),
    "manage-namespace": Page(
        "/manage/acme",
        OWNERS,
        {
            "describe": Form({"act": "describe", "title": "New"}, OWNERS),
            "policy": Form({"act": "policy", "policy": "curators"}, OWNERS),
            "grant": Form({"act": "grant", "user": "stranger", "role": "curator"}, OWNERS),
        },
    ),
    "trusted-publishers": Page(
        "/manage/acme/trusted-publishers",
        OWNERS,
        {
            "register": Form(
                {
                    "issuer": GITHUB,
                    "claims": "repository=acme/x\nrepository_owner_id=1",
                    "scopes": "publish",
                    "pattern": "acme",
                },
                OWNERS,
            )
        },
    ),
    "trusted-publisher-revoke": action(
        "/manage/acme/trusted-publishers/{publisher}/revoke", OWNERS, {}
    ),
    "close-account": Page("/me/close", SIGNED_IN),  # its form needs the password again
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
    "request-namespace": Page(
        "/namespace-requests/new",
        SIGNED_IN,
        {"form": Form(TEXTS | {"name": "initrode", "title": "Initrode"}, SIGNED_IN)},
    ),
    "claim-namespace": Page("/namespaces/arm/claim", SIGNED_IN, {"form": Form(TEXTS, SIGNED_IN)}),
    "withdraw-request": action("/namespace-requests/{request}/withdraw", "submitter", {}),
    "pending-change confirm": action("/changes/{change}/confirm", CURATORS, {}),
    "pending-change discard": action("/changes/{change}/discard", CURATORS, {}),
    "proposal-action comment": Page(
        "/proposals/{proposal}/comment", SIGNED_IN, {"form": Form(DECISION, SIGNED_IN)}
    ),
    "proposal-action accept": action("/proposals/{proposal}/accept", CURATORS, DECISION),
    "proposal-action ask": action("/proposals/{proposal}/ask", CURATORS, DECISION),
    "proposal-action reject": action("/proposals/{proposal}/reject", CURATORS, DECISION),
    "proposal-action withdraw": action("/proposals/{proposal}/withdraw", "submitter", DECISION),
}


class Site:
    """The users, and the objects that the pages show."""

    def __init__(self, acme: Namespace, alice: User) -> None:
        self.acme = acme
        self.users = {name: User.objects.create_user(name) for name in ROLES[1:]}
        User.objects.filter(username="staff").update(is_staff=True)
        for role in Role:
            members.grant_role(acme, self.users[role], role, actor=Actor.operator(alice))
        members.grant_role(acme, self.users["closed"], Role.OWNER, actor=Actor.operator(alice))
        publish("acme/board", BOARD)
        publish("acme/board", BOARD | {"num-cores": 2})
        publish("acme/board", BOARD | {"num-cores": 3})
        yank("acme/board@3.0.0")
        publish("acme/old", BOARD | {"num-cores": 4})
        deprecation.deprecate(Tag.parse("acme/old"), reason="old", actor=Actor.operator(alice))
        publish("acme/base", BOARD)
        publish("acme/child", {"tag": "acme/base", "num-cores": 5})
        publish("acme/base", BOARD | {"mcpu": "skylake"})
        submitter = self.users["submitter"]
        self.proposal = submission.propose(
            Tag.parse("acme/thing"), THING, message="", base=None, actor=Actor.operator(submitter)
        ).pk
        change = PendingChange.objects.create(
            namespace=acme,
            kind="policy",
            subject="acme",
            before="members",
            after="curators",
            requested_by=User.objects.create_superuser("boss"),
        )
        request = request_namespace("initech", submitter)
        publisher = trusted_publishers.register_publisher(
            acme,
            issuer=GITHUB,
            claims={"repository": "acme/targets", "repository_owner_id": "1"},
            scopes=["publish"],
            pattern="acme",
            actor=Actor.operator(alice),
        )
        self.path_values = {
            "publisher": publisher.pk,
            "proposal": self.proposal,
            "change": change.pk,
            "request": request.pk,
        }
        self.state_token = _state_token(outdated.compute_update(Tag.parse("acme/child")))
        tokens.issue_token(
            submitter,
            label="ci",
            scopes=["propose"],
            pattern="acme",
            actor=Actor.operator(submitter),
        )
        Token.objects.update(prefix=PREFIX)
        draft = saved_drafts.save_draft(
            {"mode": ["json"]}, actor=Actor.operator(submitter), tag="acme/x"
        )
        SavedDraft.objects.filter(pk=draft.pk).update(key=DRAFT)
        User.objects.filter(username="closed").update(is_active=False)

    def client(self, role: str) -> Client:
        """Return a client signed in as the user with a role."""
        client = Client()
        if role != "nobody":
            client.force_login(self.users[role])
        return client


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


def all_row_counts() -> tuple[int, ...]:
    return (*row_counts(), SavedDraft.objects.count())


def expected(
    allowed: set[str], role: str, outcome: str, denied: str, anonymous: str = "sign in"
) -> str:
    if role in allowed:
        return outcome
    return anonymous if role in ("nobody", "closed") else denied


def restricted_pages() -> list[tuple[str, str]]:
    """Return the pages that are not public, each with the policies that matter."""
    rows = [(key, page) for key, page in PAGES.items() if page.roles != ALL]
    return [
        (key, policy) for key, page in rows for policy in (Policy.MEMBERS, *page.roles_by_policy)
    ]


def all_forms() -> list[tuple[str, str, str]]:
    return [
        (key, name, policy)
        for key, page in PAGES.items()
        for name, form in page.forms.items()
        for policy in (Policy.MEMBERS, *form.roles_by_policy)
    ]


@pytest.mark.parametrize(("key", "policy"), restricted_pages())
def test_restricted_page_is_shown_to_permitted_roles(key: str, policy: str, site: Site) -> None:
    namespaces.set_policy(site.acme, Policy(policy), actor=Actor.operator(site.users["owner"]))
    page = PAGES[key]
    path = page.path.format(**site.path_values)
    outcomes = {role: outcome(site.client(role).get(path)) for role in ROLES}
    denied = "hidden" if page.is_hidden else "forbidden"
    allowed = page.allowed(policy)
    assert outcomes == {role: expected(allowed, role, "page", denied) for role in ROLES}


@pytest.mark.parametrize("key", [key for key, page in PAGES.items() if page.roles == ALL])
def test_public_page_is_shown_to_every_role(key: str, site: Site) -> None:
    path = PAGES[key].path.format(**site.path_values)
    assert {role: outcome(site.client(role).get(path)) for role in ROLES} == dict.fromkeys(
        ROLES, "page"
    )


@pytest.mark.parametrize(("key", "name", "policy"), all_forms())
def test_form_can_be_submitted_by_permitted_roles(
    key: str, name: str, policy: str, site: Site
) -> None:
    namespaces.set_policy(site.acme, Policy(policy), actor=Actor.operator(site.users["owner"]))
    page, form = PAGES[key], PAGES[key].forms[name]
    path = page.path.format(**site.path_values)
    fields = form.fields | ({"seen": site.state_token, "key": ""} if key == "update" else {})
    outcomes = {}
    for role in ROLES:
        before = all_row_counts()
        with transaction.atomic():
            response = site.client(role).post(path, fields)
            result, has_written = outcome(response), all_row_counts() != before
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


@pytest.mark.parametrize(
    "key", [key for key, page in PAGES.items() if not (page.forms or key == "close-account")]
)
def test_pages_without_forms_reject_post(key: str, site: Site) -> None:
    response = site.client("staff").post(PAGES[key].path.format(**site.path_values))
    assert outcome(response) == "not allowed"


def test_every_page_is_in_the_table() -> None:
    names = {pattern.name for pattern in urlpatterns if pattern.name}
    assert {key.split()[0] for key in PAGES} == names
