"""Finds whose tags are made from a version that was yanked, or are outdated by a new one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from registry.domain.notices import NoticeKind
from registry.domain.reference import Reference
from registry.models import Ancestry, Dependency, Event
from registry.services.core.permission_rules import CURATORS
from registry.services.notices import tag_events
from registry.services.notices.addressee import Addressee, members_with
from registry.services.notices.watchers import authors_of
from ttag_rules.selectors import Selector
from ttag_rules.version_number import VersionNumber


def inheritors(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield the authors and curators of the tags whose newest versions an event concerns."""
    made_from = {**_outdated(events), **_made_from_yanked(events)}
    tags = {tag for group in made_from.values() for tag in group}
    if not tags:
        return
    authors = authors_of(tags)
    curators = members_with(CURATORS, {tag.partition("/")[0] for tag in tags})
    for event, group in made_from.items():
        own: dict[int, list[str]] = defaultdict(list)
        for tag in sorted(group):
            for user in authors.get(tag, set()) | curators.get(tag.partition("/")[0], set()):
                own[user].append(tag)
        for user, their_tags in own.items():
            yield Addressee(event, user, NoticeKind.INHERITED, tags=tuple(their_tags))


def _outdated(events: Sequence[Event]) -> Mapping[Event, set[str]]:
    """Return the tags with references that a published version answers now. One query."""
    published: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        if event.action == tag_events.PUBLISHED:
            published[tag_events.tag_of(event)].append(event)
    if not published:
        return {}
    uses = Dependency.objects.filter(
        name__tag__text__in=published, is_floating=True, version__entry__isnull=False
    ).select_related("name__tag", "resolved", "version__tag")
    outdated: dict[Event, set[str]] = defaultdict(set)
    for use in uses.only(*USE_COLUMNS):
        for event in published[use.name.tag.text]:
            if _is_outdated(use, VersionNumber.parse(event.subject.rpartition("@")[2])):
                outdated[event].add(use.version.tag.text)
    return outdated


USE_COLUMNS = (
    *("requested", "name__tag__text", "name__major", "name__minor", "name__patch", "name__digest"),
    *("resolved__major", "resolved__minor", "resolved__patch", "version__tag__text"),
)


def _is_outdated(use: Dependency, number: VersionNumber) -> bool:
    """Return whether a reference that resolved to an older version selects this one now."""
    selector: Selector = use.name.selector
    if not str(selector):
        selector = Reference.parse(use.requested).selector
    return not selector.digest and selector.admits(number) and use.resolved.number < number


def _made_from_yanked(events: Sequence[Event]) -> Mapping[Event, set[str]]:
    """Return the tags whose newest versions are made from a yanked version. One query."""
    yanked = {event.subject: event for event in events if event.action == tag_events.YANKED}
    if not yanked:
        return {}
    tags = {tag_events.tag_of(event) for event in yanked.values()}
    rows = Ancestry.objects.filter(ancestor__tag__text__in=tags, version__entry__isnull=False)
    columns = ("ancestor__tag__text", "ancestor__major", "ancestor__minor", "ancestor__patch")
    made_from: dict[Event, set[str]] = defaultdict(set)
    for tag, *number, user in rows.values_list(*columns, "version__tag__text").distinct():
        if event := yanked.get(f"{tag}@{VersionNumber(*number)}"):
            made_from[event].add(user)
    return made_from
