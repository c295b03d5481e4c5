"""Publishes shipped tags and aliases, except those that others have changed.

Tags are loaded release by release and level by level, parents first, some hundred versions in each
transaction. So other writers wait for one transaction at most, and a load that was interrupted
continues where it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Version
from registry.services.catalogue import lock, shipped_deprecations
from registry.services.catalogue.existing_names import (
    ExistingName,
    ExistingState,
    ExistingVersion,
    load_existing,
    missing_versions,
    points_at,
)
from registry.services.catalogue.load_run import CatalogueItem, CatalogueLoad, adopt_hint
from registry.services.catalogue.shipped_order import sort_into_levels, waves
from registry.services.core import permissions, shipped_facts
from registry.services.core.permission_rules import Action
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import last_event_number
from registry.services.tags import aliases
from registry.services.versions import bulk_publishing
from registry.services.versions.bulk_publishing import BATCH_SIZE, PreparedPublication, Publication

# Decision 186: each transaction writes the pages of most indexes again.
FIRST_BATCH_SIZE = 2000  # versions per transaction while the registry has none, and no writers


def load_tags(
    loading: CatalogueLoad, taken: Collection[str], report: Callable[[str, int, int], None]
) -> None:
    """Publish the missing versions and aliases of shipped tags, parents first; then deprecate.

    The versions of a release are published before those of the next: see `waves`.

    Adds no new names to the namespaces in `taken`, which others created. Raises `Refused` if a name
    to adopt cannot be loaded.
    """
    tags = {tag.name: tag for level in sort_into_levels(shipped_facts.tags()) for tag in level}
    state = load_existing([*tags.values()])
    waiting = [tag for tag in tags.values() if _is_incomplete(tag, state, loading)]
    done = len(tags) - len(waiting)
    report("tags", done, len(tags))
    size = BATCH_SIZE if Version.objects.exists() else FIRST_BATCH_SIZE
    for wave in waves(waiting, lock.read_lock()):
        for batch in (batch for level in sort_into_levels(wave) for batch in _batches(level, size)):
            _load_batch(loading, batch, frozenset(taken))
            done += sum(len(tag.versions) == len(tags[tag.name].versions) for tag in batch)
            report("tags", done, len(tags))
    shipped_deprecations.load_deprecations(loading, [*tags.values()])
    for namespace, count in loading.left_out.items():
        names = f"{count} shipped name{'s' if count > 1 else ''}"
        loading.skip(
            namespace,
            f"The namespace {namespace} was created by somebody else, so {names} in it were not "
            f"loaded. {adopt_hint(namespace, 'loads them')}",
        )


def _is_incomplete(tag: ShippedTag, state: ExistingState, loading: CatalogueLoad) -> bool:
    """Return whether a version or an alias of a tag is missing, or an alias points elsewhere."""
    existing = state.publications.get(tag.name, ())
    return bool(missing_versions(tag, existing, loading.account.username)) or not all(
        points_at(state.names.get(alias), tag) for alias in tag.aliases
    )


def _batches(tags: Sequence[ShippedTag], size: int) -> Iterator[list[ShippedTag]]:
    """Split tags into lists with at most so many versions, or of one tag."""
    batch: list[ShippedTag] = []
    versions = 0
    for tag in tags:
        if batch and versions + len(tag.versions) > size:
            yield batch
            batch, versions = [], 0
        batch.append(tag)
        versions += len(tag.versions)
    if batch:
        yield batch


@dataclass(slots=True)
class Batch:
    """The versions and aliases to write for some tags, and what to skip (in `loading`)."""

    loading: CatalogueLoad
    state: ExistingState
    taken: frozenset[str]  # namespaces that others created
    publications: list[Publication] = field(default_factory=list)
    prepared: list[PreparedPublication] = field(default_factory=list)
    aliases: dict[str, Reference] = field(default_factory=dict)

    @property
    def tags(self) -> list[TagName]:
        """Return the tags that get a version."""
        return list(dict.fromkeys(item.publication.tag for item in self.prepared if item.draft))


def _load_batch(loading: CatalogueLoad, tags: Sequence[ShippedTag], taken: frozenset[str]) -> None:
    """Load what is missing of some tags, in one transaction.

    Drafts are computed before it, and again in it if something was written meanwhile.
    """
    seen = last_event_number()
    batch = _prepare(loading.attempt(), tags, taken)
    if batch.tags or batch.aliases:
        with authorized_write(permissions.require_all(loading.actor, Action.PUBLISH, batch.tags)):
            if last_event_number() != seen:
                batch = _prepare(loading.attempt(), tags, taken)
            _write(batch)
    loading.include(batch.loading)


def _prepare(loading: CatalogueLoad, tags: Sequence[ShippedTag], taken: frozenset[str]) -> Batch:
    batch = Batch(loading, load_existing(tags), taken)
    for tag in tags:
        batch.publications += _publications(tag, batch)
    batch.prepared = bulk_publishing.prepare_all(batch.publications)
    for item in batch.prepared:
        _skip_rejected(item, batch)
    own_names = {text for text, name in batch.state.names.items() if not name.is_alias}
    existing = own_names | set(map(str, batch.tags))
    for tag in tags:
        for alias in tag.aliases if tag.name in existing else ():
            if _is_wanted(alias, tag, batch):
                batch.aliases[alias] = Reference(tag.name)
    return batch


def _write(batch: Batch) -> None:
    """Write the prepared versions and the aliases. Call inside `authorized_write`."""
    loading = batch.loading
    for version in bulk_publishing.finish_all(batch.prepared, publisher=loading.account):
        loading.add_change(CatalogueItem.VERSION, version.exact)
    results = aliases.point_aliases(batch.aliases, actor=loading.actor) if batch.aliases else {}
    for alias, tag in batch.aliases.items():
        result = results[alias]
        if isinstance(result, Refused):
            reason = f"The alias {alias} of {tag} was not created: {result.detail}"
            loading.skip_or_raise(alias, result, reason)
        else:
            loading.add_change(CatalogueItem.ALIAS, f"{alias}, for {tag}")


def _publications(tag: ShippedTag, batch: Batch) -> Sequence[Publication]:
    """Return the missing versions of a tag; skip it, with a reason, if they cannot follow."""
    loading, name = batch.loading, batch.state.names.get(tag.name)
    existing = batch.state.publications.get(tag.name, ())
    missing = missing_versions(tag, existing, loading.account.username)
    if not missing:
        return ()
    if name and name.is_alias:
        taken = Refused(
            Code.CONFLICT,
            f"{tag.name} is an alias of {name.target.text} in this registry, and names cannot be "
            "reused: the shipped tag was not loaded.",
        )
        loading.skip_or_raise(tag.name, taken, taken.detail)
        return ()
    if name is None and _is_left_out(tag.name, batch):
        return ()
    last = existing[-1] if existing else None
    if last and last.publisher != loading.account.username and not loading.should_adopt(tag.name):
        loading.skip(tag.name, _skip_reason(tag.name, last, len(missing)))
        return ()
    return _as_publications(tag, missing, loading)


# Decision 021: loading skips what others have changed, and says so.
def _skip_reason(tag: str, newest: ExistingVersion, count: int) -> str:
    versions, them = ("version", "it") if count == 1 else ("versions", "them")
    return (
        f"{tag}@{newest.number} was published by {newest.publisher}, so {count} shipped {versions} "
        f"cannot follow. {adopt_hint(tag, f'publishes {them} after it')}"
    )


def _as_publications(
    tag: ShippedTag, versions: Sequence[ShippedVersion], loading: CatalogueLoad
) -> Sequence[Publication]:
    try:
        name = TagName.parse(tag.name)
    except Refused as refusal:
        loading.skip_or_raise(tag.name, refusal, f"In {tag.file}: {refusal.detail}")
        return ()
    return [
        Publication(name, version.source, version.message, version.sources, tag.is_family)
        for version in versions
    ]


def _skip_rejected(item: PreparedPublication, batch: Batch) -> None:
    """Skip the tag of a rejected publication, unless the version would change nothing."""
    if item.refusal and item.refusal.code is not Code.NOTHING_CHANGED:
        name = str(item.publication.tag)
        reason = f"A shipped version of {name} was rejected: {item.refusal.detail}"
        batch.loading.skip_or_raise(name, item.refusal, reason)


def _is_wanted(alias: str, tag: ShippedTag, batch: Batch) -> bool:
    """Return whether to point an alias at a tag; skip it, with a reason, if others pointed it."""
    name, loading = batch.state.names.get(alias), batch.loading
    if name is None:
        return not _is_left_out(alias, batch)
    if points_at(name, tag):
        return False
    if name.is_alias and not _is_ours(name, loading) and not loading.should_adopt(alias):
        hint = adopt_hint(alias, f"points it at {tag.name}")
        loading.skip(
            alias,
            f"The alias {alias} points at {name.target}, in the catalogue at {tag.name}. {hint}",
        )
        return False
    return True


def _is_ours(alias: ExistingName, loading: CatalogueLoad) -> bool:
    """Return whether the last change of an alias was made by the catalogue. One query."""
    pointed = Event.objects.filter(
        action="alias.pointed", namespace=alias.text.partition("/")[0], subject=alias.text
    )
    last = pointed.order_by("-number").first()
    return last is not None and last.actor_id == loading.account.pk


def _is_left_out(name: str, batch: Batch) -> bool:
    """Return whether to leave out a new name because others created its namespace."""
    namespace = name.partition("/")[0]
    if namespace not in batch.taken:
        return False
    is_adopted = [batch.loading.should_adopt(text) for text in (name, namespace)]
    if not any(is_adopted):
        batch.loading.left_out[namespace] += 1
    return not any(is_adopted)
