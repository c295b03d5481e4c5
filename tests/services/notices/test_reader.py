"""Who hears of an event, and who does not."""

import json

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag
from registry.models import (
    Event,
    LogCursor,
    Membership,
    Namespace,
    Notice,
    Policy,
    Proposal,
    Role,
    User,
    Version,
)
from registry.services.accounts import tokens, users
from registry.services.core import request_ids
from registry.services.core.permissions import Actor
from registry.services.event_log import reading
from registry.services.event_log.appending import append_event, last_event_number
from registry.services.namespaces import discussion, members, namespaces, readmes, requests
from registry.services.notices import reader, watching
from registry.services.notices.sentences import notice_texts
from registry.services.proposals import review, submission
from registry.services.tags import deprecation, renaming
from registry.services.versions import families, rebasing
from tests.publishing import WITHOUT_LINTS as CPU, propose, publish, yank
from tests.requests import claim, request_namespace
from tests.services.notices.conftest import News
from tests.services.proposals.test_submission import revise

pytestmark = pytest.mark.django_db


def op(user: User) -> Actor:
    return Actor.operator(user)


def submit(tag: str, user: User) -> Proposal:
    """Submit a proposal as somebody who needs a second person under four-eyes."""
    source = json.dumps(CPU)
    return submission.propose(Tag.parse(tag), source, message="", base=None, actor=Actor(user))


def last_notice(user: User) -> Notice:
    return Notice.objects.filter(user=user).select_related("event").latest("event")


class TestProposals:
    def test_curators_hear_of_a_proposal_and_its_submitter_does_not(
        self, news: News, alice: User, carol: User, bob: User
    ) -> None:
        news()
        propose("acme/board", CPU, by="bob")
        assert news() == [
            ("alice", "proposal.submitted", "review"),
            ("carol", "proposal.submitted", "review"),
        ]

    def test_curator_who_proposes_hears_nothing_of_it(self, news: News, carol: User) -> None:
        news()
        propose("acme/board", CPU, by="carol")
        assert news() == [("alice", "proposal.submitted", "review")]

    def test_proposal_that_its_submitter_approves_is_one_notice(
        self, news: News, acme: Namespace, carol: User, bob: User
    ) -> None:
        Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
        news()
        number = submit("acme/board", carol).pk
        assert news() == [("alice", "proposal.submitted", "review")]
        revise(number, CPU | {"num-cores": 8}, actor=Actor(carol))
        assert news() == [("alice", "proposal.revised", "review")]
        other = submit("acme/other", bob).pk
        review.accept(other, seen=1, actor=Actor(carol))
        assert news() == [
            ("alice", "proposal.submitted", "review"),
            ("carol", "proposal.submitted", "review"),
            ("alice", "proposal.approved", "review"),
            ("bob", "proposal.approved", "proposal"),
        ]

    def test_staff_hears_of_proposals_where_nobody_curates(self, news: News, bob: User) -> None:
        User.objects.create_user("dave", is_staff=True)
        User.objects.create_user("erin", is_staff=True, is_active=False)
        propose("nvidia/board", CPU, by="bob")
        assert news() == [("dave", "proposal.submitted", "review")]

    def test_staff_does_not_hear_of_proposals_that_curators_review(
        self, news: News, bob: User
    ) -> None:
        User.objects.create_user("dave", is_staff=True)
        propose("acme/board", CPU, by="bob")
        assert news() == [("alice", "proposal.submitted", "review")]

    def test_submitter_hears_of_each_step_of_others(
        self, news: News, alice: User, bob: User
    ) -> None:
        row = propose("acme/board", CPU, by="bob")
        news()
        timeline_steps = [
            lambda: review.comment(row.pk, text="Why?", actor=op(alice)),
            lambda: review.request_changes(row.pk, seen=1, text="More.", actor=op(alice)),
            lambda: review.reject(row.pk, seen=1, text="No.", actor=op(alice)),
        ]
        for step in timeline_steps:
            step()
        assert news() == [
            ("bob", "proposal.commented", "proposal"),
            ("bob", "proposal.changes_asked", "proposal"),
            ("bob", "proposal.rejected", "proposal"),
        ]

    def test_acceptance_is_one_notice_for_the_submitter(
        self, news: News, alice: User, carol: User, bob: User
    ) -> None:
        row = propose("acme/board", CPU, by="bob")
        news()
        review.accept(row.pk, seen=1, actor=op(alice))
        assert news() == [
            ("carol", "version.published", "watched"),
            ("bob", "proposal.accepted", "proposal"),
        ]

    def test_answer_reaches_the_curator_who_asked_and_no_other(
        self, news: News, alice: User, carol: User, bob: User
    ) -> None:
        row = propose("acme/board", CPU, by="bob")
        review.comment(row.pk, text="Why?", actor=op(carol))
        news()
        review.comment(row.pk, text="Because.", actor=op(bob))
        assert news() == [("carol", "proposal.commented", "review")]

    def test_stranger_who_commented_hears_nothing_more(
        self, news: News, alice: User, bob: User
    ) -> None:
        row = propose("acme/board", CPU, by="bob")
        stranger = User.objects.create_user("stranger")
        review.comment(row.pk, text="Nice.", actor=op(stranger))
        news()
        review.comment(row.pk, text="Thanks.", actor=op(bob))
        assert news() == []

    def test_requester_and_staff_hear_of_requests_for_namespaces(
        self, news: News, bob: User
    ) -> None:
        dave = User.objects.create_user("dave", is_staff=True)
        number = request_namespace("initrode", bob).pk
        assert news() == [("dave", "request.submitted", "review")]
        requests.accept(number, text="", actor=op(dave))
        assert ("bob", "request.accepted", "proposal") in news()

    def test_comment_on_a_request_reaches_the_other_side(
        self, news: News, alice: User, bob: User
    ) -> None:
        dave, erin = (User.objects.create_user(name, is_staff=True) for name in ("dave", "erin"))
        number = claim("acme", bob).pk  # of which Alice is an owner
        news()
        discussion.comment(number, text="Who are you?", actor=op(dave))
        assert news() == [("bob", "request.commented", "proposal")]
        sentence = notice_texts([last_notice(bob)])[0]
        assert sentence.sentence == "dave commented on your request for the namespace acme."
        assert sentence.path == f"/namespace-requests/{number}"
        discussion.comment(number, text="Acme.", actor=op(bob))
        assert news() == [("dave", "request.commented", "review")]
        sentence = notice_texts([last_notice(dave)])[0]
        assert sentence.sentence == "bob commented on the request for the namespace acme."
        discussion.comment(number, text="I see.", actor=op(erin))
        assert news() == [
            ("bob", "request.commented", "proposal"),
            ("dave", "request.commented", "review"),
        ]


