"""Every role against every page and every action on pages."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from registry.domain import document
from registry.domain.reference import Tag
from registry.models import Namespace, Policy, Role, SavedDraft, Token, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from registry.services.proposals import saved_drafts, submission
from registry.services.tags import deprecation
from registry.services.versions import outdated
from registry.web.urls import urlpatterns
from registry.web.versions.update import _state_token
from tests.people import make_acme, make_alice
from tests.publishing import publish, written, yank

pytestmark = pytest.mark.django_db

PEOPLE = ("nobody", "stranger", "submitter", "member", "curator", "owner", "staff", "closed")
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
    "face": "json",
    "tag": "acme/another",
    "body": '{"kind": "llvm", "mcpu": "znver3"}',
    "message": "",
    "sources": "",
    "base": "",
    "key": "22222222-2222-4222-8222-222222222222",
}


@dataclass(frozen=True)
class Sending:
    """A valid form, and the roles that may send it."""

    typed: dict[str, Any]
    people: str
    under: dict[str, str] = field(default_factory=dict)  # policies that let others
    otherwise: str = "forbidden"
    strangers: str = "sign in"

    def may(self, policy: str) -> set[str]:
        return set(self.under.get(policy, self.people).split())


@dataclass(frozen=True)
class Spot:
    """A page: where it is, who sees it, and what can be sent to it. Others are sent to sign in if
    they are nobody; `hidden` says that to others it is not there at all."""

    path: str
    people: str = ALL
    sent: dict[str, Sending] = field(default_factory=dict)
    hidden: bool = False
    under: dict[str, str] = field(default_factory=dict)

    def may(self, policy: str) -> set[str]:
        return set(self.under.get(policy, self.people).split())


LOOKED = document.digest(document.canonical({"kind": "llvm", "mcpu": "znver3"}))
REVIEWED: dict[str, str] = {Policy.CURATORS: CURATORS, Policy.FOUR_EYES: CURATORS}
NOBODY_PUBLISHES: dict[str, str] = {Policy.CURATORS: CURATORS, Policy.FOUR_EYES: ""}


def an_act(path: str, people: str, typed: dict[str, Any], under: Any = None) -> Spot:
    """Return a page with one form, visible to those who may send it."""
    under = under or {}
    return Spot(path, people, {"it": Sending(typed, people, under)}, under=under)


def read(path: str) -> Spot:
    return Spot(path)


SPOTS = {
    "home": read("/"),
    "feed": read("/feed.atom"),
    "tag-feed": read("/tags/acme/board.atom"),
    "tag": read("/tags/acme/board"),
    "resolved": read("/resolved/acme/board"),
    "composition": read("/composition/acme/board"),
    "lineage": read("/lineage/acme/board"),
    "used-by": read("/used-by/acme/board"),
    "hardware": read("/hardware/acme/board"),
    "versions": read("/versions/acme/board"),
    "source": read("/source/acme/board"),
    "formats": read("/formats/acme/board"),
    "diff": read("/diff/acme/board@1.0.0...acme/board"),
    "compare": read("/compare?tag=acme/board"),
    "namespaces": read("/namespaces/"),
    "proposals-feed": read("/namespaces/acme/proposals.atom"),
    "namespace-feed": read("/namespaces/acme.atom"),
    "namespace": read("/namespaces/acme"),
    "kinds": read("/kinds/"),
    "kind": read("/kinds/llvm"),
    "proposals": read("/proposals/"),
    "proposal-feed": read("/proposals/{proposal}.atom"),
    "proposal": read("/proposals/{proposal}"),
    "proposal-revision-diff": read("/proposals/{proposal}/changes/1...1"),
    "events": read("/events"),
    "problems": read("/problems"),
    "badge": read("/badges/acme/board.svg"),
    "robots": read("/robots.txt"),
    "sitemap": read("/sitemap.xml"),
    "sitemap-part": read("/sitemaps/tags-1.xml"),
    "yank": an_act("/yank/acme/board@2.0.0", MEMBERS, REASON, REVIEWED),
    "unyank": an_act("/unyank/acme/board@3.0.0", MEMBERS, REASON, REVIEWED),
    "deprecate": an_act("/deprecate/acme/board", MEMBERS, REASON, REVIEWED),
    "undeprecate": an_act("/undeprecate/acme/old", MEMBERS, REASON, REVIEWED),
    "alias": an_act(
        "/alias/acme/board", CURATORS, {"text": "acme/BOARD", "reference": "acme/board"}
    ),
    "rename": Spot(
        "/rename/acme/board",
        MEMBERS,
        {"it": Sending(REASON | {"name": "acme/new"}, MEMBERS, NOBODY_PUBLISHES)},
        under=REVIEWED,
    ),
    "concerns": Spot(
        "/me", SIGNED_IN, {"drop": Sending({"drop": DRAFT}, "submitter", otherwise="nothing")}
    ),
    "tokens": Spot(
        "/me/tokens",
        SIGNED_IN,
        {"issue": Sending({"label": "ci", "scopes": "propose", "pattern": "acme"}, SIGNED_IN)},
    ),
    "token-revoke": Spot(
        f"/me/tokens/{PREFIX}/revoke", "submitter", {"it": Sending({}, "submitter")}, hidden=True
    ),
    "manage": Spot(
        "/manage/acme",
        OWNERS,
        {
            "describe": Sending({"act": "describe", "title": "New"}, OWNERS),
            "policy": Sending({"act": "policy", "policy": "curators"}, OWNERS),
            "grant": Sending({"act": "grant", "user": "stranger", "role": "curator"}, OWNERS),
        },
    ),
    "close": Spot("/me/close", SIGNED_IN),  # what it sends asks for the password: see people
    "draft": Spot(
        f"/submit/{DRAFT}",
        "submitter",
        {"drop": Sending({"do": "drop"}, "submitter", otherwise="nothing")},
        hidden=True,
    ),
    "submit": Spot(
        "/submit",
        ALL,
        {
            "check": Sending(
                PROFILE | {"do": "check"}, "", strangers="nothing", otherwise="nothing"
            ),
            "save": Sending(PROFILE | {"do": "save"}, SIGNED_IN),
            "submit": Sending(PROFILE | {"do": "submit"}, SIGNED_IN),
            "publish": Sending(
                PROFILE | {"do": "publish", "looked": LOOKED}, MEMBERS, NOBODY_PUBLISHES
            ),
        },
    ),
    "update": Spot(
        "/update/acme/child",
        ALL,
        {
            "publish": Sending({"do": "publish"}, MEMBERS, NOBODY_PUBLISHES),
            "propose": Sending({"do": "propose"}, SIGNED_IN),
        },
    ),
    "rebase": Spot(
        "/rebase/acme/base",
        SIGNED_IN,
        {"begin": Sending({"tag": "acme/child"}, MEMBERS, NOBODY_PUBLISHES, otherwise="nothing")},
    ),
    "proposal-action comment": Spot(
        "/proposals/{proposal}/comment", SIGNED_IN, {"it": Sending(DECISION, SIGNED_IN)}
    ),
    "proposal-action accept": an_act("/proposals/{proposal}/accept", CURATORS, DECISION),
    "proposal-action ask": an_act("/proposals/{proposal}/ask", CURATORS, DECISION),
    "proposal-action reject": an_act("/proposals/{proposal}/reject", CURATORS, DECISION),
    "proposal-action withdraw": an_act("/proposals/{proposal}/withdraw", "submitter", DECISION),
}


class Stage:
    """The users and the objects of the pages."""

    def __init__(self, acme: Namespace, alice: User) -> None:
        self.acme = acme
        self.users = {name: User.objects.create_user(name) for name in PEOPLE[1:]}
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
        self.texts = {"proposal": self.proposal}
        self.seen = _state_token(outdated.compute_update(Tag.parse("acme/child")))
        tokens.issue_token(
            submitter,
            label="ci",
            scopes=["propose"],
            pattern="acme",
            actor=Actor.operator(submitter),
        )
        Token.objects.update(prefix=PREFIX)
        draft = saved_drafts.save_draft(
            {"face": ["json"]}, actor=Actor.operator(submitter), tag="acme/x"
        )
        SavedDraft.objects.filter(pk=draft.pk).update(key=DRAFT)
        User.objects.filter(username="closed").update(is_active=False)

    def as_(self, name: str) -> Client:
        """Somebody's browser."""
        client = Client()
        if name != "nobody":
            client.force_login(self.users[name])
        return client


