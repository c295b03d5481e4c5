"""Identities at the provider, and that who only has one is a person and no machine account."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.domain.identity_provider import IdentityProvider
from registry.models import Event, Namespace, User
from registry.services.accounts import identities, recovery, resets, tokens, usernames, users
from registry.services.accounts.provider_client import ProvenIdentity
from registry.services.core import current_rights, machine_accounts, permissions
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces.policy_gaps import policy_gap

pytestmark = pytest.mark.django_db
ISSUER = "https://id.example.org"
PASSWORD = "correct horse battery"
ADA = ProvenIdentity(ISSUER, "248", username="ada.lovelace")


@pytest.fixture(autouse=True)
def provider(settings: Any) -> None:
    settings.IDENTITY_PROVIDER = IdentityProvider(ISSUER, "registry", "secret", "Example Id")


@pytest.fixture
def ada() -> User:
    """Return somebody who only has an identity, and has not confirmed an address yet."""
    return identities.sign_up("ada", email="", identity=ADA)


@pytest.fixture
def robot() -> User:
    return User.objects.create_user("robot")


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss", password=PASSWORD)


def sure(user: User) -> Actor:
    return Actor(user, is_confirmed=True)


def refusal(act: Callable[[], object]) -> Refused:
    before = (Event.objects.count(), SocialAccount.objects.count())
    with pytest.raises(Refused) as refused:
        act()
    assert (Event.objects.count(), SocialAccount.objects.count()) == before
    return refused.value


def test_an_identity_belongs_to_one_account(ada: User) -> None:
    bob = users.sign_up("bob", password=PASSWORD)
    assert refusal(lambda: identities.connect(ADA, actor=sure(bob))).detail == identities.TAKEN
    assert refusal(lambda: identities.connect(ADA, actor=sure(ada))).code is Code.CONFLICT
    again = refusal(lambda: identities.sign_up("eve", email="", identity=ADA))
    assert again.detail == identities.TAKEN
    assert not User.objects.filter(username="eve").exists()


def test_same_subject_of_another_provider_is_somebody_else(ada: User) -> None:
    bob = users.sign_up("bob", password=PASSWORD)
    identities.connect(ProvenIdentity("https://other.example", "248"), actor=sure(bob))
    assert [row.user for row in SocialAccount.objects.order_by("pk")] == [ada, bob]


def test_a_wrong_username_leaves_no_identity() -> None:
    fault = refusal(lambda: identities.sign_up("Ada L", email="", identity=ADA))
    assert fault.code is Code.REQUEST_INVALID


def test_identities_change_only_after_who_one_is_was_confirmed(ada: User) -> None:
    other = ProvenIdentity(ISSUER, "9")
    assert refusal(lambda: identities.connect(other, actor=Actor(ada))).code is Code.FORBIDDEN
    row = identities.identities_of(ada).get()
    assert refusal(lambda: identities.remove(row, actor=Actor(ada))).code is Code.FORBIDDEN


def test_nobody_removes_the_identity_of_somebody_else(ada: User, boss: User) -> None:
    row = identities.identities_of(ada).get()
    assert refusal(lambda: identities.remove(row, actor=sure(boss))).code is Code.CONFLICT


def test_the_last_way_in_is_not_removed(ada: User) -> None:
    row = identities.identities_of(ada).get()
    assert refusal(lambda: identities.remove(row, actor=sure(ada))).detail == identities.LAST_WAY
    identities.connect(ProvenIdentity("https://former.example", "1"), actor=sure(ada))
    assert identities.is_last_way(ada, row), "one at a former provider opens nothing"
    identities.connect(ProvenIdentity(ISSUER, "9"), actor=sure(ada))
    identities.remove(row, actor=sure(ada))
    assert refusal(lambda: identities.remove(row, actor=sure(ada))).code is Code.CONFLICT


def test_without_a_provider_no_identity_opens_an_account(ada: User, settings: Any) -> None:
    settings.IDENTITY_PROVIDER = None
    assert not identities.current_identities(ada).exists()
    assert identities.identities_of(ada).exists()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ada", "ada"),
        ("Ada.Lovelace@example.org", "ada.lovelace"),
        ("Ada Lovelace", "ada-lovelace"),
        ("Jos\N{LATIN SMALL LETTER E WITH ACUTE}", "jose"),
        ("x" * 50, "x" * 40),
        *((text, "") for text in ("", "ab", "@example.org", "root", "\N{HIRAGANA LETTER A}")),
    ],
)
def test_username_is_suggested_by_the_rules(text: str, name: str) -> None:
    assert usernames.suggested_username(text) == name


def test_an_identity_makes_a_person(ada: User, robot: User) -> None:
    assert not machine_accounts.is_machine(ada)
    assert machine_accounts.is_machine(robot)
    with_password = users.sign_up("bob", password=PASSWORD)
    assert not machine_accounts.is_machine(with_password)
    User.objects.filter(pk=robot.pk).update(last_login=timezone.now())
    assert not machine_accounts.is_machine(robot), "somebody has signed in once"


def issue(owner: User, by: User) -> str:
    return tokens.issue_token(
        owner, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=sure(by)
    )


def test_staff_issues_tokens_for_machines_only(ada: User, robot: User, boss: User) -> None:
    assert "ada is a person" in refusal(lambda: issue(ada, boss)).detail
    assert issue(robot, boss)


def test_staff_sets_no_password_of_a_person(ada: User, robot: User, boss: User) -> None:
    taken = refusal(lambda: users.set_password(ada, PASSWORD, actor=Actor(boss)))
    assert "Somebody signs in as ada" in taken.detail
    users.set_password(robot, PASSWORD, actor=Actor(boss))


def test_a_person_can_be_reset_and_a_machine_not(ada: User, robot: User, boss: User) -> None:
    code, _ = resets.begin_reset(ada, reason="she asked", actor=Actor(boss))
    assert code
    needless = refusal(lambda: resets.begin_reset(robot, reason="x", actor=Actor(boss)))
    assert "Nobody has signed in as robot" in needless.detail


def test_a_person_confirms_and_a_machine_has_nothing_to_enter(ada: User, robot: User) -> None:
    assert refusal(lambda: recovery.make_key(actor=Actor(ada))).code is Code.FORBIDDEN
    permissions.refuse_unconfirmed(Actor(robot))


def test_a_person_needs_a_second_factor_as_owner(ada: User, robot: User) -> None:
    lacking = {user: current_rights.read(user, None, []) for user in (ada, robot)}
    assert [rights and rights.lacks_factor for rights in lacking.values()] == [True, False]


def test_staff_with_an_identity_can_review(
    acme: Namespace, alice: User, ada: User, settings: Any
) -> None:
    acme.policy = "four-eyes"
    User.objects.filter(username="ada").update(is_staff=True)
    gap = policy_gap(acme)
    assert gap
    assert gap.people == 2
    settings.IDENTITY_PROVIDER = None
    gap = policy_gap(acme)
    assert gap
    assert gap.people == 1