class TestWatching:
    def test_author_hears_of_versions_by_others(self, news: News, alice: User, bob: User) -> None:
        publish("nvidia/board", CPU, actor=bob)
        news()
        publish("nvidia/board", CPU | {"num-cores": 8}, actor=alice)
        yank("nvidia/board@2.0.0")
        deprecation.deprecate(Tag.parse("nvidia/board"), reason="old", actor=op(alice))
        assert news() == [
            ("bob", "version.published", "watched"),
            ("bob", "version.yanked", "watched"),
            ("bob", "tag.deprecated", "watched"),
        ]

    def test_curator_hears_of_the_namespace_and_member_does_not(
        self, news: News, acme: Namespace, alice: User, carol: User, bob: User
    ) -> None:
        members.grant_role(acme, bob, Role.MEMBER, actor=op(alice))
        news()
        publish("acme/board", CPU)
        assert news() == [("carol", "version.published", "watched")]

    def test_readme_is_no_news(
        self, news: News, acme: Namespace, alice: User, carol: User, bob: User
    ) -> None:
        watching.watch("acme", actor=op(bob))
        news()
        readmes.write(acme, text="Boards", seen=0, actor=op(alice))
        assert news() == []

    def test_own_deeds_are_no_news(self, news: News, alice: User) -> None:
        watching.watch("acme", actor=op(alice))
        publish("acme/board", CPU)
        yank("acme/board@1.0.0")
        assert news() == []

    def test_nobody_else_hears(self, news: News, bob: User) -> None:
        publish("acme/board", CPU)
        assert news() == []

    @pytest.mark.parametrize("name", ["acme/board", "acme"])
    def test_watcher_hears_until_they_stop(self, news: News, bob: User, name: str) -> None:
        publish("acme/board", CPU)
        news()
        watching.watch(name, actor=op(bob))
        publish("acme/board", CPU | {"num-cores": 8})
        assert news() == [("bob", "version.published", "watched")]
        watching.stop_watching(name, actor=op(bob))
        publish("acme/board", CPU | {"num-cores": 9})
        assert news() == []

    def test_watcher_of_a_tag_hears_of_no_other(self, news: News, bob: User) -> None:
        publish("acme/board", CPU)
        watching.watch("acme/board", actor=op(bob))
        news()
        publish("acme/board-2", CPU)
        publish("acme/board:aot", CPU)
        assert news() == []

    def test_watcher_of_a_family_hears_of_its_members(
        self, news: News, alice: User, bob: User
    ) -> None:
        publish("acme/series", CPU)
        families.set_family(Tag.parse("acme/series"), is_family=True, actor=op(alice))
        watching.watch("acme/series", actor=op(bob))
        news()
        publish("acme/one", {"tag": "acme/series", "num-cores": 2})
        publish("acme/other", CPU | {"num-cores": 3})
        assert news() == [("bob", "version.published", "watched")]
        assert last_notice(bob).event.subject == "acme/one@1.0.0"

    def test_watcher_of_a_family_hears_that_the_only_version_is_yanked(
        self, news: News, alice: User, bob: User
    ) -> None:
        publish("acme/series", CPU)
        families.set_family(Tag.parse("acme/series"), is_family=True, actor=op(alice))
        publish("acme/one", {"tag": "acme/series", "num-cores": 2})
        publish("acme/other", CPU | {"num-cores": 3})
        watching.watch("acme/series", actor=op(bob))
        news()
        yank("acme/one@1.0.0")
        yank("acme/other@1.0.0")
        assert news() == [("bob", "version.yanked", "watched")]
        assert watching.watches("acme/one", bob)
        assert not watching.watches("acme/other", bob)

    def test_author_hears_that_others_have_rebased_the_tag(
        self, news: News, alice: User, bob: User
    ) -> None:
        publish("acme/parent", CPU)
        publish("acme/child", {"tag": "acme/parent", "num-cores": 2}, actor=bob)
        publish("acme/parent", CPU | {"mcpu": "skylake"})
        news()
        rebasing.rebase(rebasing.plan_updates([Tag.parse("acme/child")]), actor=op(alice))
        assert Version.objects.latest("pk").author == bob
        assert news() == [("bob", "version.published", "watched")]

    def test_author_and_curator_can_stop(
        self, news: News, alice: User, carol: User, bob: User
    ) -> None:
        publish("acme/board", CPU, actor=bob)
        watching.stop_watching("acme/board", actor=op(bob))
        watching.stop_watching("acme", actor=op(carol))
        news()
        publish("acme/board", CPU | {"num-cores": 8})
        assert news() == []

    def test_curator_who_stopped_one_tag_hears_of_the_others(self, news: News, carol: User) -> None:
        publish("acme/board", CPU)
        watching.stop_watching("acme/board", actor=op(carol))
        news()
        publish("acme/board", CPU | {"num-cores": 8})
        publish("acme/other", CPU)
        assert news() == [("carol", "version.published", "watched")]
        assert last_notice(carol).event.subject == "acme/other@1.0.0"

    def test_curator_who_left_hears_nothing(
        self, news: News, acme: Namespace, alice: User, carol: User
    ) -> None:
        members.revoke_membership(acme, carol, actor=op(alice))
        news()
        publish("acme/board", CPU)
        propose("acme/board", CPU | {"num-cores": 8}, by="bob")
        assert [row for row in news() if row[0] == "carol"] == []

    def test_closed_account_hears_nothing(self, news: News, bob: User) -> None:
        publish("acme/board", CPU)
        watching.watch("acme/board", actor=op(bob))
        User.objects.filter(pk=bob.pk).update(is_active=False)
        news()
        publish("acme/board", CPU | {"num-cores": 8})
        assert news() == []

    def test_renaming_is_one_notice(self, news: News, alice: User, carol: User, bob: User) -> None:
        publish("acme/board", CPU)
        watching.watch("acme/board", actor=op(bob))
        news()
        renaming.rename_tag(
            Tag.parse("acme/board"), Tag.parse("acme/new"), reason="typo", actor=op(alice)
        )
        assert news() == [
            ("bob", "tag.deprecated", "watched"),
            ("carol", "tag.deprecated", "watched"),
        ]

    def test_many_alike_events_of_one_command_are_one_notice(
        self, news: News, carol: User, bob: User
    ) -> None:
        news()
        for number, name in enumerate(("one", "two", "three")):
            publish(f"acme/{name}", CPU | {"num-cores": number + 1})
        read = news()
        assert [row[0] for row in read].count("carol") <= 2, "two if the minute has ended"
        notices = Notice.objects.filter(user=carol)
        assert sum(1 + notice.more_events for notice in notices) == 3

    def test_alike_events_are_one_notice_whatever_is_between_them(
        self, news: News, alice: User, bob: User
    ) -> None:
        publish("nvidia/board", CPU, actor=bob)
        publish("acme/board", CPU, actor=bob)
        news()
        with request_ids.request_context("request-one"):
            for number in range(2, 5):
                for name in ("acme/board", "nvidia/board"):
                    publish(name, CPU | {"num-cores": number}, actor=alice)
        news()
        notices = Notice.objects.filter(user=bob).order_by("event")
        told = [(notice.event.subject, notice.more_events) for notice in notices]
        assert told == [("acme/board@2.0.0", 2), ("nvidia/board@2.0.0", 2)]


