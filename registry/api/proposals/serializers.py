"""Serializers of proposals, in lists and with their history."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from registry.api.core.fields import (
    AddressField,
    CountOfField,
    EmptyAsNullField,
    NextPageField,
    RawJSONField,
    StoredJSONField,
    TextListField,
)
from registry.api.versions.change_serializers import BUMPS
from registry.api.versions.verdict_serializers import VerdictSerializer
from registry.domain.proposal_states import ProposalAction, ProposalState
from registry.services.proposals.listing import STATES


class ProposalHeadSerializer(serializers.Serializer):
    """The members that every representation of a proposal has."""

    number = serializers.IntegerField(source="proposal.pk")
    url = AddressField(route="proposal", source="proposal.pk")
    tag = serializers.CharField(source="proposal.tag")
    state = serializers.ChoiceField(
        choices=[str(state) for state in ProposalState], source="proposal.state"
    )
    submitter = serializers.CharField(source="proposal.submitter.username")
    created = serializers.DateTimeField(source="proposal.created")
    changed = serializers.DateTimeField(source="proposal.changed")
    revision = serializers.IntegerField(source="proposal.revision")
    base = EmptyAsNullField(source="newest.base")
    version = serializers.CharField(source="proposal.version.exact", allow_null=True)


class ListedProposalSerializer(ProposalHeadSerializer):
    """A proposal in a list; if it is undecided, with the effect of publishing it now."""

    message = serializers.CharField(source="newest.message")
    moved = serializers.BooleanField(source="evaluation.has_moved", allow_null=True)
    valid = serializers.BooleanField(source="evaluation.is_valid", allow_null=True)
    bump = serializers.ChoiceField(choices=BUMPS, source="evaluation.draft.bump", allow_null=True)
    lints = CountOfField(source="evaluation.lints", allow_null=True)
    dependents = serializers.IntegerField(source="evaluation.dependents", allow_null=True)


class CountsSerializer(serializers.Serializer):
    """Numbers of proposals by state."""

    def get_fields(self) -> dict[str, Any]:
        """Return a count for each state that can be requested."""
        return {state: serializers.IntegerField() for state in STATES}


class ProposalPageSerializer(serializers.Serializer):
    """A page of proposals."""

    results = ListedProposalSerializer(source="page.rows", many=True)
    next = NextPageField(source="page.next_key")
    counts = CountsSerializer()


class ProposalRevisionSerializer(serializers.Serializer):
    """One revision of a proposal."""

    number = serializers.IntegerField()
    base = EmptyAsNullField()
    created = serializers.DateTimeField()
    message = serializers.CharField()
    sources = StoredJSONField(TextListField())
    target = RawJSONField(serializers.DictField(), source="source")


class TurnSerializer(serializers.Serializer):
    """One turn in the history of a proposal."""

    act = serializers.ChoiceField([str(action) for action in ProposalAction], source="action")
    by = serializers.CharField(source="author.username")
    at = serializers.DateTimeField(source="created")
    revision = serializers.IntegerField()
    text = serializers.CharField()


class ProposalSerializer(ProposalHeadSerializer):
    """A proposal with its history and the effect of publishing it now."""

    asked = TextListField(source="reviewers")
    moved = serializers.BooleanField(source="evaluation.has_moved", allow_null=True)
    verdict = VerdictSerializer(source="evaluation", allow_null=True)
    revisions = ProposalRevisionSerializer(many=True)
    history = TurnSerializer(source="turns", many=True)
