"""Initial values of the submission form, from a tag or a proposal, and the reviewers of a tag."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.errors import Refused
from registry.domain.proposal_states import PROPOSED_AGAIN, ProposalAction
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.user_text import normalize_text
from registry.models import Namespace, ProposalRevision, User, Version
from registry.services.namespaces.directory import curator_names
from registry.services.namespaces.lookup import find_namespace
from registry.services.proposals import submission, timeline
from registry.services.tags import detail
from registry.services.versions import drafting, tag_names


@dataclass(frozen=True, slots=True)
class FormStart:
    """A body that a form starts from, with its message and sources.

    `base` is the number of the last published version, `exact` the version whose body it is; both
    are empty for a new tag. `revision` is that of the proposal that the form revises, else 0.
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
    """The reviewers of a namespace's proposals: its curators, or staff if there are none.

    `namespace` is None if it does not exist.
    """

    namespace: Namespace | None
    curators: tuple[str, ...] = ()


def start_from_tag(tag: TagName) -> FormStart:
    """Return a tag's newest body; an empty one for a new tag. At most three queries.

    Raises `Refused` (CONFLICT) if the tag is an alias.
    """
    tag_names.find_tag(tag)
    history = drafting.versions_of(tag)
    if not history:
        return FormStart(str(tag))
    light = drafting.base_version(history)
    source = Version.objects.values_list("source", flat=True).get(pk=light.pk)
    return FormStart(str(tag), str(history[-1].number), f"{tag}@{light.number}", source)


def start_from_proposal(number: int, *, submitter: User) -> FormStart:
    """Return the newest revision of the submitter's own proposal.

    What was rejected or withdrawn can be proposed again, for the newest version. Raises `Refused`:
    PROPOSAL_UNKNOWN, FORBIDDEN if somebody else submitted it, CONFLICT if it is accepted.
    """
    proposal = timeline.find_proposal(number)
    submission.refuse_others(proposal, submitter, "revise")
    is_closed = proposal.state in PROPOSED_AGAIN
    if not is_closed:
        timeline.refuse_impossible(proposal, ProposalAction.REVISE)
    revision = ProposalRevision.objects.get(proposal=proposal, number=proposal.revision)
    newest = start_from_tag(TagName.parse(proposal.tag)).base if is_closed else revision.base
    return FormStart(
        proposal.tag,
        newest,
        source=revision.source,
        message=revision.message,
        sources=revision.source_urls,
        revision=0 if is_closed else revision.number,
    )


def was_just_published(
    tag: TagName, source: str, *, message: str, sources: Sequence[str], publisher: User
) -> bool:
    """Return whether the user published just this last, as when resending a form. One query."""
    versions = Version.objects.filter(tag__text=str(tag)).order_by("-pk")
    last = versions.only("source", "message", "sources", "publisher").first()
    if last is None:
        return False
    stored = (last.publisher_id, last.source, last.message, json.loads(last.sources))
    return stored == (publisher.pk, source, normalize_text(message), [*sources])


def kind_of(reference: str) -> str:
    """Return the kind that a reference resolves to; empty for a mixin or an unknown reference."""
    return str(target_of(reference).get("kind", ""))


def target_of(reference: str) -> dict[str, Any]:
    """Return the target that a reference resolves to; empty if unknown. At most two queries."""
    try:
        parsed = Reference.parse(reference)
    except Refused:
        return {}
    text = detail.target_texts([parsed]).get(str(parsed))
    target: dict[str, Any] = json.loads(text) if text else {}
    return target


def reviewers(tag: TagName) -> Reviewers:
    """Return the reviewers of proposals for a tag. Two queries."""
    namespace = find_namespace(tag.namespace)
    if namespace is None:
        return Reviewers(None)
    return Reviewers(namespace, curator_names(namespace.pk))
