"""The words of notices."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from registry.domain.event_log import leaves
from registry.domain.reference import Tag
from registry.models import Namespace, Notice, Policy, Role, User
from registry.services.accounts import tokens, users
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces, requests
from registry.services.notices import (
    inbox,
    review as review_sources,
    security,
    tag_events,
    watching,
)
from registry.services.notices.sentences import SENTENCES
from registry.services.proposals import review
from registry.services.tags import deprecation, renaming
from tests.publishing import WITHOUT_LINTS as CPU, propose, publish, yank
from tests.requests import request_namespace
from tests.services.notices.conftest import News

pytestmark = pytest.mark.django_db

Read = Callable[[User], list[tuple[str, str, str]]]


def op(user: User) -> Actor:
    return Actor.operator(user)


@pytest.fixture
def read(news: News) -> Read:
    """Return a function that returns the new notices of an account: sentence, reason and path."""

    def texts(user: User) -> list[tuple[str, str, str]]:
        news()
        rows = inbox.list_notices(user).rows
        return [(re.sub(r"\d\d+", "N", text.sentence), text.reason, text.path) for text in rows]

    return texts


def test_proposal_from_submission_to_version(
    read: Read, alice: User, carol: User, bob: User
) -> None:
    read(carol)
    number = propose("acme/board", CPU, by="bob").pk
    proposal, path = f"proposal {number} for acme/board", f"/proposals/{number}"
    assert read(carol) == [(f"bob submitted {proposal}. It waits for your review.", "", path)]
    review.request_changes(number, seen=1, text="More.", actor=op(alice))
    assert read(bob) == [(f"alice requested changes to your {proposal}.", "", path)]
    review.accept(number, seen=1, actor=op(alice))
    assert read(bob) == [(f"alice accepted your {proposal}: it is acme/board@1.0.0.", "", path)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"num-cores": 8}, "2.0.0 (MAJOR: some tuning records no longer match)"),
        ({"model": "x"}, "2.0.0 (MAJOR: some tuning records no longer match)"),
        ({"executor": "aot", "runtime": "crt"}, "1.1.0 (MINOR: rebuild, keep the tuning records)"),
        ({"hardware": {"vendor": "Acme"}}, "1.0.1 (PATCH: nothing to do)"),
    ],
)
def test_publication_tells_what_users_have_to_do(
    read: Read, bob: User, change: dict[str, object], words: str
) -> None:
    publish("acme/board", CPU)
    watching.watch("acme/board", actor=op(bob))
    read(bob)
    version = publish("acme/board", CPU | change)
    sentence = f"alice published acme/board@{words}."
    assert read(bob) == [(sentence, "", f"/tags/{version.exact}")]


def test_changes_of_a_watched_tag(read: Read, alice: User, bob: User) -> None:
    publish("acme/board", CPU)
    watching.watch("acme", actor=op(bob))
    read(bob)
    publish("acme/first", CPU | {"num-cores": 3})
    assert read(bob) == [
        ("alice published acme/first@1.0.0, its first version.", "", "/tags/acme/first@1.0.0")
    ]
    yank("acme/board@1.0.0", "wrong figures")
    assert read(bob) == [
        ("alice yanked acme/board@1.0.0.", "wrong figures", "/tags/acme/board@1.0.0")
    ]
    deprecation.deprecate(
        Tag.parse("acme/board"), reason="old", successor=Tag.parse("acme/first"), actor=op(alice)
    )
    assert read(bob) == [
        ("alice deprecated acme/board. Use acme/first instead.", "old", "/tags/acme/board")
    ]
    renaming.rename_tag(
        Tag.parse("acme/first"), Tag.parse("acme/new"), reason="typo", actor=op(alice)
    )
    assert read(bob) == [("alice renamed acme/first to acme/new.", "typo", "/tags/acme/first")]


def test_parents_of_own_tags(read: Read, alice: User, bob: User) -> None:
    publish("acme/base", CPU)
    for name in ("one", "two", "three"):
        publish(f"nvidia/{name}", {"tag": "acme/base", "model": name}, actor=bob)
    read(bob)
    publish("acme/base", CPU | {"mcpu": "znver3"})
    ((sentence, *_),) = read(bob)
    assert sentence.endswith(" Your tags nvidia/one and 2 more are outdated.")
    yank("acme/base@1.0.0")
    ((sentence, *_),) = read(bob)
    assert sentence == (
        "alice yanked acme/base@1.0.0. Your tags nvidia/one and 2 more are made from it."
    )


def test_members_and_tokens(
    read: Read, acme: Namespace, alice: User, carol: User, bob: User
) -> None:
    read(bob)
    members.grant_role(acme, bob, Role.OWNER, actor=op(alice))
    assert read(bob) == [("alice made you an owner of acme.", "", "/namespaces/acme")]
    members.grant_role(acme, carol, Role.MEMBER, actor=op(alice))
    assert read(bob)[0][0] == "alice made carol a member of acme."
    tokens.issue_token(carol, label="ci", scopes={"propose"}, pattern="acme", actor=op(carol))
    assert read(bob) == [("carol issued a token for acme.", "", "/manage/acme")]
    namespaces.set_policy(acme, Policy.CURATORS, actor=op(alice))
    assert read(bob)[0][0] == "alice set the policy of acme to curators."
    members.revoke_membership(acme, bob, actor=op(alice))
    assert read(bob)[0][0] == "alice removed you from acme."


def test_own_account(read: Read, bob: User) -> None:
    root = User.objects.create_superuser("root")
    read(bob)
    users.set_password(bob, "correct horse battery", actor=op(root))
    assert read(bob) == [("root set the password of your account.", "", "/me")]


def test_requests_for_namespaces(read: Read, bob: User) -> None:
    dave = User.objects.create_user("dave", is_staff=True)
    number = request_namespace("initrode", bob).pk
    path = f"/namespace-requests/{number}"
    waits = "bob requested the namespace initrode. It waits for your decision."
    assert read(dave) == [(waits, "", path)]
    requests.accept(number, text="", actor=op(dave))
    assert ("dave accepted your request: you are an owner of initrode.", "", path) in read(bob)


def test_several_events_lead_to_the_log(read: Read, carol: User, bob: User) -> None:
    read(carol)
    publish("acme/one", CPU)
    publish("acme/two", CPU | {"num-cores": 2})
    texts = read(carol)
    if len(texts) == 1:  # both in the same minute
        ((sentence, _, path),) = texts
        assert sentence.endswith("its first version. And 1 more of the same.")
        assert path.startswith("/events?namespace=acme&after=")


def test_every_event_that_is_news_has_a_leaf() -> None:
    news = {
        *(*review_sources.WAITING, *review_sources.COMMENTED, review_sources.REQUESTED),
        *(*security.ACCOUNT, *security.TOKEN, *security.NAMESPACE, *tag_events.ACTIONS),
        *SENTENCES,
    }
    assert news <= set(leaves.MEMBERS)


def test_lists_take_two_queries(
    read: Read, carol: User, alice: User, django_assert_num_queries: Any
) -> None:
    for number in range(5):
        publish(f"acme/board-{number}", CPU | {"num-cores": number + 1})
    deprecation.deprecate(Tag.parse("acme/board-1"), reason="old", actor=op(alice))
    read(carol)
    assert Notice.objects.filter(user=carol).count() >= 2
    with django_assert_num_queries(2):
        inbox.list_notices(carol)
    with django_assert_num_queries(1):
        inbox.count_unread(carol)
