"""Under four-eyes, one account alone changes nothing that builds receive; the rest stays possible.

The attacker has one account with rights, and any number without. Nobody else does anything.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Reference, Tag
from registry.models import (
    Event,
    Membership,
    Name,
    Namespace,
    NamespaceRequest,
    PendingChange,
    Policy,
    Proposal,
    Role,
    TrustedPublisher,
    Turn,
    User,
    Version,
)
from registry.services.accounts import tokens
from registry.services.core.permission_rules import CURATORS, Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import (
    four_eyes,
    members,
    namespaces,
    requests,
    trusted_publishers,
)
from registry.services.proposals import review, submission
from registry.services.tags import aliases, confirming, deprecation, renaming
from registry.services.versions import families, publishing, yanking
from tests.publishing import propose, publish
from tests.requests import claim

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BOARD, OTHER = Tag.parse("acme/board"), Tag.parse("acme/other")
STEPS = 400  # of a walk; 250 got through each hole while it was open
CI = {"repository": "mallory/targets", "repository_owner_id": "1"}


@pytest.fixture(autouse=True)
def strict(acme: Namespace, alice: User) -> Namespace:
    """Return a namespace under four-eyes with two owners and two curators, tags and an alias."""
    operator = Actor.operator(alice)
    for name, role in (("olga", Role.OWNER), ("bob", Role.CURATOR), ("carol", Role.CURATOR)):
        members.grant_role(acme, User.objects.create_user(name), role, actor=operator)
    User.objects.create_user("staff", is_staff=True)
    for cores in (1, 2):
        publish("acme/board", {"kind": "llvm", "num-cores": cores})
    publish("acme/other", {"kind": "llvm", "num-cores": 3})
    aliases.point_alias("acme/x", Reference.parse("acme/board@1"), actor=operator)
    return namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))


def person(name: str) -> User:
    return User.objects.get(username=name)


def curators() -> set[tuple[str, str]]:
    """Return who decides in acme, with their roles."""
    rows = Membership.objects.filter(namespace__name="acme", role__in=CURATORS)
    return set(rows.values_list("user__username", "role"))


def decided_by_two() -> tuple[list[str], list[tuple[str, str, Any]], str]:
    """Return what two people decide: the versions, the names with their targets, the policy."""
    versions = Version.objects.filter(tag__namespace__name="acme").order_by("pk")
    names = Name.objects.filter(namespace__name="acme").order_by("pk")
    return (
        [version.exact for version in versions.select_related("tag")],
        list(names.values_list("text", "tag__text", "major")),
        Namespace.objects.get(name="acme").policy,
    )


@dataclass
class Attacker:
    """One account with rights, second accounts without, and what they try."""

    user: User
    random: Random
    puppets: list[User] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    bodies: Iterator[int] = field(default_factory=lambda: iter(range(100, 10**6)))

    def act(self) -> str:
        """Try one action; return its name if it was possible."""
        name = self.random.choice(ATTEMPTS)
        with suppress(Refused):
            getattr(self, name)()
            return name
        return ""

    @property
    def anyone(self) -> User:
        return self.user if self.random.random() < 0.5 else self.random.choice(self.puppets)

    @property
    def actor(self) -> Actor:
        """Return a session or a token of one of the accounts."""
        if self.tokens and self.random.random() < 0.3:
            return tokens.authenticate(self.random.choice(self.tokens))
        return Actor(self.anyone)

    @property
    def body(self) -> str:
        return json.dumps({"kind": "llvm", "num-cores": next(self.bodies)})

    def row(self, rows: Any) -> Any:
        """Return any of the rows, the same on every database. Raises `Refused` without any."""
        keys = list(rows.order_by("pk").values_list("pk", flat=True))
        if not keys:
            raise Refused(Code.CONFLICT, "There is none.")
        return rows.get(pk=self.random.choice(keys))

    def publish(self) -> None:
        publishing.publish(
            BOARD,
            self.body,
            message="",
            actor=self.actor,
            expected=submission.last_published(BOARD),
        )

    def propose(self) -> None:
        submission.propose(
            BOARD,
            self.body,
            message="",
            base=submission.last_published(BOARD),
            actor=self.actor,
        )

    def revise(self) -> None:
        proposal = self.row(Proposal.objects.undecided())
        submission.revise(
            proposal.pk,
            self.body,
            message="",
            base=submission.last_published(BOARD),
            seen=proposal.revision,
            actor=Actor(proposal.submitter),
        )

    def accept(self) -> None:
        proposal = self.row(Proposal.objects.undecided())
        review.accept(proposal.pk, seen=proposal.revision, actor=self.actor)

    def reject(self) -> None:
        proposal = self.row(Proposal.objects.undecided())
        review.reject(proposal.pk, seen=proposal.revision, text="No", actor=self.actor)

    def point_alias(self) -> None:
        text = self.random.choice(["acme/x", "acme/y"])
        aliases.point_alias(text, Reference.parse("acme/other"), actor=self.actor)

    def rename(self) -> None:
        new = Tag.parse("acme/new")
        renaming.rename_tag(BOARD, new, reason="why", aliases=["acme/x"], actor=self.actor)

    def set_policy(self) -> None:
        policy = self.random.choice([Policy.MEMBERS, Policy.CURATORS])
        namespaces.set_policy(Namespace.objects.get(name="acme"), policy, actor=self.actor)

    def grant(self) -> None:
        acme = Namespace.objects.get(name="acme")
        role = self.random.choice(list(Role))
        members.grant_role(acme, self.random.choice(self.puppets), role, actor=self.actor)

    def remove(self) -> None:
        membership = self.row(Membership.objects.filter(namespace__name="acme"))
        if membership.user != self.user:
            members.revoke_membership(membership.namespace, membership.user, actor=self.actor)

    def claim(self) -> None:
        claim("acme", self.random.choice(self.puppets))

    def accept_claim(self) -> None:
        request = self.row(NamespaceRequest.objects.filter(state="open"))
        requests.accept(request.pk, actor=self.actor)

    def confirm(self) -> None:
        confirming.confirm_change(self.row(PendingChange.objects.all()).pk, actor=self.actor)

    def discard(self) -> None:
        four_eyes.discard_change(self.row(PendingChange.objects.all()).pk, actor=self.actor)

    def issue_token(self) -> None:
        owner = self.anyone
        actor = Actor(owner, is_confirmed=True)
        scopes = self.random.choice([list(Scope), [Scope.PROPOSE], [Scope.ADMIN]])
        text = tokens.issue_token(owner, label="t", scopes=scopes, pattern="acme", actor=actor)
        self.tokens.append(text)

    def register_publisher(self) -> None:
        scopes = ["propose", "publish"]
        publisher = trusted_publishers.register_publisher(
            Namespace.objects.get(name="acme"),
            issuer=GITHUB,
            claims=CI | {"environment": f"e{next(self.bodies)}"},
            scopes=scopes,
            pattern="acme",
            actor=Actor(self.anyone, is_confirmed=True),
        )
        text, _ = tokens.create_token(
            publisher.registrar,
            label="job",
            scopes=scopes,
            pattern="acme",
            expires=None,
            publisher=publisher,
        )
        self.tokens.append(text)


ATTEMPTS = [
    name for name, value in vars(Attacker).items() if callable(value) and not name.startswith("_")
]
for helper in ("act", "row"):
    ATTEMPTS.remove(helper)
ATTEMPTS += ["propose", "accept", "grant", "confirm"] * 3  # holes need several of these in a row


@pytest.mark.parametrize("name", ["alice", "bob", "staff"])
def test_no_walk_of_one_account_changes_what_two_decide(name: str) -> None:
    puppets = [User.objects.create_user(f"puppet-{number}") for number in range(3)]
    attacker = Attacker(person(name), Random(name), puppets)  # noqa: S311 - a walk to repeat
    before, owners = decided_by_two(), curators()
    done = {attacker.act() for _ in range(STEPS)}
    assert decided_by_two() == before
    assert curators() <= owners, "somebody gained a role that decides"
    assert {"propose", "accept", "point_alias", "issue_token", "discard"} <= done
    if name == "alice":
        assert {"grant", "remove", "set_policy", "register_publisher"} <= done
    assert not {"publish", "rename", "confirm"} & done


# By name: what one account of the namespace cannot get.


def refused(code: Code, call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        call(*args, **kwargs)
    assert refusal.value.code is code
    return refusal.value.detail


def test_owner_and_a_second_account_are_one_person(strict: Namespace, alice: User) -> None:
    puppet = User.objects.create_user("puppet")
    assert members.grant_role(strict, puppet, Role.CURATOR, actor=Actor(alice)) is None
    number = PendingChange.objects.get().pk
    for user in (alice, puppet):
        refused(Code.FORBIDDEN, confirming.confirm_change, number, actor=Actor(user))


def test_curator_does_not_accept_the_proposal_of_a_second_account(strict: Namespace) -> None:
    proposal = propose("acme/board", {"kind": "llvm", "num-cores": 8}, by="puppet")
    assert review.accept(proposal.pk, seen=1, actor=Actor(person("bob"))) is None
    puppet = Actor(person("puppet"))
    refused(Code.FORBIDDEN, review.accept, proposal.pk, seen=1, actor=puppet)
    assert Proposal.objects.get().state == "open"


def test_owner_who_removes_all_others_is_alone_but_no_further(
    strict: Namespace, alice: User
) -> None:
    puppet = User.objects.create_user("puppet")
    members.grant_role(strict, puppet, Role.CURATOR, actor=Actor(alice))
    for name in ("olga", "bob", "carol"):
        members.revoke_membership(strict, person(name), actor=Actor(alice))
    number = PendingChange.objects.get().pk
    refused(Code.FORBIDDEN, confirming.confirm_change, number, actor=Actor(alice))
    assert namespaces.set_policy(strict, Policy.MEMBERS, actor=Actor(alice)).policy == "four-eyes"
    assert aliases.point_alias(
        "acme/x", Reference.parse("acme/other"), actor=Actor(alice)
    ).is_pending


def test_requests_of_a_removed_owner_are_void(strict: Namespace, alice: User) -> None:
    members.grant_role(strict, User.objects.create_user("puppet"), Role.OWNER, actor=Actor(alice))
    members.revoke_membership(strict, alice, actor=Actor(person("olga")))
    number = PendingChange.objects.get().pk
    refused(Code.CONFLICT, confirming.confirm_change, number, actor=Actor(person("bob")))


def test_token_of_an_account_is_that_account(strict: Namespace, alice: User) -> None:
    text = tokens.issue_token(
        alice, label="t", scopes=list(Scope), pattern="acme", actor=Actor(alice, is_confirmed=True)
    )
    target = Reference.parse("acme/other")
    for actor in (Actor(alice), tokens.authenticate(text)):
        assert aliases.point_alias("acme/x", target, actor=actor).is_pending
    number = PendingChange.objects.get().pk
    token = tokens.authenticate(text)
    refused(Code.FORBIDDEN, confirming.confirm_change, number, actor=token)


def test_one_of_staff_does_not_claim_with_a_second_account(strict: Namespace) -> None:
    puppet, staff = User.objects.create_user("puppet"), Actor(person("staff"))
    request = claim("acme", puppet)
    for _ in range(2):
        requests.accept(request.pk, actor=staff)
    number = PendingChange.objects.get().pk
    refused(Code.FORBIDDEN, confirming.confirm_change, number, actor=staff)
    assert not Membership.objects.filter(user=puppet).exists()


# By name: what one curator or owner must still be able to do, at once and alone.


def yank(actor: Actor) -> None:
    yanking.yank(Reference.parse("acme/board@2.0.0"), reason="wrong", actor=actor)


def unyank(actor: Actor) -> None:
    yank(actor)
    yanking.unyank(Reference.parse("acme/board@2.0.0"), reason="right", actor=actor)


def undeprecate(actor: Actor) -> None:
    deprecation.deprecate(BOARD, reason="old", actor=actor)
    deprecation.undeprecate(BOARD, reason="not", actor=actor)


def decide(decision: Callable[..., Turn]) -> Callable[[Actor], None]:
    def call(actor: Actor) -> None:
        proposal = propose("acme/board", {"kind": "llvm", "num-cores": 9}, by="stranger")
        decision(proposal.pk, seen=1, text="No", actor=actor)

    return call


def discard(actor: Actor) -> None:
    requester = Actor(person("olga"))
    aliases.point_alias("acme/x", Reference.parse("acme/other"), actor=requester)
    four_eyes.discard_change(PendingChange.objects.get().pk, actor=actor)


def acme() -> Namespace:
    return Namespace.objects.get(name="acme")


def register(actor: Actor) -> TrustedPublisher:
    return trusted_publishers.register_publisher(
        acme(), issuer=GITHUB, claims=CI, scopes=["propose"], pattern="acme", actor=actor
    )


CURATOR_ALONE: dict[str, Callable[[Actor], object]] = {
    "yank": yank,
    "unyank": unyank,
    "deprecate": lambda actor: deprecation.deprecate(BOARD, reason="old", actor=actor),
    "undeprecate": undeprecate,
    "reject": decide(review.reject),
    "request changes": decide(review.request_changes),
    "discard": discard,
    "mark a family": lambda actor: families.set_family(OTHER, is_family=True, actor=actor),
}
OWNER_ALONE: dict[str, Callable[[Actor], object]] = {
    "remove a curator": lambda actor: members.revoke_membership(acme(), person("bob"), actor=actor),
    "lower a role": lambda actor: members.grant_role(
        acme(), person("olga"), Role.MEMBER, actor=actor
    ),
    "add a member": lambda actor: members.grant_role(
        acme(), User.objects.create_user("dave"), Role.MEMBER, actor=actor
    ),
    "describe": lambda actor: namespaces.update_description(
        acme(), title="Acme Inc", description="", url="", actor=actor
    ),
    "register a publisher": register,
    "revoke a publisher": lambda actor: trusted_publishers.revoke_publisher(
        register(actor), actor=actor
    ),
}


@pytest.mark.parametrize("name", CURATOR_ALONE)
def test_curator_does_alone(name: str) -> None:
    before = Event.objects.count()
    CURATOR_ALONE[name](Actor(person("bob")))
    assert not PendingChange.objects.exists()
    assert Event.objects.count() > before


@pytest.mark.parametrize("name", [*CURATOR_ALONE, *OWNER_ALONE])
def test_owner_does_alone(name: str, alice: User) -> None:
    before = Event.objects.count()
    (CURATOR_ALONE | OWNER_ALONE)[name](Actor(alice, is_confirmed=True))
    assert not PendingChange.objects.exists()
    assert Event.objects.count() > before


@pytest.mark.parametrize("name", OWNER_ALONE)
def test_curator_does_not_do_what_owners_do(name: str) -> None:
    refused(Code.FORBIDDEN, OWNER_ALONE[name], Actor(person("bob"), is_confirmed=True))
