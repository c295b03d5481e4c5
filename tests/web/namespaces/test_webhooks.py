"""The pages of webhooks."""

import html
import re

import pytest
from django.test import Client
from django.utils import timezone

from registry.models import Event, Namespace, User, Webhook, WebhookDelivery
from registry.services.core.permissions import Actor
from registry.services.webhooks import registration
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

PATH = "/manage/acme/webhooks"
URL = "https://hooks.example.org/x"


@pytest.fixture
def webhook(acme: Namespace, alice: User) -> Webhook:
    return registration.add_webhook(acme, url=URL, actor=Actor.operator(alice))[0]


@pytest.fixture
def posted(webhook: Webhook) -> WebhookDelivery:
    """Return a delivery that failed once and then arrived."""
    return WebhookDelivery.objects.create(
        webhook=webhook,
        event=Event.objects.latest("number"),
        message_id="msg_1",
        waits=False,
        attempts=2,
        attempted=timezone.now(),
        delivered=timezone.now(),
        status=204,
    )


def test_secret_is_shown_once(owner: Client, visit: Visitor, acme: Namespace) -> None:
    response = owner.post(PATH, {"url": URL})
    secret = re.search(r"whsec_[A-Za-z0-9+/=]{44}", response.content.decode())
    assert secret
    assert response["Cache-Control"] == "no-store"
    page = visit(PATH)
    assert URL in page.text
    assert "whsec_" not in page.html
    again = owner.post(PATH, {"url": URL})  # the page is reloaded
    assert again.status_code == 409
    assert Webhook.objects.count() == 1


def test_wrong_url_stays_in_the_form(owner: Client, acme: Namespace) -> None:
    response = owner.post(PATH, {"url": "http://127.0.0.1/"})
    assert response.status_code in {400, 422}
    assert b'value="http://127.0.0.1/"' in response.content
    assert b"an https URL of a public host" in response.content


def test_log_shows_what_was_delivered_and_delivers_it_again(
    owner: Client, visit: Visitor, posted: WebhookDelivery
) -> None:
    path = f"{PATH}/{posted.webhook_id}"
    page = visit(path)
    assert "✓ delivered, status 204" in page.text
    assert "msg_1" in page.text
    response = owner.post(path, {"delivery": str(posted.pk)})
    assert response["Location"] == path
    posted.refresh_from_db()
    assert posted.waits
    assert "waits" in visit(path).text
    assert "Deliver again event" not in visit(path).text


@pytest.mark.parametrize("number", ["", "x", "-1", "²", "9" * 30, "999999"])
def test_wrong_delivery_delivers_nothing(
    owner: Client, posted: WebhookDelivery, number: str
) -> None:
    response = owner.post(f"{PATH}/{posted.webhook_id}", {"delivery": number})
    assert response.status_code == 409
    assert "The log has this delivery no longer." in response.content.decode()
    posted.refresh_from_db()
    assert not posted.waits


def test_each_event_of_the_log_can_be_delivered_again(
    owner: Client, visit: Visitor, webhook: Webhook
) -> None:
    for number, event in enumerate(Event.objects.order_by("-number")[:3]):
        WebhookDelivery.objects.create(
            webhook=webhook, event=event, message_id=f"msg_{number}", waits=False
        )
    path, seen = f"{PATH}/{webhook.pk}?limit=2", []
    while path:
        page = visit(path)
        seen += re.findall(r"msg_\d", page.text)
        found = re.search(r'rel="next" href="([^"]*)"', page.html)
        last, path = path, html.unescape(found[1]) if found else ""
    assert seen == ["msg_0", "msg_1", "msg_2"]
    oldest = WebhookDelivery.objects.get(message_id="msg_2")
    response = owner.post(last, {"delivery": str(oldest.pk)})
    assert response["Location"] == last
    oldest.refresh_from_db()
    assert oldest.waits


def test_failure_is_told(owner: Client, visit: Visitor, posted: WebhookDelivery) -> None:
    Webhook.objects.update(failures=3, failing_since=timezone.now(), paused_until=timezone.now())
    WebhookDelivery.objects.update(reason="the response was 500", waits=True, delivered=None)
    page = visit(f"{PATH}/{posted.webhook_id}")
    assert "▲ failing since" in page.text
    assert "▲ the response was 500 waits" in page.text


def test_given_up_webhook_can_be_enabled(owner: Client, visit: Visitor, webhook: Webhook) -> None:
    path = f"{PATH}/{webhook.pk}"
    assert f"{path}/enable" not in visit(path).links
    assert owner.get(f"{path}/enable").status_code == 409
    Webhook.objects.update(disabled=timezone.now())
    assert "✕ given up" in visit(path).text
    assert f"{path}/enable" in visit(path).links
    assert owner.post(f"{path}/enable").status_code == 302
    assert "in force" in visit(path).text


def test_webhook_is_removed_after_confirmation(
    owner: Client, visit: Visitor, posted: WebhookDelivery
) -> None:
    path = f"{PATH}/{posted.webhook_id}"
    assert "Nothing more is posted there." in visit(f"{path}/remove").text
    assert Webhook.objects.exists()
    assert owner.post(f"{path}/remove")["Location"] == PATH
    assert not Webhook.objects.exists()
    assert visit(path).status == 404


def test_webhook_of_another_namespace_is_not_found(
    owner: Client, visit: Visitor, webhook: Webhook, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert visit(f"/manage/nvidia/webhooks/{webhook.pk}").status == 404
    assert visit(f"{PATH}/{webhook.pk}/explode").status == 404


def test_namespace_leads_its_owners_there(owner: Client, visit: Visitor, acme: Namespace) -> None:
    assert PATH in visit("/manage/acme").links
