"""Fixtures for tests of the models."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Reference, Tag
from registry.http.sessions import SessionStore
from registry.models import (
    AccountReset,
    Event,
    MailChoice,
    Namespace,
    NewsFeed,
    Notice,
    NoticeMail,
    PendingChange,
    RecoveryKey,
    UsedIdentity,
    User,
    Watch,
    WebhookDelivery,
)
from registry.services.accounts import tokens
from registry.services.core import usage
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.event_log import forks
from registry.services.namespaces import discussion, readmes, trusted_publishers
from registry.services.outbox import queueing
from registry.services.proposals import review, saved_drafts
from registry.services.tags import deprecation
from registry.services.versions import yanking
from registry.services.webhooks import registration
from registry.services.work.leases import Lease
from tests.people import make_acme, make_alice
from tests.publishing import propose, publish, yank
from tests.requests import request_namespace


def make_ways_back(alice: User) -> None:
    """Create a row in each table of ways back into an account."""
    now = timezone.now()
    RecoveryKey.objects.create(user=alice, digest="0" * 64)
    AccountReset.objects.create(
        user=alice, begun_by=alice, digest="0" * 64, valid_from=now, expires=now + timedelta(1)
    )


def tell_news(alice: User) -> None:
    """Create a row in each table of news and webhooks."""
    event = Event.objects.earliest("number")
    notice = Notice.objects.create(user=alice, event=event, kind="watched")
    NoticeMail.objects.create(notice=notice, due=timezone.now())
    MailChoice.objects.create(user=alice, kind="watched", time="daily")
    NewsFeed.objects.create(user=alice)
    Watch.objects.create(user=alice, name="acme", is_on=True)
    webhook, _ = registration.add_webhook(
        make_acme(), url="https://hooks.example.org/", actor=Actor.operator(alice)
    )
    WebhookDelivery.objects.create(webhook=webhook, event=event, message_id="msg_1")


@pytest.fixture(scope="module")
def every_table(module_transaction: None) -> None:
    """Create at least one row in each table, in addition to the catalogue."""
    make_acme()
    alice = make_alice()
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    yank("acme/board@1.0.0")
    deprecation.deprecate(Tag.parse("acme/board"), reason="sold out", actor=Actor.operator(alice))
    yanking.unyank(
        Reference.parse("acme/board@1.0.0"), reason="figures are right", actor=Actor.operator(alice)
    )
    proposed = propose("acme/proposed", {"kind": "llvm", "mcpu": "haswell"}, key="sent once")
    review.accept(proposed.pk, seen=1, actor=Actor.operator(alice))
    SessionStore().save()
    PendingChange.objects.create(
        namespace=Namespace.objects.get(name="acme"),
        kind="policy",
        subject="acme",
        before="four-eyes",
        after="members",
        requested_by=alice,
    )
    request = request_namespace("initech", alice)
    discussion.comment(request.pk, text="please", actor=Actor.operator(alice), key="sent once")
    readmes.write(make_acme(), text="Boards", seen=0, actor=Actor.operator(alice))
    saved_drafts.save_draft(
        {"target": ["{"]}, actor=Actor.operator(alice), tag="acme/drafted", proposal=proposed
    )
    tokens.issue_token(
        alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
    )
    trusted_publishers.register_publisher(
        Namespace.objects.get(name="acme"),
        issuer=GITHUB,
        claims={"repository": "acme/targets", "repository_owner_id": "1"},
        scopes={Scope.PUBLISH},
        pattern="acme",
        actor=Actor.operator(alice),
    )
    UsedIdentity.objects.create(pk="0" * 64, expires=timezone.now())
    queueing.queue_content("password_reset_request", {"email": "bob@example.org"})
    Lease("mail", "this process").take()
    tell_news(alice)
    make_ways_back(alice)
    reason = "restored from Monday's backup"
    forks.fork(reason=reason, despite_no_loss=True, actor=Actor.operator(alice))
    usage.count("acme/board")
    usage.flush()
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
