"""When owners need a second factor: if other namespaces build on theirs, after a time of grace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class OwnerFactorRule:
    """The rule of a registry. Without a grace period it asks nobody for a second factor."""

    grace: timedelta | None

    def required_from(self, built_on_since: datetime | None) -> datetime | None:
        """Return from when on the owners of a namespace need a second factor; None for never.

        `built_on_since` is when another namespace was first seen to build on it, if one does.
        """
        if self.grace is None or built_on_since is None:
            return None
        return built_on_since + self.grace

    def latest_start(self, now: datetime) -> datetime | None:
        """Return the latest `built_on_since` for which a second factor is required now.

        None if it is required for none.
        """
        return None if self.grace is None else now - self.grace


def lacks_factor(*, is_person: bool, has_factor: bool) -> bool:
    """Return whether an account lacks a second factor.

    A machine account cannot sign in, so it has no password that a second factor would guard.
    """
    return is_person and not has_factor
