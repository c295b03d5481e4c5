"""The kinds in force, and new revisions of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.db.models import F

from registry.domain import body_schema, document, kind_revisions, kinds as domain
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.near_names import nearest_names
from registry.models import Kind, KindRevision, User
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.services.core import permissions
from registry.services.core.paging import Page, paginate
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write, last_event_number
from registry.services.kinds import revision_impact
from registry.services.kinds.revision_impact import BrokenVersion, Examples, RevisionPreview


@dataclass(frozen=True)
class CurrentKinds:
    """The kinds in force at one moment, and the primary keys of their revisions by name."""

    kinds: domain.Kinds
    revisions: Mapping[str, int]


_in_force: PreparedQuery[Any] = PreparedQuery(  # revisions, with the name of their kind
    lambda: (
        KindRevision.objects.newest()
        .annotate(kind_name=F("kind__name"))
        .only("number", "digest")
        .order_by("kind__name")
    )
)


def current_kinds() -> CurrentKinds:
    """The newest revision of every kind. One query; schemas are compiled once a process."""
    return _current(tuple((row.kind_name, row.number, row.digest, row.pk) for row in _in_force()))


@lru_cache(maxsize=64)  # those in force, and the few sets that versions are checked against
def _current(revisions: tuple[tuple[str, int, str, int], ...]) -> CurrentKinds:
    return CurrentKinds(
        domain.Kinds(_kind(*revision) for revision in revisions),
        {name: pk for name, _, _, pk in revisions},
    )


@lru_cache(maxsize=512)
def _kind(name: str, number: int, digest: str, pk: int) -> domain.Kind:
    """Known by its content: a key can be given out again after a rollback."""
    revision = KindRevision.objects.get(pk=pk, digest=digest)
    return domain.Kind(name, number, json.loads(revision.source))


_checked_against: PreparedQuery[Any] = (
    PreparedQuery(  # revisions, with their kind's name and the version
        lambda: (
            KindRevision.objects.filter(versions__version__among=PLACEHOLDER)
            .annotate(kind_name=F("kind__name"), version_pk=F("versions__version"))
            .only("number", "digest")
            .order_by("kind__name")
        )
    )
)


def kinds_of_versions(versions: Collection[int]) -> dict[int, domain.Kinds]:
    """The kinds that versions were checked against, in those revisions, by the versions' keys.

    One query, and one for each revision that was not loaded before.
    """
    found: dict[int, list[tuple[str, int, str, int]]] = {pk: [] for pk in versions}
    for row in _checked_against(versions):
        found[row.version_pk].append((row.kind_name, row.number, row.digest, row.pk))
    return {pk: _current(tuple(revisions)).kinds for pk, revisions in found.items()}


def list_kinds(*, after: Sequence[Any] | None = None) -> Page[domain.Kind]:
    """The kinds in force by name. One query."""
    found = current_kinds().kinds
    names = [name for name in sorted(found) if not after or name > after[0]]
    return paginate([found[name] for name in names], key=lambda kind: [kind.name])


def find_kind(name: str) -> domain.Kind:
    """A kind by name. Raises `Refused` (KIND_UNKNOWN) with the nearest names."""
    kinds = current_kinds().kinds
    if name not in kinds:
        raise Refused(
            Code.KIND_UNKNOWN,
            f"There is no kind {echo(name)!r}.",
            suggestions=nearest_names(name, kinds),
        )
    return kinds[name]


def preview_revision(name: str, source: Mapping[str, Any]) -> RevisionPreview:
    """What putting a schema in force would do; nothing is written, and nothing refused."""
    return preview_revisions({name: source})[name]


def preview_revisions(sources: Mapping[str, Mapping[str, Any]]) -> dict[str, RevisionPreview]:
    """What putting several schemas in force together would do, by name.

    Two queries, one for each revision that was not loaded before, and `previewing.effects`.
    """
    kinds, digests = current_kinds().kinds, _digests(sources)
    previews = {
        name: _compared(name, source, kinds.get(name), digests.get(name, ""))
        for name, source in sources.items()
    }
    coming = [
        domain.Kind(name, preview.number, sources[name])
        for name, preview in previews.items()
        if not (preview.is_same or preview.problems)
    ]
    effects = revision_impact.effects(kinds, coming)
    for kind in coming:
        previews[kind.name] = replace(previews[kind.name], effects=effects)
    return previews


def _digests(names: Iterable[str]) -> dict[str, str]:
    """The digests of schemas in force, by the names of their kinds."""
    found = KindRevision.objects.newest().filter(kind__name__in=list(names))
    return dict(found.values_list("kind__name", "digest"))


def _compared(
    name: str, source: Mapping[str, Any], old: domain.Kind | None, digest: str
) -> RevisionPreview:
    """A preview that does not know its effects yet."""
    number = old.revision if old else 0
    found = RevisionPreview(
        name, number + 1, number, problems=tuple(kind_revisions.schema_problems(name, source))
    )
    if found.problems:
        return found
    if digest == schema_digest(source):
        return replace(found, is_same=True)
    without_options = {**source, "properties": {}, "patternProperties": {}}
    before = old.source if old else without_options
    return replace(found, changes=kind_revisions.compare_schemas(before, source))


def schema_digest(source: Mapping[str, Any]) -> str:
    """The digest of a schema as it is stored."""
    return document.digest(_text(source).encode())


def _text(source: Mapping[str, Any]) -> str:
    return json.dumps(source, ensure_ascii=False)


def revise_kind(
    name: str, source: Mapping[str, Any], *, actor: Actor | None
) -> KindRevision | None:
    """Put a new revision of a kind in force; None where its schema is the one in force.

    Raises `Refused` (BODY_INVALID) with every reason why the schema cannot describe a kind, or
    with every newest version that would be invalid under it (up to 20).
    """
    return next(iter(revise_kinds({name: source}, actor=actor)), None)


def revise_kinds(
    sources: Mapping[str, Mapping[str, Any]], *, actor: Actor | None
) -> list[KindRevision]:
    """Put new revisions of several kinds in force, judged together: all of them or none.

    So an option can move from one to another. Those whose schema is in force are left out. Raises
    `Refused` as `revise` does.
    """
    permission = permissions.require(actor, Action.REVISE_KIND)
    if body_schema.NAME in sources:
        raise Refused(
            Code.CONFLICT,
            f"{body_schema.NAME} is the schema of whole bodies; no kind has the name.",
        )
    seen = last_event_number()
    previews = _accepted(sources)
    with authorized_write(permission):
        if (
            last_event_number() != seen
        ):  # something was written meanwhile: what was found may not hold
            previews = _accepted(sources)
        return [_written(preview, sources[preview.name], permission.user) for preview in previews]


def _accepted(sources: Mapping[str, Mapping[str, Any]]) -> Collection[RevisionPreview]:
    """The previews of revisions to be made. Raises `Refused`."""
    previews = preview_revisions(sources).values()
    refuse_all(
        Fault("", Code.BODY_INVALID, f"{preview.name}: {problem}")
        for preview in previews
        for problem in preview.problems
    )
    coming = [preview for preview in previews if not preview.is_same]
    if coming:  # they share their effects
        _refuse_broken(coming[0].effects.broken, ", ".join(preview.name for preview in coming))
    return coming


def _refuse_broken(broken: Examples[BrokenVersion], names: str) -> None:
    if not broken.count:
        return
    rest = f", and {broken.count - 1} more" if broken.count > 1 else ""
    raise Refused(
        Code.BODY_INVALID,
        f"The new revision of {names} is not accepted: {broken.examples[0]}{rest}.",
        faults=[
            Fault("", Code.BODY_INVALID, str(each), "a schema that keeps newest versions valid")
            for each in broken.examples
        ],
    )


def _written(preview: RevisionPreview, source: Mapping[str, Any], author: User) -> KindRevision:
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
        before=preview.in_force or None,
    )
    return revision
