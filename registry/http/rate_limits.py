"""Rate limits: the requests allowed a minute, and the message beyond that.

Writes and checks are counted, from API and pages together. Reads are not: a read takes two
queries, and counting would take more.
"""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.errors import Code, Refused


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A limit on requests a minute, whose default settings may override."""

    name: str  # in settings.RATE_LIMITS and in the keys of the cache
    default: int
    message: str  # {} is the number
    page_message: str


ANONYMOUS = RateLimit(
    "anonymous",
    60,  # an editor that checks while somebody types does so each second
    "Without a token, one address may send {} requests a minute.",
    "Without an account, one address may send {} requests a minute.",
)
PREVIEW = RateLimit(
    "including",
    20,  # impact and near duplicates look at many versions
    "Without a token, one address may check {} times a minute with include=.",
    "Without an account, one address may look at {} previews a minute.",
)
ACCOUNT = RateLimit(
    "account",
    300,  # a fast CI; published one by one, five versions a second
    "One account may send {} requests a minute.",
    "One account may send {} requests a minute.",
)
BAD_TOKEN = RateLimit(
    "failure",
    30,  # a build with an old token tries again; a 256-bit secret is not guessed
    "From one address, {} tokens a minute may be wrong.",
    "",  # pages take no tokens
)
LIMITS = (ANONYMOUS, PREVIEW, ACCOUNT, BAD_TOKEN)


class RateLimited(Refused):
    """The error of too many requests; the next one is allowed after `seconds`."""

    def __init__(self, message: str, seconds: int) -> None:
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(Code.RATE_LIMITED, f"{message} Try again in {seconds} {unit}.")
        self.seconds = seconds
