"""Evaluations of proposals: the results of publishing them now, in a constant number of queries.

Evaluations are not stored, because they change whenever a tag or a parent does. Detecting circular
dependencies takes queries per proposal, so only `evaluate_revision` and accepting do it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count

from registry.domain.errors import Fault, Refused
from registry.domain.reference import Tag as TagName
from registry.models import Dependency, ProposalRevision
from registry.services.kinds import kinds
from registry.services.versions import dependencies, drafting, look_alikes, twins
from registry.services.versions.drafting import Draft, ParsedBody, TagHistory
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of publishing a proposal's revision now: a draft, or an error.

    `last` is the number of the last published version; if it is not the revision's base, the tag
    `has_moved`. `dependents` counts the tags that refer to this tag directly.
    """

    draft: Draft | None
    refusal: Refused | None
    last: VersionNumber | None
    has_moved: bool
    lints: tuple[Fault, ...]
    dependents: int

    @property
    def is_valid(self) -> bool:
        """Return whether the revision can be published."""
        return self.draft is not None

    @property
    def can_be_accepted(self) -> bool:
        """Return whether accepting would succeed: something new is valid, and has its base."""
        is_new = self.draft is not None and self.draft.number is not None
        return is_new and not self.has_moved


def evaluate_revisions(revisions: Sequence[ProposalRevision]) -> dict[int, Evaluation]:
    """Return an evaluation of each revision, by its primary key. Needs the proposals loaded.

    Eight queries in total; one more each if other tags have equal targets, and for new tags.
    """
    # Decision 038: a stored evaluation would be stale with every publication.
    tags = {revision.pk: TagName.parse(revision.proposal.tag) for revision in revisions}
    histories = drafting.load_histories(set(tags.values()))
    results = _draft_all({revision.pk: revision.source for revision in revisions}, tags, histories)
    drafts = {pk: result for pk, result in results.items() if isinstance(result, Draft)}
    lints = _lints_of_others(drafts)
    dependents = _dependents([str(tag) for tag in tags.values()])
    last = {tag: history.taken[-1] for tag, history in histories.items() if history.taken}
    evaluations = {}
    for revision in revisions:
        tag, result, draft = tags[revision.pk], results[revision.pk], drafts.get(revision.pk)
        evaluations[revision.pk] = Evaluation(
            draft=draft,
            refusal=result if isinstance(result, Refused) else None,
            last=last.get(str(tag)),
            has_moved=revision.has_moved(last.get(str(tag))),
            lints=(*draft.own_lints, *lints[revision.pk]) if draft else (),
            dependents=dependents.get(str(tag), 0),
        )
    return evaluations


def evaluate_revision(revision: ProposalRevision) -> Evaluation:
    """Return an evaluation of a revision, cycles included. Needs its proposal loaded."""
    evaluation = evaluate_revisions([revision])[revision.pk]
    if evaluation.draft is None:
        return evaluation
    references = ParsedBody.parse(revision.source).references
    try:
        dependencies.refuse_cycles(
            references, evaluation.draft.dependencies.choices, revision.proposal.tag
        )
    except Refused as refusal:
        return replace(evaluation, draft=None, refusal=refusal, lints=())
    return evaluation


def _draft_all(
    sources: Mapping[int, str], tags: Mapping[int, TagName], histories: Mapping[str, TagHistory]
) -> dict[int, Draft | Refused]:
    """Return the draft of each body, or its error, by the key of its revision. Four queries."""
    bodies = {pk: _parse(source) for pk, source in sources.items()}
    parsed = [body for body in bodies.values() if isinstance(body, ParsedBody)]
    answers, stored = dependencies.load_answers(
        reference for body in parsed for reference in body.references
    )
    current = kinds.current_kinds()

    def draft(body: ParsedBody | Refused, tag: TagName) -> Draft | Refused:
        if isinstance(body, Refused):
            return body
        history = histories.get(str(tag), TagHistory())
        try:
            choices = dependencies.accept_selected(body.references, answers)
            loaded = dependencies.build_dependencies(choices, stored)
            dependencies.refuse_too_large(choices.values())
            return drafting.compute_draft(
                body, tag, loaded=loaded, history=history, current=current
            )
        except Refused as refusal:
            return refusal

    return {pk: draft(body, tags[pk]) for pk, body in bodies.items()}


def _parse(source: str) -> ParsedBody | Refused:
    try:
        return ParsedBody.parse(source)
    except Refused as refusal:  # stricter rules than at submission
        return refusal


def _lints_of_others(drafts: Mapping[int, Draft]) -> dict[int, list[Fault]]:
    """Return the lints of each draft that depend on other tags. At most three queries."""
    twin_lints = twins.find_twins([draft.target_of_tag for draft in drafts.values()])
    names = look_alikes.find_look_alikes(
        [draft.tag for draft in drafts.values() if draft.base is None]
    )
    pairs = zip(drafts.items(), twin_lints, strict=True)
    return {pk: [*of_twins, *names.get(str(draft.tag), ())] for (pk, draft), of_twins in pairs}


def _dependents(tags: Sequence[str]) -> dict[str, int]:
    """Return the number of tags whose newest version has a floating reference to each tag."""
    uses = Dependency.objects.filter(
        name__tag__text__in=tags, is_floating=True, version__entry__isnull=False
    )
    counts = (
        uses.order_by()
        .values("name__tag__text")
        .annotate(count=Count("version__tag", distinct=True))
    )
    return {row["name__tag__text"]: row["count"] for row in counts}
