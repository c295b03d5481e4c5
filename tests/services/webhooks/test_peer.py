"""The library of Standard Webhooks, for receivers, accepts what is posted, and nothing else."""

from importlib import import_module
from typing import Any

import pytest

from registry.models import Webhook
from tests.publishing import WITHOUT_LINTS as CPU, publish
from tests.receiver import Receiver
from tests.services.webhooks.conftest import Work

pytestmark = pytest.mark.django_db

PEER: Any = import_module("standardwebhooks.webhooks")


def test_library_verifies_what_is_posted(
    added: tuple[Webhook, str], webhook: Webhook, receiver: Receiver, work: Work
) -> None:
    publish("acme/board", CPU)
    work()
    (headers,), (body,) = receiver.headers, receiver.bodies
    verifier = PEER.Webhook(added[1])
    assert verifier.verify(body.decode(), headers) == receiver.messages[0]
    for change in (
        {"webhook-id": "msg_other"},
        {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 3600)},
        {"webhook-signature": "v1,AAAA"},
    ):
        with pytest.raises(PEER.WebhookVerificationError):
            verifier.verify(body.decode(), headers | change)
    with pytest.raises(PEER.WebhookVerificationError):
        verifier.verify(body.decode().replace("acme", "evil"), headers)
