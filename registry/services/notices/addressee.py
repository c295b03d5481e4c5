"""An account that an event concerns, and why."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.notices import NoticeKind
from registry.models import Event, Needs


@dataclass(frozen=True, slots=True)
class Addressee:
    """An account that an event concerns; without the role that it `needs`, it hears nothing."""

    event: Event
    user: int
    kind: NoticeKind
    needs: Needs = Needs.NOTHING
    namespace: str = ""  # in which that role is needed
    tags: tuple[str, ...] = ()  # of the account, which are made from the event's