class TestInheritance:
    def test_author_hears_that_a_tag_is_outdated(self, news: News, bob: User) -> None:
        publish("acme/base", CPU)
        publish("nvidia/one", {"tag": "acme/base", "num-cores": 2}, actor=bob)
        publish("nvidia/two", {"tag": "acme/base", "num-cores": 3}, actor=bob)
        news()
        publish("acme/base", CPU | {"mcpu": "znver3"})
        assert news() == [("bob", "version.published", "inherited")]
        notice = last_notice(bob)
        assert (notice.via, notice.more_tags) == ("nvidia/one", 1)

    def test_reference_to_another_line_is_not_outdated(self, news: News, bob: User) -> None:
        publish("acme/base", CPU)
        publish("nvidia/one", {"tag": "acme/base@1", "num-cores": 2}, actor=bob)
        publish("nvidia/two", {"tag": "acme/base@1.0.0", "num-cores": 2}, actor=bob)
        news()
        publish("acme/base", CPU | {"mcpu": "znver3"})
        assert Event.objects.latest("number").subject == "acme/base@2.0.0"
        assert news() == []

    def test_author_hears_that_a_version_is_yanked_on_which_a_pin_rests(
        self, news: News, bob: User
    ) -> None:
        publish("acme/base", CPU)
        publish("nvidia/one", {"tag": "acme/base@1.0.0", "num-cores": 2}, actor=bob)
        publish("acme/base", CPU | {"mcpu": "znver3"})
        publish("nvidia/late", {"tag": "acme/base", "num-cores": 2}, actor=bob)
        news()
        yank("acme/base@1.0.0")
        assert news() == [("bob", "version.yanked", "inherited")]
        assert (last_notice(bob).via, last_notice(bob).more_tags) == ("nvidia/one", 0)

    def test_author_of_an_older_version_only_hears_nothing(self, news: News, bob: User) -> None:
        publish("acme/base", CPU)
        publish("nvidia/one", {"tag": "acme/base", "num-cores": 2}, actor=bob)
        publish("nvidia/one", CPU | {"num-cores": 64}, actor=bob)
        news()
        publish("acme/base", CPU | {"mcpu": "znver3"})
        assert news() == []


