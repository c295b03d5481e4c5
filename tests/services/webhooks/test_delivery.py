"""What a receiver gets of a namespace's events, and what it does not."""

import base64
import hashlib
import hmac
import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from registry.domain.webhooks import schedule
from registry.models import Event, Namespace, Notice, Role, User, Webhook, WebhookDelivery
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.notices import reader
from registry.services.webhooks import delivery, events, registration
from registry.services.webhooks.events import body_of
from registry.services.work.webhook_posting import WebhookPosting
from tests.publishing import WITHOUT_LINTS as CPU, publish, yank
from tests.receiver import Receiver
from tests.services.webhooks.conftest import Work

pytestmark = pytest.mark.django_db


def op(user: User) -> Actor:
    return Actor.operator(user)


def types(receiver: Receiver) -> list[str]:
    return [message["type"] for message in receiver.messages]


def resume() -> None:
    """Let the pause after a failure end."""
    Webhook.objects.update(paused_until=timezone.now())


class TestReceived:
    def test_events_arrive_in_order_each_once(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        publish("acme/board", CPU)
        yank("acme/board@1.0.0")
        work()
        work()
        assert types(receiver) == ["version.published", "version.yanked"]
        assert receiver.messages[1]["data"]["detail"]["reason"] == "wrong figures"
        assert len(set(receiver.ids)) == 2

    def test_event_is_unread_until_it_waits_for_its_webhooks(self, webhook: Webhook) -> None:
        assert not events.has_unread_events()
        publish("acme/board", CPU)
        assert events.has_unread_events()
        events.read_events()
        assert not events.has_unread_events()

    def test_message_is_signed(
        self, added: tuple[Webhook, str], webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        publish("acme/board", CPU)
        work()
        (headers,), (body,) = receiver.headers, receiver.bodies
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        key = base64.b64decode(added[1].removeprefix("whsec_"))
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{expected}"
        assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
        assert headers["content-type"] == "application/json"

    def test_body_is_the_event_of_the_api(
        self, webhook: Webhook, receiver: Receiver, work: Work, client: Any
    ) -> None:
        publish("acme/board", CPU)
        work()
        (message,) = receiver.messages
        number = message["data"]["number"]
        (event,) = client.get(f"/api/v1/events?after={number - 1}").json()["results"]
        assert message["data"] == event
        assert message["timestamp"] == event["created"]

    def test_failed_attempt_is_repeated_with_the_same_id_and_body(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        publish("acme/board", CPU)
        receiver.status = 500
        work()
        work()  # paused
        assert len(receiver.ids) == 1
        receiver.status = 200
        resume()
        work()
        first, second = receiver.ids
        assert first == second
        assert receiver.bodies[0] == receiver.bodies[1]
        row = WebhookDelivery.objects.get()
        assert (row.attempts, row.status, row.reason, row.waits) == (2, 200, "", False)
        webhook.refresh_from_db()
        assert (webhook.failures, webhook.failing_since) == (0, None)

    def test_later_events_wait_for_the_one_that_failed(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        receiver.status = 503
        publish("acme/board", CPU)
        yank("acme/board@1.0.0")
        work()
        receiver.status = 200
        resume()
        work()
        assert types(receiver) == ["version.published"] * 2 + ["version.yanked"]

    def test_pauses_grow(self, webhook: Webhook, receiver: Receiver, work: Work) -> None:
        receiver.status = 500
        publish("acme/board", CPU)
        pauses = []
        for _ in range(3):
            work()
            webhook.refresh_from_db()
            assert webhook.paused_until
            pauses.append(round((webhook.paused_until - timezone.now()).total_seconds()))
            resume()
        assert pauses == pytest.approx([5, 60, 300], abs=2)

    def test_redelivery_has_the_same_id(
        self, webhook: Webhook, receiver: Receiver, work: Work, alice: User
    ) -> None:
        publish("acme/board", CPU)
        work()
        row = WebhookDelivery.objects.get()
        registration.redeliver(webhook, row.pk, actor=op(alice))
        work()
        assert receiver.ids == [row.message_id] * 2

    def test_one_that_fails_does_not_hold_another(
        self, webhook: Webhook, receiver: Receiver, work: Work, acme: Namespace, alice: User
    ) -> None:
        other, _ = registration.add_webhook(acme, url="https://other.example.org/", actor=op(alice))
        Webhook.objects.filter(pk=other.pk).update(url="http://127.0.0.1:9/")
        publish("acme/board", CPU)
        work()
        assert "version.published" in types(receiver)
        assert Webhook.objects.get(pk=other.pk).failures == 1


class TestNotReceived:
    def test_events_of_other_namespaces(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        publish("nvidia/board", CPU)
        work()
        assert receiver.messages == []

    def test_events_before_the_webhook(
        self, acme: Namespace, receiver: Receiver, work: Work, alice: User
    ) -> None:
        publish("acme/board", CPU)
        work()
        registration.add_webhook(acme, url="https://hooks.example.org/", actor=op(alice))
        Webhook.objects.update(url=receiver.url)
        work()
        assert types(receiver) == ["webhook.added"]

    def test_private_events(
        self, webhook: Webhook, receiver: Receiver, work: Work, alice: User
    ) -> None:
        tokens.issue_token(alice, label="ci", scopes={"propose"}, pattern="acme", actor=op(alice))
        work()
        assert receiver.messages == []

    def test_events_after_it_is_removed(
        self, webhook: Webhook, receiver: Receiver, work: Work, alice: User
    ) -> None:
        publish("acme/board", CPU)
        registration.remove_webhook(webhook, actor=op(alice))
        work()
        assert receiver.messages == []

    def test_anything_while_it_is_disabled(
        self, webhook: Webhook, receiver: Receiver, work: Work, alice: User
    ) -> None:
        Webhook.objects.update(disabled=timezone.now())
        publish("acme/board", CPU)
        work()
        registration.enable_webhook(webhook, actor=op(alice))
        work()
        assert types(receiver) == ["webhook.enabled"]
        missed = WebhookDelivery.objects.get(event__action="version.published")
        assert (missed.waits, missed.attempts) == (False, 0), "it is in the log, to be delivered"
        registration.redeliver(webhook, missed.pk, actor=op(alice))
        work()
        assert types(receiver) == ["webhook.enabled", "version.published"]

    def test_what_was_read_while_it_was_given_up(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        publish("acme/board", CPU)
        events.read_events()
        Webhook.objects.update(disabled=timezone.now())
        work()
        assert WebhookDelivery.objects.filter(waits=True).exists()
        assert receiver.messages == []

    def test_loopback_with_the_rule_of_the_worker(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        publish("acme/board", CPU)
        events.read_events()
        WebhookPosting().run(lambda: True)
        assert receiver.messages == []
        row = WebhookDelivery.objects.get()
        assert row.reason == "the host is not on the public internet"

    def test_message_without_a_readable_secret(
        self, webhook: Webhook, receiver: Receiver, work: Work, settings: Any
    ) -> None:
        publish("acme/board", CPU)
        settings.SECRET_KEY = "another" * 10
        work()
        assert receiver.messages == []
        assert "another SECRET_KEY" in WebhookDelivery.objects.get().reason


class TestGivenUp:
    @pytest.fixture
    def failing(self, webhook: Webhook, receiver: Receiver) -> Webhook:
        """Let the webhook fail for nearly five days."""
        receiver.status = 500
        since = timezone.now() - schedule.GIVEN_UP_AFTER + timedelta(hours=1)
        Webhook.objects.update(failing_since=since, failures=20)
        publish("acme/board", CPU)
        return webhook

    def test_it_is_tried_for_days(self, failing: Webhook, receiver: Receiver, work: Work) -> None:
        work()
        failing.refresh_from_db()
        assert failing.disabled is None

    def test_then_it_is_disabled_and_owners_hear_of_it(
        self, failing: Webhook, receiver: Receiver, work: Work, alice: User, acme: Namespace
    ) -> None:
        carol = User.objects.create_user("carol")
        members.grant_role(acme, carol, Role.CURATOR, actor=op(alice))
        while reader.read_events():
            pass
        Notice.objects.all().delete()
        Webhook.objects.update(failing_since=timezone.now() - schedule.GIVEN_UP_AFTER)
        work()
        failing.refresh_from_db()
        assert failing.disabled
        assert Event.objects.latest("number").action == "webhook.disabled"
        while reader.read_events():
            pass
        heard = Notice.objects.filter(event__action="webhook.disabled")
        assert [notice.user for notice in heard] == [alice], "who added it, too; no curator"
        assert not WebhookDelivery.objects.filter(waits=True).exists()
        posts = len(receiver.messages)
        publish("acme/other", CPU)
        work()
        assert len(receiver.messages) == posts

    def test_receiver_that_is_gone_ends_it(
        self, webhook: Webhook, receiver: Receiver, work: Work
    ) -> None:
        receiver.status = 410
        publish("acme/board", CPU)
        work()
        webhook.refresh_from_db()
        assert webhook.disabled

    def test_success_in_between_begins_the_days_anew(
        self, failing: Webhook, receiver: Receiver, work: Work
    ) -> None:
        receiver.status = 200
        work()
        failing.refresh_from_db()
        assert (failing.failing_since, failing.failures) == (None, 0)


def test_redaction_reaches_what_is_posted_again(webhook: Webhook, work: Work) -> None:
    publish("acme/board", CPU)
    yank("acme/board@1.0.0", "a secret")
    event = Event.objects.select_related("actor").latest("number")
    event.detail = event.detail.replace("a secret", "…")
    assert b"a secret" not in body_of(event)


def test_old_deliveries_are_forgotten_but_not_what_waits(
    webhook: Webhook, receiver: Receiver, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("acme/board", CPU)
    work()
    assert delivery.forget_old(10) == 0
    monkeypatch.setattr(delivery, "KEPT", timedelta(seconds=-60))
    WebhookDelivery.objects.update(waits=True)
    assert delivery.forget_old(10) == 0
    WebhookDelivery.objects.update(waits=False)
    assert delivery.forget_old(10) == 1
