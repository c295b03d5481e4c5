"""Publishes shipped tags and aliases, except those that others have changed."""

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
    """Publish the missing versions of shipped tags, parents first, and their aliases.

    Adds no new names to the namespaces in `taken`, which others created. Raises `Refused` if a name
    to adopt cannot be loaded.
    """
    tags = parents_first(shipped_facts.tags())
    state = _existing_state(tags, taken)
    for done, tag in enumerate(tags, start=1):
        if _load_tag(loading, tag, state):
            for alias in tag.aliases:
                _load_alias(loading, alias, tag, state)
        report("tags", done, len(tags))
    for namespace, count in state.skipped.items():
        names = f"{count} shipped name{'s' if count > 1 else ''}"
        loading.skip(
            namespace,
            f"The namespace {namespace} was created by somebody else, so {names} in it were not "
            f"loaded. {adopt_hint(namespace, 'loads them')}",
        )


def _existing_state(tags: Sequence[ShippedTag], taken: Collection[str]) -> ExistingState:
    """Return the existing rows of the shipped names. A constant number of queries."""
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
    """Return the shipped versions of a tag after the last published one, whoever published it.

    Versions are matched by body, in order, so a version skipped once does not shift later ones.
    A redacted version that the catalogue published matches any body.
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


def _load_tag(loading: CatalogueLoad, tag: ShippedTag, state: ExistingState) -> bool:
    """Publish the missing versions of a tag or skip it; return whether the tag exists."""
    name, existing = state.names.get(tag.name), state.publications.get(tag.name, ())
    missing = missing_versions(tag, existing, loading.account.username)
    if not missing:
        return True
    if name and name.is_alias:
        taken = Refused(
            Code.CONFLICT,
            f"{tag.name} is an alias of {name.tag} in this registry, and names cannot be reused: "
            "the shipped tag was not loaded.",
        )
        loading.skip_or_raise(tag.name, taken, taken.detail)
        return False
    if name is None and _is_skipped(loading, tag.name, state):
        return False
    if (
        existing
        and existing[-1].publisher != loading.account.username
        and not loading.should_adopt(tag.name)
    ):
        loading.skip(tag.name, _skip_reason(tag.name, existing[-1], len(missing)))
        return True
    return _publish_versions(loading, tag, missing, existing[-1].number if existing else None)


def _skip_reason(tag: str, newest: ExistingVersion, count: int) -> str:
    versions, them = ("version", "it") if count == 1 else ("versions", "them")
    return (
        f"{tag}@{newest.number} was published by {newest.publisher}, so {count} shipped {versions} "
        f"cannot follow. {adopt_hint(tag, f'publishes {them} after it')}"
    )


def _publish_versions(
    loading: CatalogueLoad,
    tag: ShippedTag,
    versions: Iterable[ShippedVersion],
    last: VersionNumber | None,
) -> bool:
    """Publish versions of a tag until one fails; return whether the tag exists.

    Only the first version says whether the tag is a family; later, curators decide.
    """
    name = tag.name
    for version in versions:
        try:
            published = publish(
                TagName.parse(name),
                version.source,
                message=version.message,
                sources=version.sources,
                actor=loading.actor,
                expected=last,
                is_family=tag.is_family if last is None else None,
            )
        except Refused as refusal:
            if refusal.code is Code.NOTHING_CHANGED:
                continue
            reason = f"A shipped version of {name} was rejected: {refusal.detail}"
            loading.skip_or_raise(name, refusal, reason)
            break
        last = published.number
        loading.add_change(CatalogueItem.VERSION, published.exact)
    return last is not None


def _load_alias(loading: CatalogueLoad, alias: str, tag: ShippedTag, state: ExistingState) -> None:
    """Point an alias at a tag, or skip it."""
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
        and not loading.should_adopt(alias)
    ):
        current = Reference(existing_name.tag.text, existing_name.selector)
        hint = adopt_hint(alias, f"points it at {tag.name}")
        loading.skip(
            alias,
            f"The alias {alias} points at {current}, in the catalogue at {tag.name}. {hint}",
        )
        return
    try:
        aliases.point_alias(alias, Reference(tag.name), actor=loading.actor)
    except Refused as refusal:
        reason = f"The alias {alias} of {tag.name} was not created: {refusal.detail}"
        loading.skip_or_raise(alias, refusal, reason)
    else:
        loading.add_change(CatalogueItem.ALIAS, f"{alias}, for {tag.name}")


def _is_ours(alias: Name, loading: CatalogueLoad) -> bool:
    """Return whether the last change of an alias was made by the catalogue. One query."""
    pointed = Event.objects.filter(
        action="alias.pointed", namespace=alias.text.partition("/")[0], subject=alias.text
    )
    last = pointed.order_by("-number").first()
    return last is not None and last.actor_id == loading.account.pk


def _is_skipped(loading: CatalogueLoad, name: str, state: ExistingState) -> bool:
    """Return whether to skip a new name because others created its namespace."""
    namespace = name.partition("/")[0]
    if namespace not in state.taken:
        return False
    is_adopted = [loading.should_adopt(text) for text in (name, namespace)]
    if not any(is_adopted):
        state.skipped[namespace] += 1
    return not any(is_adopted)


def parents_first(tags: Iterable[ShippedTag]) -> list[ShippedTag]:
    """Sort tags so that each follows the tags that its bodies refer to."""
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