class TestSecurity:
    def test_owners_and_the_account_hear_of_a_new_member(
        self, news: News, acme: Namespace, alice: User, carol: User, bob: User
    ) -> None:
        erin = User.objects.create_user("erin")
        members.grant_role(acme, erin, Role.OWNER, actor=op(alice))
        news()
        members.grant_role(acme, bob, Role.MEMBER, actor=op(alice))
        assert news() == [
            ("bob", "member.granted", "security"),
            ("erin", "member.granted", "security"),
        ]
        members.revoke_membership(acme, bob, actor=op(alice))
        assert news() == [
            ("bob", "member.revoked", "security"),
            ("erin", "member.revoked", "security"),
        ]

    def test_owners_hear_of_a_members_token_for_their_namespace(
        self, news: News, acme: Namespace, alice: User, carol: User
    ) -> None:
        news()
        issue(carol, "acme")
        assert news() == [("alice", "token.issued", "security")]

    @pytest.mark.parametrize("pattern", ["nvidia", "acme"])
    def test_owners_do_not_hear_of_other_tokens(
        self, news: News, carol: User, bob: User, pattern: str
    ) -> None:
        news()
        issue(carol if pattern == "nvidia" else bob, pattern)
        assert news() == []

    def test_account_hears_what_others_do_to_it(self, news: News, alice: User, bob: User) -> None:
        root = User.objects.create_superuser("root")
        news()
        users.set_password(bob, "correct horse battery", actor=op(root))
        prefix = issue(bob, "acme")
        tokens.revoke_token(prefix, actor=op(root))
        assert news() == [
            ("bob", "account.password_set", "security"),
            ("bob", "token.revoked", "security"),
        ]

    def test_nobody_hears_what_accounts_do_to_themselves(self, news: News, bob: User) -> None:
        users.set_password(bob, "correct horse battery", actor=op(bob))
        users.record_factor_added(bob, "totp")
        users.record_email_change(bob)
        issue(bob, "acme")
        assert news() == []

    def test_owners_hear_of_the_policy(
        self, news: News, acme: Namespace, alice: User, carol: User
    ) -> None:
        erin = User.objects.create_user("erin", is_staff=True)
        news()
        namespaces.set_policy(acme, Policy.CURATORS, actor=op(erin))
        assert news() == [("alice", "namespace.policy_set", "security")]


