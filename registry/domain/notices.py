"""The kinds of news, how each is mailed, and who watches a tag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class NoticeKind(StrEnum):
    """Why an event is news for an account, which hears of it once: by the first that applies."""

    SECURITY = "security"
    REVIEW = "review"  # work that waits for curators or staff
    PROPOSAL = "proposal"  # what others do with one's own proposals and requests
    INHERITED = "inherited"  # a tag that one's own tags are made from
    WATCHED = "watched"


# Decision 170: whoever reads a feed reads it elsewhere, so it has what everybody may see.
PUBLIC = (NoticeKind.INHERITED, NoticeKind.WATCHED)


# Decision 178: an account that is being taken over hears of it, whatever was chosen for its mail.
ALARMS = ("account.reset_started",)


class MailTime(StrEnum):
    """When news of a kind are mailed."""

    AT_ONCE = "at once"
    DAILY = "daily"
    NEVER = "never"


DEFAULT_TIMES: Mapping[NoticeKind, MailTime] = {
    NoticeKind.SECURITY: MailTime.AT_ONCE,
    NoticeKind.REVIEW: MailTime.AT_ONCE,
    NoticeKind.PROPOSAL: MailTime.AT_ONCE,
    NoticeKind.INHERITED: MailTime.DAILY,
    NoticeKind.WATCHED: MailTime.DAILY,
}


@dataclass(frozen=True, slots=True)
class WatchState:
    """The statements of an account about a tag, its families and its namespace: watch it or not.

    None where it has stated nothing.
    """

    tag: bool | None = None
    family: bool | None = None  # of several families, whether any is watched
    namespace: bool | None = None
    is_author: bool = False
    is_curator: bool = False

    @property
    def watches_tag(self) -> bool:
        """Return whether the account watches the tag: the narrowest of what is stated decides.

        Authors watch their tags, and curators their namespaces, unless they have stated otherwise.
        """
        if self.tag is not None:
            return self.tag
        if self.is_author:
            return True
        if self.family is not None:
            return self.family
        return self.watches_namespace

    @property
    def watches_namespace(self) -> bool:
        """Return whether the account watches the namespace as a whole."""
        return self.is_curator if self.namespace is None else self.namespace
