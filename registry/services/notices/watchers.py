"""Finds who watches a tag: by a statement about it, its families or its namespace, or as theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from django.db.models.functions import Coalesce

from registry.domain.notices import NoticeKind, WatchState
from registry.models import Ancestry, Event, Proposal, Version, Watch
from registry.models.versions import NUMBERS
from registry.services.core.permission_rules import CURATORS
from registry.services.notices import tag_events
from registry.services.notices.addressee import Addressee, members_with

States = Mapping[int, WatchState]  # by account


def watchers(events: Sequence[Event]) -> Iterator[Addressee]:
    """Yield who watches the tag of each event.

    Who watches a tag hears once of its renaming: not also of the new name.
    """
    about = {
        event: tag_events.tag_of(event) for event in events if event.action in tag_events.ACTIONS
    }
    renamings = tag_events.renamings(list(about))
    old_names = {event: tag_events.tag_of(later) for event, later in renamings.items()}
    states = watch_states({*about.values(), *old_names.values()})
    writers = _writers(list(about))
    for event, tag in about.items():
        users = _watching(states.get(tag, {})) - {writers.get(event)}
        users -= _watching(states.get(old_names.get(event, ""), {}))
        for user in users:
            yield Addressee(event, user, NoticeKind.WATCHED)


def _watching(states: States) -> set[int]:
    return {user for user, state in states.items() if state.watches_tag}


# Decision 170: an accepted proposal is news for its submitter already.
def _writers(events: Sequence[Event]) -> Mapping[Event, int]:
    """Return who proposed the body that each event publishes.

    Not who wrote one that others have rebased or renamed: nothing else tells them.
    """
    published = {event.subject: event for event in events if event.action == tag_events.PUBLISHED}
    tags = {tag_events.tag_of(event) for event in published.values()}
    rows = Proposal.objects.filter(version__tag__text__in=tags).select_related("version__tag")
    columns = ("submitter", "version__tag__text", *(f"version__{name}" for name in NUMBERS))
    return {
        published[proposal.version.exact]: proposal.submitter_id
        for proposal in rows.only(*columns)
        if proposal.version and proposal.version.exact in published
    }


def watch_states(tags: Collection[str]) -> Mapping[str, States]:
    """Return what accounts have stated about tags. At most four queries."""
    if not tags:
        return {}
    families, authors = _families(tags), authors_of(tags)
    namespaces = {tag: tag.partition("/")[0] for tag in tags}
    curators = members_with(CURATORS, set(namespaces.values()))
    names = {*tags, *namespaces.values(), *(name for group in families.values() for name in group)}
    statements = _statements(names)
    states: dict[str, States] = {}
    for tag, namespace in namespaces.items():
        on_tag, on_family, on_namespace = (
            _joined(statements, group) for group in ([tag], families.get(tag, ()), [namespace])
        )
        writers, reviewers = authors.get(tag, set()), curators.get(namespace, set())
        users = {*on_tag, *on_family, *on_namespace, *writers, *reviewers}
        states[tag] = {
            each: WatchState(
                on_tag.get(each),
                on_family.get(each),
                on_namespace.get(each),
                each in writers,
                each in reviewers,
            )
            for each in users
        }
    return states


def _statements(names: Collection[str]) -> Mapping[str, Mapping[int, bool]]:
    """Return what accounts have stated about names, by the name. One query."""
    rows = Watch.objects.filter(name__in=names)
    by_name: dict[str, dict[int, bool]] = defaultdict(dict)
    for name, account, is_on in rows.values_list("name", "user", "is_on"):
        by_name[name][account] = is_on
    return by_name


def _joined(
    statements: Mapping[str, Mapping[int, bool]], names: Collection[str]
) -> Mapping[int, bool]:
    """Return for each account whether it watches any of some names."""
    stated: dict[int, bool] = {}
    for name in names:
        for user, is_on in statements.get(name, {}).items():
            stated[user] = stated.get(user, False) or is_on
    return stated


def authors_of(tags: Collection[str]) -> Mapping[str, set[int]]:
    """Return who wrote the bodies of tags. One query."""
    rows = Version.objects.filter(tag__text__in=tags).order_by()
    pairs = rows.annotate(writer=Coalesce("author", "publisher")).values_list("tag__text", "writer")
    authors: dict[str, set[int]] = defaultdict(set)
    for tag, writer in pairs.distinct():
        authors[tag].add(writer)
    return authors


def _families(tags: Collection[str]) -> Mapping[str, set[str]]:
    """Return the families that tags are made from. One query."""
    rows = Ancestry.objects.of_families().filter(version__tag__text__in=tags)
    families: dict[str, set[str]] = defaultdict(set)
    for tag, family in rows.values_list("version__tag__text", "ancestor__tag__text").distinct():
        families[tag].add(family)
    return families
