"""Publishes the shipped tags and aliases, except those that others have changed."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter

from registry.domain.body_references import body_references
from registry.domain.document import canonical
from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Event, Name, Version
from registry.services.catalogue.load_run import CatalogueItem, CatalogueLoad, adopt_hint
from registry.services.core import redaction_marks, shipped_facts
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion
from registry.services.tags import aliases
from registry.services.versions.publishing import publish


@dataclass(frozen=True, slots=True)
class ExistingVersion:
    """A published version of a shipped tag, whoever published it."""

    number: VersionNumber
    body: bytes  # canonical
    publisher: str
    is_redacted: bool


@dataclass(slots=True)
class ExistingState:
    """The existing rows of shipped names, and the number of names skipped per namespace."""

    names: Mapping[str, Name]
    publications: Mapping[str, Sequence[ExistingVersion]]
    taken: frozenset[str]  # namespaces that others created
    skipped: Counter[str] = field(default_factory=Counter)


def load_tags(
    loading: CatalogueLoad, taken: Collection[str], report: Callable[[str, int, int], None]
) -> None:
    """Publish the missing versions of shipped tags, parents first, and point their aliases.

    `taken` are namespaces that others created: no new name is added to them. Raises `Refused` if
    a name to adopt cannot be loaded.
    """
    tags = parents_first(shipped_facts.tags())
    state = _existing_state(tags, taken)
    for done, tag in enumerate(tags, start=1):
        if _publish(loading, tag, state):
            for alias in tag.aliases:
                _point(loading, alias, tag, state)
        report("tags", done, len(tags))
    for namespace, count in state.skipped.items():
        names = f"{count} name{'s' if count > 1 else ''}"
        loading.leave(
            namespace,
            f"The namespace {namespace} was made by somebody else: {names} that would ship in it "
            f"stay out. {adopt_hint(namespace, 'puts them there')}",
        )


def _existing_state(tags: Sequence[ShippedTag], taken: Collection[str]) -> ExistingState:
    """Return what exists under the shipped names. A constant number of queries."""
    texts = [name for tag in tags for name in (tag.name, *tag.aliases)]
    names = Name.objects.filter(text__in=texts).select_related("tag")
    return ExistingState(
        {name.text: name for name in names},
        _publications([tag.name for tag in tags]),
        frozenset(taken),
    )


def _publications(tags: Sequence[str]) -> dict[str, list[ExistingVersion]]:
    redacted = redaction_marks.redacted_rows(Version._meta.label_lower)
    publications: dict[str, list[ExistingVersion]] = defaultdict(list)
    rows = Version.objects.filter(tag__text__in=tags).select_related("tag", "publisher")
    columns = ("source", "major", "minor", "patch", "tag__text", "publisher__username")
    for row in rows.only(*columns).order_by("pk"):
        body = canonical(json.loads(row.source))
        publications[row.tag.text].append(
            ExistingVersion(row.number, body, row.publisher.username, row.pk in redacted)
        )
    return publications


def missing_versions(
    tag: ShippedTag, existing: Sequence[ExistingVersion], account: str
) -> list[ShippedVersion]:
    """Return the shipped versions of a tag after the last one that is published, by anybody.

    Versions are matched by body, in order, so a version skipped once does not shift later ones.
    A redacted version of the catalogue's matches any body.
    """
    start, last = 0, 0
    for position, version in enumerate(tag.versions, start=1):
        body = canonical(version.body)
        for index in range(start, len(existing)):
            candidate = existing[index]
            if candidate.body == body or (candidate.is_redacted and candidate.publisher == account):
                start, last = index + 1, position
                break
    return list(tag.versions[last:])


def _publish(loading: CatalogueLoad, tag: ShippedTag, state: ExistingState) -> bool:
    """Publish a tag's missing versions unless it is left alone; return whether the tag exists."""
    name, existing = state.names.get(tag.name), state.publications.get(tag.name, ())
    missing = missing_versions(tag, existing, loading.account.username)
    if not missing:
        return True
    if name and name.is_alias:
        taken = Refused(
            Code.CONFLICT,
            f"{tag.name} is an alias of {name.tag} here, and a name is never free for another tag: "
            "the tag that would ship stays out.",
        )
        loading.fail(tag.name, taken, taken.detail)
        return False
    if name is None and _is_skipped(loading, tag.name, state):
        return False
    if (
        existing
        and existing[-1].publisher != loading.account.username
        and not loading.adopts(tag.name)
    ):
        loading.leave(tag.name, _why(tag.name, existing[-1], len(missing)))
        return True
    return _published(loading, tag.name, missing, existing[-1].number if existing else None)


