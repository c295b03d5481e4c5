"""Signatures as Standard Webhooks defines them, and the pauses between attempts."""

import base64
from datetime import timedelta

import pytest

from registry.domain.webhooks import schedule, signatures


def test_signature_is_that_of_the_specification() -> None:
    """The example that the libraries of standardwebhooks.com test themselves with."""
    headers = signatures.signed_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_secrets_differ_and_are_long() -> None:
    first, second = signatures.new_secret(), signatures.new_secret()
    assert first != second
    assert len(base64.b64decode(first.removeprefix("whsec_"), validate=True)) == 32


@pytest.mark.parametrize(
    ("failures", "pause"),
    [(1, timedelta(seconds=5)), (2, timedelta(minutes=1)), (7, timedelta(hours=10))],
)
def test_pauses_grow_and_stay_below_half_a_day(failures: int, pause: timedelta) -> None:
    assert schedule.pause_after(failures) == pause
    assert schedule.pause_after(1000) == timedelta(hours=10)
    assert list(schedule.PAUSES) == sorted(schedule.PAUSES)
