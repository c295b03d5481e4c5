"""The Retry-After header of errors."""

import pytest

from registry.domain.errors import Code, Refused
from registry.http.problems import retry_after
from registry.http.rate_limits import RateLimited


@pytest.mark.parametrize(
    ("refusal", "seconds"),
    [
        (Refused(Code.BUSY, "Busy."), 1),
        (Refused(Code.RATE_LIMITED, "Too many open proposals."), 3600),
        (RateLimited("Too many requests.", 17), 17),
        (Refused(Code.FORBIDDEN, "No."), None),
    ],
)
def test_retry_after_is_set_if_waiting_helps(refusal: Refused, seconds: int | None) -> None:
    assert retry_after(refusal) == seconds
