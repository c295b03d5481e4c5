"""Who may register which addresses."""

import pytest
from django.db import connection

from registry.domain.errors import Code, Refused
from registry.models import Event, Namespace, Role, User, Webhook
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.webhooks import registration

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

URL = "https://hooks.example.org/x?y=1"


def add(namespace: Namespace, actor: Actor, url: str = URL) -> Webhook:
    webhook, _ = registration.add_webhook(namespace, url=url, actor=actor)
    return webhook


@pytest.mark.parametrize(
    "url",
    [
        *(URL, "https://hooks.example.org", "https://hooks.example.org:8443/a%20b"),
        "https://93.184.216.34/hooks",
    ],
)
def test_https_urls_of_public_hosts_are_accepted(acme: Namespace, alice: User, url: str) -> None:
    assert add(acme, Actor.operator(alice), url).url == url


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "http://hooks.example.org/", "ftp://hooks.example.org/", "https:///x"),
        *(
            "https://user:pw@hooks.example.org/",
            "https://hooks.example.org/#x",
            "https://localhost/",
        ),
        *("https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/"),
        *("https://hooks.example.org:0/", "https://hooks.example.org:x/", "https://hooks exa.org/"),
        *("https://hooks.example.org/\r\nHost: x", "https://höoks.example.org/", "https://[x/"),
        f"https://hooks.example.org/{'x' * 500}",
    ],
)
def test_other_urls_are_refused(acme: Namespace, alice: User, url: str) -> None:
    with pytest.raises(Refused) as refused:
        add(acme, Actor.operator(alice), url)
    assert refused.value.code is Code.REQUEST_INVALID
    assert not Webhook.objects.exists()


def test_secret_is_not_stored_in_clear_text_and_the_url_not_in_the_log(
    acme: Namespace, alice: User
) -> None:
    webhook, secret = registration.add_webhook(acme, url=URL, actor=Actor.operator(alice))
    assert secret.startswith("whsec_")
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM registry_webhook")
        assert secret.removeprefix("whsec_") not in str(cursor.fetchall())
    event = Event.objects.latest("number")
    assert (event.action, event.subject) == ("webhook.added", "acme")
    assert "hooks.example.org" not in event.detail
    assert str(webhook.pk) in event.detail


def test_curators_and_strangers_may_not(acme: Namespace, alice: User) -> None:
    carol, bob = (User.objects.create_user(name) for name in ("carol", "bob"))
    members.grant_role(acme, carol, Role.CURATOR, actor=Actor.operator(alice))
    webhook = add(acme, Actor.operator(alice))
    for user in (carol, bob):
        actor = Actor(user, is_confirmed=True)
        for attempt in (
            lambda actor=actor: add(acme, actor, "https://other.example.org/"),
            lambda actor=actor: registration.remove_webhook(webhook, actor=actor),
            lambda actor=actor: registration.redeliver(webhook, 1, actor=actor),
            lambda actor=actor: registration.enable_webhook(webhook, actor=actor),
        ):
            with pytest.raises(Refused) as refused:
                attempt()
            assert refused.value.code is Code.FORBIDDEN


def test_owner_has_to_enter_the_password_again(acme: Namespace, alice: User) -> None:
    alice.set_password("correct horse")
    alice.save()
    with pytest.raises(Refused, match="Enter your password again"):
        add(acme, Actor(alice))


def test_url_is_registered_once_and_ten_at_most(acme: Namespace, alice: User) -> None:
    actor = Actor.operator(alice)
    for number in range(registration.MAX_WEBHOOKS):
        add(acme, actor, f"https://hooks.example.org/{number}")
    with pytest.raises(Refused, match="already"):
        add(acme, actor, "https://hooks.example.org/1")
    with pytest.raises(Refused, match="remove one"):
        add(acme, actor, "https://hooks.example.org/more")


def test_webhook_in_force_cannot_be_enabled(acme: Namespace, alice: User) -> None:
    webhook = add(acme, Actor.operator(alice))
    with pytest.raises(Refused, match="in force already"):
        registration.enable_webhook(webhook, actor=Actor.operator(alice))
