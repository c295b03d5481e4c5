"""Rate limits: the requests allowed per minute, and the messages for those beyond.

Writes and checks are counted, from API and pages together. Reads are not: counting would take more
than most of them. What reads may take of a process is in `registry/server`: places in queues
(`quotas.py`) and processor time (`budgets.py`). Sign-ins are allauth's, in `ACCOUNT_RATE_LIMITS`.
"""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.errors import Code, Refused


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A limit on requests per minute; settings can override the default."""

    name: str  # in settings.RATE_LIMITS and in the keys of the cache
    default: int
    message: str  # {} is the number
    page_message: str


ANONYMOUS = RateLimit(
    "anonymous",
    60,  # an editor that checks while the user types sends one a second
    "Without a token, one address may send {} requests a minute.",
    "Without an account, one address may send {} requests a minute.",
)
PREVIEW = RateLimit(
    "including",
    20,  # impact and near duplicates read many versions
    "Without a token, one address may check {} times a minute with include=.",
    "Without an account, one address may look at {} previews a minute.",
)
ACCOUNT = RateLimit(
    "account",
    300,  # a fast CI job, at five requests a second
    "One account may send {} requests a minute.",
    "One account may send {} requests a minute.",
)
BAD_TOKEN = RateLimit(
    "failure",
    30,  # builds retry with an old token; nobody guesses a 256-bit secret
    "One address may send {} invalid tokens a minute.",
    "",  # pages take no tokens
)
LIMITS = (ANONYMOUS, PREVIEW, ACCOUNT, BAD_TOKEN)


class RateLimited(Refused):
    """The error of too many requests; the next one is allowed after `seconds`."""

    def __init__(self, message: str, seconds: int) -> None:
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(Code.RATE_LIMITED, f"{message} Try again in {seconds} {unit}.")
        self.seconds = seconds
