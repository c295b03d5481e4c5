"""Publishes many bodies together, by the rules of `publishing`, in a constant number of queries.

As there, drafts are computed without the lock and written under it. Bodies that refer to each
other's tags belong in different batches, parents first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from registry.domain import user_text
from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.domain.resolution.body_references import BodyReference
from registry.domain.resolution.merging import PublishedVersion
from registry.models import Namespace, Tag, User, Version
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.namespaces import lookup
from registry.services.search import indexing
from registry.services.versions import dependencies, drafting, families, publishing, tag_names
from registry.services.versions.dependencies import Dependencies, FloatingGraph
from registry.services.versions.drafting import Draft, ParsedBody, TagHistory
from registry.services.versions.selection import SelectedVersion
from registry.services.versions.storage import NumberedDraft, store_versions

BATCH_SIZE = 500  # versions per transaction, for which other writers wait half a second


@dataclass(frozen=True, slots=True)
class Publication:
    """A body to be published as the next version of a tag.

    `is_family` is whether a tag without versions becomes a family.
    """

    tag: TagName
    source: str
    message: str
    sources: Sequence[str] = ()
    is_family: bool = False


@dataclass(frozen=True, slots=True)
class PreparedPublication:
    """A publication with its draft, or with the reason why it is rejected."""

    publication: Publication
    result: Draft | Refused

    @property
    def draft(self) -> Draft | None:
        """Return the draft; None if the publication is rejected."""
        return self.result if isinstance(self.result, Draft) else None

    @property
    def refusal(self) -> Refused | None:
        """Return the error; None if there is a draft."""
        return self.result if isinstance(self.result, Refused) else None


# Decision 068: a batch stores what single publications would, by the same functions.
def prepare_all(publications: Sequence[Publication]) -> list[PreparedPublication]:
    """Draft bodies, each as the version after the one before it of the same tag.

    Of a tag, everything after a rejected version is left out, unless the version would have changed
    nothing. Takes at most eight queries, one for each level of floating references of existing
    tags, and some for each unknown reference.
    """
    bodies = [_parse(publication) for publication in publications]
    context = _load_context(publications, bodies)
    rejected: set[TagName] = set()
    prepared = []
    for publication, body in zip(publications, bodies, strict=True):
        if publication.tag in rejected:
            continue
        result: Draft | Refused
        try:
            result = context.draft(publication, body)
        except Refused as refusal:
            result = refusal
            if refusal.code is not Code.NOTHING_CHANGED:
                rejected.add(publication.tag)
        prepared.append(PreparedPublication(publication, result))
    return prepared


def finish_all(prepared: Iterable[PreparedPublication], *, publisher: User) -> list[Version]:
    """Write prepared versions, and create their tags. Call inside `authorized_write`.

    Nothing may have been written since `prepare_all`, which the caller checks, like the permission
    to publish all tags.
    """
    ready = [(item.publication, item.draft) for item in prepared if item.draft]
    tags, new = _find_or_create_tags([publication for publication, _ in ready])
    marked = {str(publication.tag) for publication, _ in ready if publication.is_family}
    families.mark_families([tag for tag in new if tag.text in marked], user=publisher)
    versions = store_versions(
        [
            NumberedDraft(
                draft,
                publishing.require_number(draft),
                tags[str(publication.tag)],
                user_text.normalize_text(publication.message),
                publication.sources,
            )
            for publication, draft in ready
        ],
        publisher=publisher,
    )
    pairs = zip(versions, ready, strict=True)
    newest = {version.tag_id: (version, draft.resolution.target) for version, (_, draft) in pairs}
    indexing.index_versions(dict(newest.values()), {tag.pk for tag in new}, kinds.current_kinds())
    return versions


def _find_or_create_tags(publications: Sequence[Publication]) -> tuple[dict[str, Tag], list[Tag]]:
    """Return the tags of publications by name, and those of them that are new."""
    names = list(dict.fromkeys(publication.tag for publication in publications))
    rows = tag_names.find_tags(names)
    existing = {name: tag for name, tag in rows.items() if isinstance(tag, Tag)}
    namespaces = Namespace.objects.in_bulk({name.namespace for name in names}, field_name="name")
    missing = {name: namespaces[name.namespace] for name in names if str(name) not in existing}
    created = tag_names.create_tags(missing) if missing else {}
    return existing | created, list(created.values())


@dataclass(slots=True)
class _Context:
    """Everything that drafts of a batch need from the database; each draft is added to it."""

    namespaces: Collection[str]
    tags: Mapping[str, Tag | Refused]
    histories: dict[str, TagHistory]
    answers: Mapping[str, SelectedVersion | Refused]
    stored: Mapping[int, PublishedVersion]
    graph: FloatingGraph
    current: CurrentKinds

    def draft(self, publication: Publication, body: ParsedBody | Refused) -> Draft:
        """Return the draft of a body. Raises `Refused` as `publishing.publish` does."""
        tag = publication.tag
        row = self.tags.get(str(tag))
        if tag.namespace not in self.namespaces:
            lookup.require_namespace(tag.namespace)
        if isinstance(body, Refused):
            raise body
        if isinstance(row, Refused):
            raise row
        history = self.histories.get(str(tag), TagHistory(is_family=publication.is_family))
        loaded = self._dependencies(tag, row, body.references)
        draft = drafting.compute_draft(
            body, tag, loaded=loaded, history=history, current=self.current
        )
        publishing.require_number(draft)
        draft.own_lints  # noqa: B018 - computes and caches them, outside the lock
        self.histories[str(tag)] = history.followed_by(draft)
        return draft

    def _dependencies(
        self, tag: TagName, row: Tag | None, references: Sequence[BodyReference]
    ) -> Dependencies:
        """Return what a body refers to, as `dependencies.load_dependencies` does."""
        choices = dependencies.choose_versions(references, self.answers)
        key = row.pk if row else None
        self.graph.refuse_cycles(references, choices, str(tag), [key] if key else [])
        dependencies.refuse_too_large(choices.values())
        if key:
            self.graph.uses[key] = set(dependencies.floating_tags(references, choices))
        return dependencies.build_dependencies(choices, self.stored)


def _parse(publication: Publication) -> ParsedBody | Refused:
    try:
        publishing.check_message(user_text.normalize_text(publication.message), publication.sources)
        return ParsedBody.parse(publication.source)
    except Refused as refusal:
        return refusal


def _load_context(
    publications: Iterable[Publication], bodies: Iterable[ParsedBody | Refused]
) -> _Context:
    names = {publication.tag for publication in publications}
    tags = tag_names.find_tags(names)
    existing = {name for name in names if isinstance(tags.get(str(name)), Tag)}
    answers, stored = dependencies.load_answers(
        reference
        for body in bodies
        if isinstance(body, ParsedBody)
        for reference in body.references
    )
    used = {a.tag.pk for a in answers.values() if isinstance(a, SelectedVersion) and existing}
    owners = {name.namespace for name in names}
    return _Context(
        namespaces=set(Namespace.objects.filter(name__in=owners).values_list("name", flat=True)),
        tags=tags,
        histories=drafting.load_histories(existing) if existing else {},
        answers=answers,
        stored=stored,
        graph=FloatingGraph.load(used),
        current=kinds.current_kinds(),
    )
