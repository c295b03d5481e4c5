"""The pages of people: what they show of an account, and of which accounts."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag
from registry.models import Namespace, Proposal, User, Version
from registry.services.accounts import closing, profiles
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

CPU = '{"kind": "llvm", "mcpu": "znver3"}'


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("bob", email="bob@example.org")


@pytest.fixture
def propose(acme: Namespace, bob: User) -> Callable[[str], Proposal]:
    def submit(tag: str) -> Proposal:
        return submit_as(bob, tag)

    return submit


def submit_as(user: User, tag: str) -> Proposal:
    return submission.propose(Tag.parse(tag), CPU, message="", base=None, actor=Actor(user))


def written(user: User, limit: int | None = None) -> list[str]:
    """Return the references of all versions, page by page."""
    page = profiles.list_versions(user, limit=limit)
    exact = [version.exact for version in page.rows]
    while page.next_key:
        page = profiles.list_versions(user, after=page.next_key, limit=limit)
        exact += [version.exact for version in page.rows]
    return exact


def test_versions_belong_to_who_wrote_them(
    alice: User, bob: User, propose: Callable[[str], Proposal]
) -> None:
    publish("acme/first", {"kind": "llvm"})
    review.accept(propose("acme/proposed").pk, seen=1, actor=Actor(alice))
    publish("acme/last", {"kind": "llvm"})
    assert Version.objects.get(tag__text="acme/proposed").publisher == alice
    for limit in (None, 1, 2):
        assert written(bob, limit) == ["acme/proposed@1.0.0"]
        assert written(alice, limit) == ["acme/last@1.0.0", "acme/first@1.0.0"]


@pytest.mark.usefixtures("acme")
def test_a_yanked_version_says_so(alice: User) -> None:
    publish("acme/board", {"kind": "llvm"})
    yank("acme/board@1.0.0")
    assert [version.yanked for version in profiles.list_versions(alice).rows] == [True]


def test_profile_has_outcomes_reviews_and_roles(
    alice: User, bob: User, propose: Callable[[str], Proposal]
) -> None:
    review.accept(propose("acme/a").pk, seen=1, actor=Actor(alice))
    review.reject(propose("acme/b").pk, text="No", seen=1, actor=Actor(alice))
    review.withdraw(propose("acme/c").pk, actor=Actor(bob))
    propose("acme/d")
    submitter, reviewer = profiles.profile(bob), profiles.profile(alice)
    assert str(submitter.outcomes) == "1 open, 1 accepted, 1 rejected, 1 withdrawn"
    assert [row.tag for row in submitter.proposals] == ["acme/d", "acme/c", "acme/b", "acme/a"]
    assert submitter.reviews == ()  # to withdraw one's own is no review
    assert [turn.past_tense for turn in reviewer.reviews] == ["rejected", "accepted"]
    assert [(row.namespace.name, row.role) for row in reviewer.roles] == [("acme", "owner")]
    assert str(reviewer.outcomes) == "none"
    assert submitter.roles == ()


def test_accepting_ones_own_proposal_is_no_review(acme: Namespace, alice: User) -> None:
    own = submit_as(alice, "acme/own")
    review.accept(own.pk, seen=1, actor=Actor(alice))
    assert profiles.profile(alice).reviews == ()
    assert written(alice) == ["acme/own@1.0.0"]


def test_profile_takes_six_queries_for_one_version_or_many(acme: Namespace, alice: User) -> None:
    for number in range(3):
        publish(f"acme/board{number}", {"kind": "llvm"})
        with CaptureQueriesContext(connection) as queries:
            profile = profiles.profile(alice)
            assert [version.exact for version in profile.versions.rows]
        assert len(queries) == 6


def test_record_counts_other_proposals_here_and_everywhere(
    bob: User, alice: User, propose: Callable[[str], Proposal]
) -> None:
    review.reject(propose("acme/a").pk, text="No", seen=1, actor=Actor(alice))
    propose("arm/other")
    reviewed = propose("acme/b")
    with CaptureQueriesContext(connection) as queries:
        record = profiles.submitter_record(reviewed)
    assert len(queries) == 1
    assert (str(record.here), str(record.overall)) == ("1 rejected", "1 open, 1 rejected")


@pytest.mark.parametrize("name", ["bob", "BOB", "Bob"])
def test_case_does_not_matter(bob: User, name: str) -> None:
    assert profiles.find_open_account(name) == bob


def test_exact_spelling_comes_first(bob: User) -> None:
    other = User.objects.create_user("Bob")  # by a command: sign-up refuses it
    assert profiles.find_open_account("Bob") == other
    assert profiles.find_open_account("bob") == bob


@pytest.mark.parametrize(
    "name", ["", "bo", "bob ", " bob", "b_b", "b%b", "bob\0", "bob\n", "bob@example.org", "x" * 300]
)
def test_no_other_name_is_found(bob: User, name: str) -> None:
    with pytest.raises(Refused) as refusal:
        profiles.find_open_account(name)
    assert refusal.value.code is Code.USER_UNKNOWN
    assert refusal.value.detail.isprintable()


def test_closed_and_inactive_accounts_have_no_profile(acme: Namespace, bob: User) -> None:
    closing.close_account(actor=Actor(bob), credit="Bob Builder")
    User.objects.create_user("gone", is_active=False)
    for name in ("bob", "Bob Builder", "gone"):
        with pytest.raises(Refused):
            profiles.find_open_account(name)
