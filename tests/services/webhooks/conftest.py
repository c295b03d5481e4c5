"""Fixtures of the tests of webhooks: a receiver, and a webhook that leads to it."""

from collections.abc import Callable, Iterator

import pytest

from registry.models import Namespace, User, Webhook
from registry.services.core.permissions import Actor
from registry.services.event_log import reading
from registry.services.webhooks import events, registration
from registry.services.work.webhook_posting import WebhookPosting
from tests.receiver import Receiver, run_receiver

Work = Callable[[], None]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with run_receiver() as running:
        yield running


@pytest.fixture
def added(acme: Namespace, alice: User) -> tuple[Webhook, str]:
    """Add a webhook of acme; return it with its secret."""
    url = "https://hooks.example.org/"
    return registration.add_webhook(acme, url=url, actor=Actor.operator(alice))


@pytest.fixture
def webhook(added: tuple[Webhook, str], receiver: Receiver) -> Webhook:
    """Return a webhook that leads to the receiver, where no registration could let it lead."""
    Webhook.objects.update(url=receiver.url)
    reading.skip_to_end()
    return Webhook.objects.select_related("namespace").get()


@pytest.fixture
def work() -> Work:
    """Return a function that does what the worker does, with a rule that allows loopback."""

    def run() -> None:
        while events.read_events():
            pass
        task = WebhookPosting(lambda _: True)
        if task.is_due():
            task.run(lambda: True)

    return run