@pytest.fixture(scope="module")
def module_stage(module_transaction: None) -> Stage:
    return Stage(make_acme(), make_alice())


@pytest.fixture
def stage(module_stage: Stage, db: None) -> Stage:
    module_stage.acme.refresh_from_db()
    return module_stage


def outcome(response: Any) -> str:
    """Return the outcome of a request, in a word."""
    if response.status_code in (301, 302, 303):
        return "sign in" if "/accounts/login/" in response["Location"] else "done"
    return {200: "page", 403: "forbidden", 404: "hidden", 405: "not allowed"}.get(
        response.status_code, f"{response.status_code}"
    )


def left() -> tuple[int, ...]:
    return (*written(), SavedDraft.objects.count())


def expected(
    may: set[str], name: str, good: str, otherwise: str, strangers: str = "sign in"
) -> str:
    if name in may:
        return good
    return strangers if name in ("nobody", "closed") else otherwise


def seen_by_some() -> list[tuple[str, str]]:
    """Yield pages, each under the policies that make a difference."""
    rows = [(key, spot) for key, spot in SPOTS.items() if spot.people != ALL]
    return [(key, policy) for key, spot in rows for policy in (Policy.MEMBERS, *spot.under)]


def forms() -> list[tuple[str, str, str]]:
    return [
        (key, sent, policy)
        for key, spot in SPOTS.items()
        for sent, sending in spot.sent.items()
        for policy in (Policy.MEMBERS, *sending.under)
    ]


