"""Actions on what is news for oneself: what one watches, and how one hears of it."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome, State
from registry.actions.fields import FlagField
from registry.actions.subjects import NEWS, WATCHED
from registry.domain.notices import MailTime, NoticeKind
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.notices import feed_addresses, mail_choices, watching

KIND_LABELS = {
    NoticeKind.SECURITY: "Security",
    NoticeKind.REVIEW: "Work that waits for you",
    NoticeKind.PROPOSAL: "Your proposals and requests",
    NoticeKind.INHERITED: "What your tags are made from",
    NoticeKind.WATCHED: "What you watch",
}
KIND_HELP = {
    NoticeKind.SECURITY: "Others changed your account, your tokens or who may write in your "
    "namespaces.",
    NoticeKind.REVIEW: "Proposals and changes that curators or staff decide, and answers to you.",
    NoticeKind.PROPOSAL: "Somebody commented on them, changed or decided them.",
    NoticeKind.INHERITED: "A new version outdates one of your tags, or one is yanked.",
    NoticeKind.WATCHED: "Versions are published or yanked, tags deprecated or renamed.",
}
TIME_LABELS = {MailTime.AT_ONCE: "at once", MailTime.DAILY: "once a day", MailTime.NEVER: "never"}


class Watch(ActionForm):
    """Watch a tag, with its members if it is a family, or a namespace."""

    slug = "watch"
    subject_type = WATCHED
    state = State("is_watched", is_set=False, otherwise="watched by you already")
    service = watching.watch
    done = "You watch {0}."
    button = "Watch"
    consequence = (
        "You get news of published and yanked versions, deprecations and new names. A family is "
        "watched with the tags that are made from it, a namespace with all of its tags."
    )
    to = FlagField("watch")


class StopWatching(ActionForm):
    """Stop watching a tag or a namespace, also as its author or curator."""

    slug = "stop-watching"
    subject_type = WATCHED
    state = State("is_watched", is_set=True, otherwise="not watched by you")
    service = watching.stop_watching
    done = "You no longer watch {0}."
    button = "Stop watching"
    consequence = "You get no more news of it. Work that waits for you is still news."
    to = FlagField("stop")


class ChooseMailTimes(ActionForm):
    """Choose when news of each kind are mailed."""

    slug = "mail"
    subject_type = NEWS
    button = "Save choices"
    heading_format = "News by mail"

    def __init__(self, subject: User, actor: Actor, data: Any = None) -> None:
        super().__init__(subject, actor, data)
        for kind, label in KIND_LABELS.items():
            self.fields[str(kind)] = forms.ChoiceField(
                label=label, help_text=KIND_HELP[kind], choices=list(TIME_LABELS.items())
            )

    @classmethod
    def initial_values(cls, subject: User, actor: Actor) -> dict[str, Any]:
        return {str(kind): time for kind, time in mail_choices.chosen_times(subject).items()}

    @classmethod
    def perform(cls, *, actor: Actor, **times: str) -> Outcome:
        chosen = {NoticeKind(kind): MailTime(time) for kind, time in times.items()}
        mail_choices.choose_times(chosen, actor=actor)
        return Outcome("Your choice is saved.")


class RenewFeed(ActionForm):
    """Give the feed of one's news a new private address."""

    slug = "feed"
    subject_type = NEWS
    button = "Make a new address"
    heading_format = "Feed"
    service = feed_addresses.renew
    done = "Your feed has a new address. An older one no longer works."