def issue(owner: User, pattern: str) -> str:
    """Issue a token for oneself; return its prefix."""
    actor = Actor(owner, is_operator=True)
    text = tokens.issue_token(owner, label="ci", scopes={"propose"}, pattern=pattern, actor=actor)
    return text.split("_")[1]


class TestReading:
    def test_event_is_read_once(self, news: News, carol: User) -> None:
        news()
        publish("acme/board", CPU)
        assert len(news()) == 1
        LogCursor.objects.filter(name=reader.NAME).get(number=last_event_number())
        assert not reader.has_unread_events()
        assert news() == []

    def test_what_is_written_fails_with_the_cursor(
        self, news: News, carol: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        news()
        publish("acme/board", CPU)
        with monkeypatch.context() as patch:
            patch.setattr(reader.mail_queue, "queue", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError), transaction.atomic():
                reader.read_events()
        assert not Notice.objects.filter(event__action="version.published").exists()
        assert news() == [("carol", "version.published", "watched")]

    def test_slower_of_two_readers_writes_nothing(self, news: News, carol: User) -> None:
        news()
        publish("acme/board", CPU)

        def prepare(_events: object) -> reading.Write:
            reader.read_events()  # another process is faster
            return lambda: pytest.fail("this was written twice")

        assert reading.read_on(reader.NAME, prepare)

    def test_rolled_back_write_is_no_news(self, news: News, carol: User, alice: User) -> None:
        news()
        with transaction.atomic():
            publish("acme/board", CPU)
            transaction.set_rollback(True)
        assert news() == []

    def test_event_of_which_nobody_hears_is_passed(self, news: News, alice: User) -> None:
        append_event("log.key_rotated", "origin", actor=alice, namespace="")
        assert news() == []
        assert not reader.has_unread_events()


def test_role_that_was_lost_hides_the_notice(
    news: News, acme: Namespace, alice: User, carol: User, bob: User
) -> None:
    news()
    propose("acme/board", CPU, by="bob")
    news()
    assert Notice.objects.of(carol).count() == 1
    Membership.objects.filter(user=carol).update(role=Role.MEMBER)
    assert Notice.objects.of(carol).count() == 0
    Membership.objects.filter(user=carol).delete()
    assert Notice.objects.of(carol).count() == 0
    assert Notice.objects.of(alice).count() == 1


def test_batch_takes_the_same_queries_for_one_event_and_for_many(
    news: News, carol: User, bob: User
) -> None:
    counts = []
    for number in (1, 6):
        news()
        for index in range(number):
            publish(f"acme/board-{number}-{index}", CPU | {"num-cores": index + 1})
        with CaptureQueriesContext(connection) as queries:
            reader.read_events()
        counts.append(len(queries))
    assert counts[0] == counts[1]