@pytest.mark.parametrize(("key", "policy"), seen_by_some())
def test_who_sees_a_page(key: str, policy: str, stage: Stage) -> None:
    namespaces.set_policy(stage.acme, Policy(policy), actor=Actor.operator(stage.users["owner"]))
    spot = SPOTS[key]
    path = spot.path.format(**stage.texts)
    found = {name: outcome(stage.as_(name).get(path)) for name in PEOPLE}
    otherwise = "hidden" if spot.hidden else "forbidden"
    assert found == {name: expected(spot.may(policy), name, "page", otherwise) for name in PEOPLE}


@pytest.mark.parametrize("key", [key for key, spot in SPOTS.items() if spot.people == ALL])
def test_everybody_sees_what_is_public(key: str, stage: Stage) -> None:
    path = SPOTS[key].path.format(**stage.texts)
    assert {name: outcome(stage.as_(name).get(path)) for name in PEOPLE} == dict.fromkeys(
        PEOPLE, "page"
    )


@pytest.mark.parametrize(("key", "sent", "policy"), forms())
def test_who_can_send_a_form(key: str, sent: str, policy: str, stage: Stage) -> None:
    namespaces.set_policy(stage.acme, Policy(policy), actor=Actor.operator(stage.users["owner"]))
    spot, sending = SPOTS[key], SPOTS[key].sent[sent]
    path = spot.path.format(**stage.texts)
    typed = sending.typed | ({"seen": stage.seen, "key": ""} if key == "update" else {})
    found = {}
    for name in PEOPLE:
        before = left()
        with transaction.atomic():
            response = stage.as_(name).post(path, typed)
            became, has_written = outcome(response), left() != before
            transaction.set_rollback(True)
        if became in ("page", "done"):
            became = "done" if has_written else "nothing"
        else:
            assert not has_written
        found[name] = became
    otherwise = "hidden" if spot.hidden and sending.otherwise == "forbidden" else sending.otherwise
    assert found == {
        name: expected(sending.may(policy), name, "done", otherwise, sending.strangers)
        for name in PEOPLE
    }


@pytest.mark.parametrize(
    "key", [key for key, spot in SPOTS.items() if not (spot.sent or key == "close")]
)
def test_nothing_is_sent_to_what_is_only_read(key: str, stage: Stage) -> None:
    response = stage.as_("staff").post(SPOTS[key].path.format(**stage.texts))
    assert outcome(response) == "not allowed"


def test_every_page_is_in_the_table() -> None:
    names = {pattern.name for pattern in urlpatterns if pattern.name}
    assert {key.split()[0] for key in SPOTS} == names
