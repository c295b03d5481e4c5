"""Watches, notices of events for accounts, and how these reach them."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from registry.domain.notices import MailTime, NoticeKind
from registry.models.accounts import Membership, Role, User
from registry.models.event_log import Event
from registry.models.fields import BytewiseField


class LogCursor(models.Model):
    """The last event that a reader has read; it moves with what the reader writes."""

    name = models.CharField(primary_key=True, max_length=20, db_comment="of the reader")
    number = models.PositiveBigIntegerField(db_comment="of the last event that was read; or 0")

    def __str__(self) -> str:
        return f"{self.name} at {self.number}"


class Watch(models.Model):
    """A statement that an account watches a tag, a family or a namespace, or does not."""

    user = models.ForeignKey(User, models.CASCADE, related_name="watches")
    name = BytewiseField(db_comment="of a tag, or of a namespace, which has no slash")
    is_on = models.BooleanField(db_comment="false: not even as its author or curator")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        verbose_name_plural = "watches"
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("name", "user"), name="watch_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} {'watches' if self.is_on else 'does not watch'} {self.name}"


class Needs(models.TextChoices):
    """The role that an account needs to see a notice, in its namespace."""

    NOTHING = "", "nothing"
    CURATOR = "curator", "a curator or owner of the namespace"
    OWNER = "owner", "an owner of the namespace"
    STAFF = "staff", "staff"


# Decision 170: rights are read when a notice is shown or mailed, not only when it is made.
def _visible(prefix: str = "") -> Q:
    """Return the condition that the account of a notice may see it now."""

    def has_role(*roles: str) -> Exists:
        members = Membership.objects.filter(
            user=OuterRef(f"{prefix}user"), namespace__name=OuterRef(f"{prefix}namespace")
        )
        return Exists(members.filter(role__in=roles))

    return (
        Q(**{f"{prefix}needs": Needs.NOTHING})
        | (Q(**{f"{prefix}needs": Needs.CURATOR}) & has_role(Role.OWNER, Role.CURATOR))
        | (Q(**{f"{prefix}needs": Needs.OWNER}) & has_role(Role.OWNER))
        | Q(**{f"{prefix}needs": Needs.STAFF, f"{prefix}user__is_staff": True})
    )


class NoticeQuerySet(models.QuerySet["Notice"]):
    """Queries for notices by who may see them."""

    def of(self, user: User) -> Self:
        """Select what an account may see now."""
        return self.filter(_visible(), user=user)

    def unread(self) -> Self:
        return self.filter(read=None)


class Notice(models.Model):
    """An event that concerns an account, and why. Others of the same write may be part of it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="notices")
    event = models.ForeignKey(Event, models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=10, db_comment="why it concerns the account")
    needs = models.CharField(
        max_length=8, blank=True, default="", db_comment="the role without which it is hidden"
    )
    namespace = BytewiseField(
        max_length=64, blank=True, default="", db_comment="in which that role is needed; or empty"
    )
    via = BytewiseField(
        blank=True, default="", db_comment="a tag of the account that is made from the event's"
    )
    more_tags = models.PositiveIntegerField(default=0, db_comment="of the account, besides via")
    more_events = models.PositiveIntegerField(
        default=0, db_comment="that followed in the same write, with the same action"
    )
    read = models.DateTimeField(null=True, blank=True, db_comment="UTC; null: unread")

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ("-event",)
        constraints = (
            models.UniqueConstraint(fields=("user", "event"), name="notice_once"),
            models.CheckConstraint(
                condition=Q(kind__in=[str(kind) for kind in NoticeKind]), name="notice_kind_known"
            ),
            models.CheckConstraint(condition=Q(needs__in=Needs.values), name="notice_needs_known"),
        )
        indexes = (models.Index(fields=("user",), condition=Q(read=None), name="notice_unread"),)

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}: event {self.event_id}"


class NoticeMail(models.Model):
    """A notice that waits to be mailed; deleted with the write that queues the mail."""

    notice = models.OneToOneField(Notice, models.CASCADE, primary_key=True, related_name="mail")
    due = models.DateTimeField(db_comment="UTC; from when on it is mailed, with others due then")

    class Meta:
        indexes = (models.Index(fields=("due",), name="notice_mail_due"),)

    def __str__(self) -> str:
        return f"notice {self.pk}"


class MailChoice(models.Model):
    """When an account wants to be mailed news of a kind, if not by default."""

    user = models.ForeignKey(User, models.CASCADE, related_name="mail_choices")
    kind = models.CharField(max_length=10, db_comment="of news")
    time = models.CharField(max_length=8, db_comment="at once, daily or never")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "kind"), name="mail_choice_once"),
            models.CheckConstraint(
                condition=Q(kind__in=[str(kind) for kind in NoticeKind]),
                name="mail_choice_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(time__in=[str(time) for time in MailTime]),
                name="mail_choice_time_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.time} for {self.user_id}"


class NewsFeed(models.Model):
    """The private feed of an account. Its address has a signature, which is not stored."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="news_feed")
    generation = models.PositiveIntegerField(
        default=1, db_comment="is signed, so that a new number ends the old address"
    )

    def __str__(self) -> str:
        return f"feed {self.generation} of {self.user_id}"
