"""Proposals: bodies submitted for review, their revisions and history."""

from __future__ import annotations

import json
import uuid
from typing import Self

from django.db import models
from django.db.models import OuterRef, Q, Subquery

from registry.domain.proposal_states import UNDECIDED, ProposalAction, ProposalState
from registry.models.accounts import Namespace, User
from registry.models.fields import BytewiseField
from registry.models.remarks import Remark
from registry.models.versions import Version, documents_of
from ttag_rules.version_number import VersionNumber

PAST_TENSE = {
    ProposalAction.SUBMIT: "submitted",
    ProposalAction.REVISE: "revised",
    ProposalAction.COMMENT: "commented",
    ProposalAction.ASK: "requested changes",
    ProposalAction.APPROVE: "approved",
    ProposalAction.ACCEPT: "accepted",
    ProposalAction.REJECT: "rejected",
    ProposalAction.WITHDRAW: "withdrew",
}


class ProposalQuerySet(models.QuerySet["Proposal"]):
    """Queries for proposals and their order."""

    def undecided(self) -> Self:
        """Select proposals that wait for a curator or for their submitter."""
        return self.filter(state__in=UNDECIDED)

    def as_listed(self) -> Self:
        """Join namespace, submitter and published version, without the version's documents."""
        proposals = self.select_related("namespace", "submitter", "version__tag")
        return proposals.defer(*documents_of("version"))

    def oldest_first(self) -> Self:
        """Order proposals by their number."""
        return self.order_by("pk")

    def last_changed_first(self) -> Self:
        """Order by the last turn. Not by its time: the clock may have gone back."""
        turns = Turn.objects.filter(proposal=OuterRef("pk")).order_by("-sequence")
        return self.order_by(Subquery(turns.values("pk")[:1]).desc())


class Proposal(models.Model):
    """A body proposed as the next version of a tag. Never deleted.

    `registry.domain.proposal_states` defines the changes of state, which a trigger enforces.
    """

    tag = BytewiseField(db_comment="the tag it is for, which need not exist yet")
    namespace = models.ForeignKey(Namespace, models.PROTECT, related_name="proposals")
    submitter = models.ForeignKey(User, models.PROTECT, related_name="proposals")
    state = models.CharField(
        max_length=16, default=ProposalState.OPEN.value, db_comment="open, accepted ..."
    )
    revision = models.PositiveIntegerField(default=1, db_comment="number of the newest revision")
    version = models.OneToOneField(
        Version, models.PROTECT, null=True, related_name="proposal", db_comment="if accepted"
    )
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    changed = models.DateTimeField(db_comment="UTC: of the last turn")

    objects = ProposalQuerySet.as_manager()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(state__in=[str(state) for state in ProposalState]),
                name="proposal_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state=ProposalState.ACCEPTED.value, version__isnull=False)
                | (~Q(state=ProposalState.ACCEPTED.value) & Q(version=None)),
                name="proposal_accepted_is_published",
            ),
            models.CheckConstraint(
                condition=Q(revision__gte=1), name="proposal_counts_revisions_from_one"
            ),
        )
        indexes = (
            models.Index(fields=("state", "namespace", "id"), name="proposal_queue"),
            models.Index(fields=("submitter", "state"), name="proposal_by_submitter"),
            models.Index(fields=("tag",), name="proposal_by_tag"),
        )

    def __str__(self) -> str:
        return f"proposal {self.pk} for {self.tag}"

    @property
    def is_undecided(self) -> bool:
        """True while the proposal waits for a curator or its submitter."""
        return self.state in UNDECIDED


class ProposalRevision(models.Model):
    """An immutable revision of a proposal's body."""

    proposal = models.ForeignKey(Proposal, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField(db_comment="1, 2, 3 ... within the proposal")
    base = models.CharField(
        max_length=32, blank=True, db_comment="version last published when written; or empty"
    )
    source = models.TextField(db_comment="the body as its author wrote it, JSON")
    message = models.TextField(blank=True, db_comment="why; becomes the version's message")
    sources = models.TextField(default="[]", db_comment="JSON: https URLs that vouch for it")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")

    class Meta:
        ordering = ("proposal", "number")
        constraints = (
            models.UniqueConstraint(fields=("proposal", "number"), name="proposal_revision_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="proposal_revision_counts_from_one"
            ),
        )

    def __str__(self) -> str:
        return f"revision {self.number} of {self.proposal_id}"

    @property
    def source_urls(self) -> list[str]:
        return list(json.loads(self.sources))

    def has_moved(self, last: VersionNumber | None) -> bool:
        """Return whether another version has been published since, given the last number."""
        return self.base != (str(last) if last else "")


class Turn(Remark):
    """An immutable entry in a proposal's history: an action, its author and text."""

    proposal = models.ForeignKey(Proposal, models.PROTECT, related_name="turns")
    sequence = models.PositiveIntegerField(db_comment="1, 2, 3 ... within the proposal")
    action = models.CharField(max_length=16, db_comment="submit, comment, accept ...")
    revision = models.PositiveIntegerField(db_comment="number of the revision it is about")

    class Meta:
        ordering = ("proposal", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("proposal", "sequence"), name="turn_once"),
            models.UniqueConstraint(
                fields=("author", "key"), condition=~Q(key=""), name="turn_sent_once"
            ),
            models.CheckConstraint(
                condition=Q(action__in=[str(action) for action in ProposalAction]),
                name="turn_action_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.action} of {self.proposal_id}"

    @property
    def past_tense(self) -> str:
        """Return the action in words, for pages: `requested changes`."""
        return PAST_TENSE[ProposalAction(self.action)]


class SavedDraft(models.Model):
    """The saved contents of a submit form, valid or not. Only its owner can see it."""

    key = models.UUIDField(primary_key=True, default=uuid.uuid4, db_comment="as in its address")
    owner = models.ForeignKey(User, models.CASCADE, related_name="drafts")
    proposal = models.ForeignKey(
        Proposal, models.CASCADE, null=True, related_name="+", db_comment="which it would revise"
    )
    tag = models.TextField(blank=True, db_comment="as entered, to tell drafts apart")
    form_data = models.TextField(db_comment="JSON: the form's fields as typed")
    saves = models.PositiveIntegerField(default=1, db_comment="how often it was saved")
    created = models.DateTimeField(auto_now_add=True, db_comment="UTC")
    changed = models.DateTimeField(auto_now=True, db_comment="UTC")

    class Meta:
        indexes = (models.Index(fields=("owner", "-changed"), name="draft_by_owner"),)

    def __str__(self) -> str:
        return f"draft of {self.owner_id} for {self.tag or 'no tag yet'}"