def _why(tag: str, newest: ExistingVersion, count: int) -> str:
    are, them = ("is", "it") if count == 1 else ("are", "them")
    versions = CatalogueItem.VERSION.counted(count)
    return (
        f"{tag}@{newest.number} is {newest.publisher}'s, and {versions} that would ship {are} not "
        f"there. {adopt_hint(tag, f'publishes {them} on top')}"
    )


def _published(
    loading: CatalogueLoad,
    name: str,
    versions: Iterable[ShippedVersion],
    last: VersionNumber | None,
) -> bool:
    """Publish versions of a tag until one fails; return whether the tag exists."""
    for version in versions:
        try:
            published = publish(
                TagName.parse(name),
                version.source,
                message=version.message,
                sources=version.sources,
                actor=loading.actor,
                expected=last,
            )
        except Refused as refusal:
            if refusal.code is Code.NOTHING_CHANGED:
                continue
            why = f"A version of {name} that would ship is refused, and left out: {refusal.detail}"
            loading.fail(name, refusal, why)
            break
        last = published.number
        loading.make(CatalogueItem.VERSION, published.exact)
    return last is not None


def _point(loading: CatalogueLoad, alias: str, tag: ShippedTag, state: ExistingState) -> None:
    """Point an alias at a tag, unless it is left alone."""
    existing_name = state.names.get(alias)
    if existing_name is None:
        if _is_skipped(loading, alias, state):
            return
    elif (
        existing_name.is_alias
        and existing_name.tag.text == tag.name
        and not str(existing_name.selector)
    ):
        return
    elif (
        existing_name.is_alias
        and not _is_ours(existing_name, loading)
        and not loading.adopts(alias)
    ):
        stands = Reference(existing_name.tag.text, existing_name.selector)
        effect = f"points it at {tag.name}"
        loading.leave(
            alias,
            f"The alias {alias} stands for {stands} here; what ships points it at {tag.name}. "
            + adopt_hint(alias, effect),
        )
        return
    try:
        aliases.point_alias(alias, Reference(tag.name), actor=loading.actor)
    except Refused as refusal:
        why = f"The alias {alias} of {tag.name} stays out: {refusal.detail}"
        loading.fail(alias, refusal, why)
    else:
        loading.make(CatalogueItem.ALIAS, f"{alias}, for {tag.name}")


def _is_ours(alias: Name, loading: CatalogueLoad) -> bool:
    """Return whether the catalogue pointed an alias last. One query."""
    pointed = Event.objects.filter(
        action="alias.pointed", namespace=alias.text.partition("/")[0], subject=alias.text
    )
    last = pointed.order_by("-number").first()
    return last is not None and last.actor_id == loading.account.pk


def _is_skipped(loading: CatalogueLoad, name: str, state: ExistingState) -> bool:
    """Return whether a new name is in a namespace that others created."""
    namespace = name.partition("/")[0]
    if namespace not in state.taken:
        return False
    is_adopted = [loading.adopts(text) for text in (name, namespace)]
    if not any(is_adopted):
        state.skipped[namespace] += 1
    return not any(is_adopted)


def parents_first(tags: Iterable[ShippedTag]) -> list[ShippedTag]:
    """Return tags in an order in which each follows the tags that its bodies refer to."""
    by_name = {name: tag for tag in tags for name in (tag.name, *tag.aliases)}
    graph = {
        tag.name: {
            by_name[request.reference.text].name
            for version in tag.versions
            for request in body_references(version.body)
            if request.reference.text in by_name
        }
        for tag in by_name.values()
    }
    return [by_name[name] for name in TopologicalSorter(graph).static_order()]
