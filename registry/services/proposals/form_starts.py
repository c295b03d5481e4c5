"""What a form for a hardware profile can begin with: what there is already."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from registry.domain.errors import Refused
from registry.domain.proposal_states import ProposalAction
from registry.domain.reference import NEWEST, Reference, Tag as TagName
from registry.models import Membership, Namespace, ProposalRevision, User, Version
from registry.services.core.permissions import CURATORS
from registry.services.namespaces.lookup import known_namespace
from registry.services.proposals import listing, submission, timeline
from registry.services.tags import detail
from registry.services.versions import selection, tag_names
from registry.services.versions.drafting import versions_of

MOST_NAMED = 12  # curators of a namespace


@dataclass(frozen=True, slots=True)
class FormStart:
    """A body to begin with, and what is said about it.

    `base` is the number of the version last published, `exact` the version whose body it is; both
    are empty for a tag that has none. `revision` counts those of a proposal; 0 for none.
    """

    tag: str
    base: str = ""
    exact: str = ""
    source: str = ""
    message: str = ""
    sources: Sequence[str] = ()
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Reviewers:
    """Who decides on proposals for a namespace: its curators, or staff where there are none.

    `namespace` is None where there is none of the name; `near` are names like it.
    """

    namespace: Namespace | None
    curators: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


def start_from_tag(tag: TagName) -> FormStart:
    """The newest body of a tag; of one that does not exist yet nothing. At most three queries.

    Raises `Refused` (CONFLICT) for an alias.
    """
    tag_names.find_tag(tag)
    history = versions_of(tag)
    if not history:
        return FormStart(str(tag))
    light = NEWEST.choose(history) or selection.newest_first(history)[0]
    source = Version.objects.values_list("source", flat=True).get(pk=light.pk)
    return FormStart(str(tag), str(history[-1].number), f"{tag}@{light.number}", source)


def start_from_proposal(number: int, *, submitter: User) -> FormStart:
    """The newest revision of one's own proposal.

    Raises `Refused`: PROPOSAL_UNKNOWN, FORBIDDEN for anybody but the submitter, CONFLICT where it
    is decided.
    """
    proposal = timeline.find_proposal(number)
    submission.refuse_others(proposal, submitter, "revise")
    timeline.refuse_impossible(proposal, ProposalAction.REVISE)
    revision = ProposalRevision.objects.get(proposal=proposal, number=proposal.revision)
    return FormStart(
        proposal.tag,
        revision.base,
        source=revision.source,
        message=revision.message,
        sources=listing.sources_of(revision),
        revision=revision.number,
    )


def last_published(tag: TagName) -> str:
    """The number of the version most recently published; empty where there is none. One query."""
    history = versions_of(tag)
    return str(history[-1].number) if history else ""


def is_newest(tag: TagName, source: str, *, publisher: User) -> bool:
    """Whether a body is what somebody published last: the same form, sent twice. One query."""
    versions = Version.objects.filter(tag__text=str(tag)).order_by("-pk")
    return versions.values_list("source", "publisher").first() == (source, publisher.pk)


def kind_of(reference: str) -> str:
    """The kind of what a reference answers; empty for a mixin, and where nobody knows."""
    return str(target_of(reference).get("kind", ""))


def target_of(reference: str) -> dict[str, object]:
    """The target that a reference answers; empty where there is none. At most two queries."""
    try:
        parsed = Reference.parse(reference)
    except Refused:
        return {}
    found = detail.target_texts([parsed]).get(str(parsed))
    target: dict[str, object] = json.loads(found) if found else {}
    return target


def reviewers(tag: TagName) -> Reviewers:
    """Who is asked to review what is proposed for a tag. Two queries."""
    try:
        namespace = known_namespace(tag.namespace)
    except Refused as refusal:
        return Reviewers(None, near=refusal.suggestions)
    held = Membership.objects.filter(
        namespace=namespace, role__in=CURATORS, user__is_active=True
    ).order_by("user__username")
    names = held.values_list("user__username", flat=True)[:MOST_NAMED]
    return Reviewers(namespace, tuple(names))
