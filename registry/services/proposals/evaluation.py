"""Verdicts on proposals: the results of publishing them now, in a constant number of queries.

Verdicts are not stored, because they change whenever a tag or a parent does. Detecting circular
dependencies takes queries per proposal, so only `evaluate_revision` and accepting do it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count

from registry.domain import document
from registry.domain.body_references import BodyReference, body_references
from registry.domain.document import Json
from registry.domain.errors import Fault, Refused
from registry.domain.merging import PublishedVersion
from registry.domain.reference import Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Dependency, ProposalRevision
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.versions import dependencies, drafting, selection, twins
from registry.services.versions.drafting import Draft, TagHistory
from registry.services.versions.selection import SelectedVersion


@dataclass(frozen=True, slots=True)
class Verdict:
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


@dataclass(frozen=True, slots=True)
class ParsedRevision:
    """A revision's parsed body with its references, or the error of parsing it."""

    revision: ProposalRevision
    tag: TagName
    body: Json = None
    references: tuple[BodyReference, ...] = ()
    refusal: Refused | None = None


def evaluate_revisions(revisions: Sequence[ProposalRevision]) -> dict[int, Verdict]:
    """Return a verdict on each revision, by its primary key. Needs the proposals loaded.

    Nine queries in total, ten if other tags have equal targets.
    """
    parsed = [_parse(revision) for revision in revisions]
    histories_by_tag = drafting.load_histories({item.tag for item in parsed})
    selected = selection.select_all(
        list({str(r.reference): r.reference for item in parsed for r in item.references}.values())
    )
    needed = {
        answer.version.pk for answer in selected.values() if isinstance(answer, SelectedVersion)
    }
    stored = dependencies.load_published(needed) if needed else {}
    current = kinds.current_kinds()
    drafts = {
        item.revision.pk: _compute_draft(
            item, selected, stored, histories_by_tag.get(str(item.tag), TagHistory()), current
        )
        for item in parsed
    }
    twin_lints = _twin_lints(drafts)
    dependents = _dependents([str(item.tag) for item in parsed])
    last = {tag: history.taken[-1] for tag, history in histories_by_tag.items() if history.taken}
    return {
        item.revision.pk: _verdict(
            item, drafts[item.revision.pk], last.get(str(item.tag)), twin_lints, dependents
        )
        for item in parsed
    }


def evaluate_revision(revision: ProposalRevision) -> Verdict:
    """Return a verdict on a revision, cycles included. Needs its proposal loaded."""
    verdict = evaluate_revisions([revision])[revision.pk]
    if verdict.draft is None:
        return verdict
    references = list(body_references(document.parse_json(revision.source)))
    try:
        dependencies.refuse_cycles(
            references, verdict.draft.dependencies.choices, revision.proposal.tag
        )
    except Refused as refusal:
        return replace(verdict, draft=None, refusal=refusal, lints=())
    return verdict


def _verdict(
    parsed: ParsedRevision,
    result: Draft | Refused,
    last: VersionNumber | None,
    twin_lints: Mapping[int, Sequence[Fault]],
    dependents: Mapping[str, int],
) -> Verdict:
    draft = result if isinstance(result, Draft) else None
    return Verdict(
        draft=draft,
        refusal=result if isinstance(result, Refused) else None,
        last=last,
        has_moved=parsed.revision.has_moved(last),
        lints=(*draft.own_lints, *twin_lints[parsed.revision.pk]) if draft else (),
        dependents=dependents.get(str(parsed.tag), 0),
    )


def _parse(revision: ProposalRevision) -> ParsedRevision:
    tag = TagName.parse(revision.proposal.tag)
    try:
        body = document.parse_json(revision.source)
        return ParsedRevision(revision, tag, body, tuple(body_references(body)))
    except Refused as refusal:  # stricter rules than at submission
        return ParsedRevision(revision, tag, refusal=refusal)


def _compute_draft(
    parsed: ParsedRevision,
    selected: Mapping[str, SelectedVersion | Refused],
    stored: Mapping[int, PublishedVersion],
    history: TagHistory,
    current: CurrentKinds,
) -> Draft | Refused:
    if parsed.refusal:
        return parsed.refusal
    try:
        choices = dependencies.accept_selected(parsed.references, selected)
        loaded = dependencies.build_dependencies(choices, stored)
        dependencies.refuse_too_large(choices.values())
        return drafting.compute_draft(
            parsed.revision.source,
            parsed.body,
            parsed.tag,
            loaded=loaded,
            history=history,
            current=current,
        )
    except Refused as refusal:
        return refusal


def _twin_lints(drafts: Mapping[int, Draft | Refused]) -> dict[int, list[Fault]]:
    """Return the lint of identical targets of each draft. At most two queries."""
    subjects = {pk: draft.twin_subject for pk, draft in drafts.items() if isinstance(draft, Draft)}
    return dict(zip(subjects, twins.find_twins(list(subjects.values())), strict=True))


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
