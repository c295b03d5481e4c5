"""Reads the current revisions of kinds, and creates new ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.db.models import F

from registry.domain import document
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.kinds import body_schema, kind_revisions, kinds as domain
from registry.domain.names.near_names import nearest_names
from registry.models import Kind, KindRevision, User
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.services.core import permissions
from registry.services.core.paging import Page, paginate
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event, last_event_number
from registry.services.kinds import revision_impact
from registry.services.kinds.revision_impact import BrokenVersion, Examples, RevisionPreview


@dataclass(frozen=True, eq=False)
class CurrentKinds:
    """The current kinds, and the primary keys of their newest revisions by name.

    `key` identifies these revisions in caches, and in those of one process so does the instance.
    """

    kinds: domain.Kinds
    revisions: Mapping[str, int]
    key: Hashable


_newest_revisions: PreparedQuery[Any] = PreparedQuery(  # with the names of their kinds
    lambda: (
        KindRevision.objects.newest()
        .annotate(kind_name=F("kind__name"))
        .only("number", "digest")
        .order_by("kind__name")
    )
)


def current_kinds() -> CurrentKinds:
    """Return the newest revision of every kind. One query, and one for each that is not cached."""
    rows = _newest_revisions()
    return _kinds_of_revisions(
        tuple((row.kind_name, row.number, row.digest, row.pk) for row in rows)
    )


@lru_cache(maxsize=64)  # the current revisions, and the few sets that versions refer to
def _kinds_of_revisions(revisions: tuple[tuple[str, int, str, int], ...]) -> CurrentKinds:
    return CurrentKinds(
        domain.Kinds(_kind(*revision) for revision in revisions),
        {name: pk for name, _, _, pk in revisions},
        hashlib.sha256(repr(revisions).encode()).digest(),
    )


@lru_cache(maxsize=512)
def _kind(name: str, number: int, digest: str, pk: int) -> domain.Kind:
    """Return a kind. The digest is part of the cache key: rollbacks free primary keys."""
    revision = KindRevision.objects.get(pk=pk, digest=digest)
    return domain.Kind(name, number, json.loads(revision.source))


_checked_against: PreparedQuery[Any] = PreparedQuery(  # with the names of kinds, and the version
    lambda: (
        KindRevision.objects.filter(versions__version__among=PLACEHOLDER)
        .annotate(kind_name=F("kind__name"), version_pk=F("versions__version"))
        .only("number", "digest")
        .order_by("kind__name")
    )
)


def kinds_of_versions(versions: Collection[int]) -> dict[int, domain.Kinds]:
    """Return the kinds that versions were checked against, by the versions' primary keys.

    One query, and one for each revision that is not cached.
    """
    revisions: dict[int, list[tuple[str, int, str, int]]] = {pk: [] for pk in versions}
    for row in _checked_against(versions):
        revisions[row.version_pk].append((row.kind_name, row.number, row.digest, row.pk))
    return {pk: _kinds_of_revisions(tuple(rows)).kinds for pk, rows in revisions.items()}


def list_kinds(
    *, after: Sequence[Any] | None = None, limit: int | None = None
) -> Page[domain.Kind]:
    """Return a page of the current kinds, by name. One query."""
    kinds = current_kinds().kinds
    names = [name for name in sorted(kinds) if not after or name > after[0]]
    return paginate([kinds[name] for name in names], key=lambda kind: [kind.name], limit=limit)


def find_kind(name: str) -> domain.Kind:
    """Return a kind by name. Raises `Refused` (KIND_UNKNOWN) with similar names."""
    kinds = current_kinds().kinds
    if name not in kinds:
        raise Refused(
            Code.KIND_UNKNOWN,
            f"There is no kind {echo(name)!r}.",
            suggestions=nearest_names(name, domain.offered(kinds)),
        )
    return kinds[name]


def preview_revision(name: str, source: Mapping[str, Any]) -> RevisionPreview:
    """Return the effects of a new schema of a kind. Writes nothing, raises no `Refused`."""
    return preview_revisions({name: source})[name]


def preview_revisions(sources: Mapping[str, Mapping[str, Any]]) -> dict[str, RevisionPreview]:
    """Return the combined effects of new schemas of several kinds, by name.

    Two queries, one for each revision that is not cached, and those of `compute_effects`.
    """
    kinds, digests = current_kinds().kinds, _digests(sources)
    previews = {
        name: _preview(name, source, kinds.get(name), digests.get(name, ""))
        for name, source in sources.items()
    }
    changed = [
        domain.Kind(name, preview.number, sources[name])
        for name, preview in previews.items()
        if not (preview.is_unchanged or preview.problems)
    ]
    effects = revision_impact.compute_effects(kinds, changed)
    for kind in changed:
        previews[kind.name] = replace(previews[kind.name], effects=effects)
    return previews


def _digests(names: Iterable[str]) -> dict[str, str]:
    """Return the digests of current schemas, by the names of their kinds."""
    revisions = KindRevision.objects.newest().filter(kind__name__in=list(names))
    return dict(revisions.values_list("kind__name", "digest"))


def _preview(
    name: str, source: Mapping[str, Any], old: domain.Kind | None, digest: str
) -> RevisionPreview:
    """Return a preview whose effects are not computed yet."""
    number = old.revision if old else 0
    preview = RevisionPreview(
        name, number + 1, number, problems=tuple(kind_revisions.schema_problems(name, source))
    )
    if preview.problems:
        return preview
    if digest == schema_digest(source):
        return replace(preview, is_unchanged=True)
    without_options = {**source, "properties": {}, "patternProperties": {}}
    before = old.source if old else without_options
    return replace(preview, changes=kind_revisions.compare_schemas(before, source))


def schema_digest(source: Mapping[str, Any]) -> str:
    return document.digest(_text(source).encode())


def _text(source: Mapping[str, Any]) -> str:
    return json.dumps(source, ensure_ascii=False)


def revise_kind(
    name: str, source: Mapping[str, Any], *, actor: Actor | None
) -> KindRevision | None:
    """Create a new revision of a kind and return it, or None if the schema is unchanged.

    Raises `Refused` (BODY_INVALID) with every problem of the schema, or with up to 20 newest
    versions that would become invalid.
    """
    return next(iter(revise_kinds({name: source}, actor=actor)), None)


def revise_kinds(
    sources: Mapping[str, Mapping[str, Any]], *, actor: Actor | None
) -> list[KindRevision]:
    """Create new revisions of several kinds, all or none, and return them.

    Checking them together lets an option move from one kind to another. Kinds with an unchanged
    schema are omitted. Raises `Refused` as `revise_kind` does.
    """
    permission = permissions.require(actor, Action.REVISE_KIND)
    if body_schema.NAME in sources:
        raise Refused(
            Code.CONFLICT,
            f"{body_schema.NAME} is reserved for the schema of bodies; no kind can have this name.",
        )
    last_event = last_event_number()
    previews = _checked_previews(sources)
    with authorized_write(permission):
        if last_event_number() != last_event:  # the checks may be out of date
            previews = _checked_previews(sources)
        return [_write(preview, sources[preview.name], permission.user) for preview in previews]


def _checked_previews(sources: Mapping[str, Mapping[str, Any]]) -> Collection[RevisionPreview]:
    """Return the previews of changed kinds. Raises `Refused` if one is invalid."""
    previews = preview_revisions(sources).values()
    refuse_all(
        Fault("", Code.BODY_INVALID, f"{preview.name}: {problem}")
        for preview in previews
        for problem in preview.problems
    )
    changed = [preview for preview in previews if not preview.is_unchanged]
    if changed:  # all share their effects
        _refuse_broken(changed[0].effects.broken, ", ".join(preview.name for preview in changed))
    return changed


def _refuse_broken(broken: Examples[BrokenVersion], names: str) -> None:
    if not broken.count:
        return
    rest = f", and {broken.count - 1} more" if broken.count > 1 else ""
    raise Refused(
        Code.BODY_INVALID,
        f"The new revision of {names} was rejected: {broken.examples[0]}{rest}.",
        faults=[
            Fault("", Code.BODY_INVALID, str(version), "a schema that keeps newest versions valid")
            for version in broken.examples
        ],
    )


def _write(preview: RevisionPreview, source: Mapping[str, Any], author: User) -> KindRevision:
    kind, _ = Kind.objects.get_or_create(name=preview.name)
    revision = KindRevision.objects.create(
        kind=kind,
        number=preview.number,
        source=_text(source),
        digest=schema_digest(source),
        author=author,
    )
    append_event(
        "kind.revised",
        preview.name,
        actor=author,
        namespace="",
        revision=revision.number,
        digest=revision.digest,
        before=preview.current_number or None,
    )
    return revision
