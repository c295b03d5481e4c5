"""Deprecates shipped tags that others supersede, except those that people have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry.domain.reference import Tag as TagName
from registry.models import Deprecation, Tag, Version
from registry.services.catalogue.load_run import CatalogueItem, CatalogueLoad, adopt_hint
from registry.services.core.shipped_facts import ShippedDeprecation, ShippedTag
from registry.services.core.transactions import write_lock
from registry.services.tags import deprecation
from registry.services.tags.deprecation import Replacement

BATCH_SIZE = 500  # tags in one transaction, so that other writers wait for one at most


@dataclass(frozen=True, slots=True)
class _State:
    """The newest deprecations of tags, who published their newest versions, and all names."""

    deprecations: dict[str, Deprecation]
    publishers: dict[str, str]
    tags: frozenset[str]


def load_deprecations(loading: CatalogueLoad, tags: Sequence[ShippedTag]) -> None:
    """Deprecate the tags that the catalogue supersedes, in favour of their successors.

    Tags that are not loaded, or whose successor is not, are left out. Three queries for each 500
    superseded tags, without a change; others are skipped, with a reason.
    """
    superseded = sorted((tag for tag in tags if tag.deprecated), key=lambda tag: tag.name)
    for start in range(0, len(superseded), BATCH_SIZE):
        batch = superseded[start : start + BATCH_SIZE]
        attempt = loading.attempt()
        if list(_replacements(batch, attempt)):
            attempt = loading.attempt()
            with write_lock():
                _write(list(_replacements(batch, attempt)), attempt)
        loading.include(attempt)


def _write(replacements: Sequence[Replacement], loading: CatalogueLoad) -> None:
    deprecation.replace_all(replacements, actor=loading.actor)
    for replacement in replacements:
        change = f"{replacement.tag}, superseded by {replacement.successor}"
        loading.add_change(CatalogueItem.DEPRECATION, change)


def _read_state(tags: Sequence[ShippedTag]) -> _State:
    names = {tag.name for tag in tags}
    successors = {tag.deprecated.successor for tag in tags if tag.deprecated}
    rows = Deprecation.objects.filter(tag__text__in=names).order_by("sequence")
    versions = Version.objects.filter(tag__text__in=names).order_by("pk")
    texts = Tag.objects.filter(text__in=names | successors).values_list("text", flat=True)
    return _State(
        {row.tag.text: row for row in rows.select_related("tag", "successor", "actor")},
        dict(versions.values_list("tag__text", "publisher__username")),
        frozenset(texts),
    )


def _replacements(tags: Sequence[ShippedTag], loading: CatalogueLoad) -> Iterator[Replacement]:
    state = _read_state(tags)
    for tag in tags:
        if tag.deprecated is None or not {tag.name, tag.deprecated.successor} <= state.tags:
            continue
        last = state.deprecations.get(tag.name)
        if last and _is_in_force(last, tag.deprecated, loading.account.username):
            continue
        reason = _changed_by_others(tag, state, loading.account.username)
        if reason and not loading.should_adopt(tag.name):
            loading.skip(tag.name, f"{reason} {_hint(tag)}")
            continue
        successor = TagName.parse(tag.deprecated.successor)
        yield Replacement(TagName.parse(tag.name), successor, tag.deprecated.reason)


def _is_in_force(last: Deprecation, shipped: ShippedDeprecation, account: str) -> bool:
    """Return whether a tag is deprecated for this successor; the reason of others stays theirs."""
    if not last.deprecated or not last.successor or last.successor.text != shipped.successor:
        return False
    return last.reason == shipped.reason or last.actor.username != account


# Decision 021: loading skips what others have changed, and says so.
def _changed_by_others(tag: ShippedTag, state: _State, account: str) -> str:
    """Return a sentence if others deprecated a tag, took that back, or published to it."""
    last = state.deprecations.get(tag.name)
    if last and last.actor.username != account:
        verb = "deprecated" if last.deprecated else "took back the deprecation of"
        return f"{last.actor.username} {verb} {tag.name}, so it keeps this status."
    publisher = state.publishers.get(tag.name, account)
    if publisher != account:
        return f"{publisher} published to {tag.name}, so it is not deprecated."
    return ""


def _hint(tag: ShippedTag) -> str:
    successor = tag.deprecated.successor if tag.deprecated else ""
    return adopt_hint(tag.name, f"deprecates it in favour of {successor}")
