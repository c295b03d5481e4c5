"""Requests for namespaces, which staff decides, and the comments on them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from registry.models.accounts import User
from registry.models.fields import BytewiseField
from registry.models.remarks import Remark


class RequestKind(models.TextChoices):
    """The wish of a request."""

    NEW = "new", "New namespace"
    CLAIM = "claim", "Claim"  # of a namespace that exists


class RequestState(models.TextChoices):
    """The state of a request. All but the first are final."""

    OPEN = "open", "open"  # waits for staff
    ACCEPTED = "accepted", "accepted"
    REJECTED = "rejected", "rejected"
    WITHDRAWN = "withdrawn", "withdrawn"  # by its requester


class NamespaceRequest(models.Model):
    """A person's request to own a namespace. Never deleted.

    A trigger lets its state change once, from open, and nothing but the decision with it.
    """

    kind = models.CharField(max_length=5, choices=RequestKind, db_comment="new or claim")
    name = BytewiseField(max_length=64, db_comment="of the namespace")
    title = models.CharField(
        max_length=120, blank=True, default="", db_comment="of a new namespace"
    )
    url = models.URLField(db_comment="the page of the vendor, project or group")
    evidence = models.TextField(
        blank=True, default="", db_comment="why the requester speaks for the vendor"
    )
    reason = models.TextField(db_comment="what the requester wants to publish or change")
    requester = models.ForeignKey(User, models.PROTECT, related_name="namespace_requests")
    state = models.CharField(
        max_length=9,
        choices=RequestState,
        default=RequestState.OPEN,
        db_comment="open, accepted ...",
    )
    decision = models.TextField(blank=True, default="", db_comment="the reason of who decided")
    decider = models.ForeignKey(
        User, models.PROTECT, null=True, related_name="+", db_comment="or who withdrew it"
    )
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    decided = models.DateTimeField(null=True, db_comment="UTC; null: open")

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(kind__in=RequestKind.values), name="namespace_request_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=RequestState.values), name="namespace_request_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state=RequestState.OPEN, decider=None, decided=None, decision="")
                | Q(~Q(state=RequestState.OPEN), decider__isnull=False, decided__isnull=False),
                name="namespace_request_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(state=RequestState.REJECTED, decision=""),
                name="namespace_request_rejected_with_reason",
            ),
            models.CheckConstraint(
                condition=~Q(kind=RequestKind.CLAIM, evidence=""),
                name="namespace_request_claim_has_evidence",
            ),
            models.UniqueConstraint(
                fields=("requester", "name"),
                condition=Q(state=RequestState.OPEN),
                name="namespace_request_open_once",
            ),
        )
        indexes = (
            models.Index(fields=("state", "id"), name="namespace_request_queue"),
            models.Index(fields=("name",), name="namespace_request_by_name"),
        )

    def __str__(self) -> str:
        return f"request {self.pk} for {self.name}"

    @property
    def is_open(self) -> bool:
        """True while the request waits for staff."""
        return self.state == RequestState.OPEN

    @property
    def is_refused(self) -> bool:
        return self.state == RequestState.REJECTED

    @property
    def is_claim(self) -> bool:
        """True if the namespace existed when the request was made."""
        return self.kind == RequestKind.CLAIM


class RequestComment(Remark):
    """An immutable comment on a request, by its requester or staff."""

    request = models.ForeignKey(NamespaceRequest, models.PROTECT, related_name="comments")
    sequence = models.PositiveIntegerField(db_comment="1, 2, 3 ... within the request")

    class Meta:
        ordering = ("request", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("request", "sequence"), name="request_comment_once"),
            models.UniqueConstraint(
                fields=("author", "key"), condition=~Q(key=""), name="request_comment_sent_once"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="request_comment_has_text"),
        )

    def __str__(self) -> str:
        return f"comment {self.sequence} on request {self.request_id}"

    @property
    def past_tense(self) -> str:
        """Return what its author did, in a word for pages."""
        return "commented"
