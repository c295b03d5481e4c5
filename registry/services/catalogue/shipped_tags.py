"""Publishing the tags that ship, and pointing their aliases, where nobody else has been."""

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
    """A version of a shipped tag that is there, by whomever."""

    number: VersionNumber
    body: bytes  # canonical
    publisher: str
    is_redacted: bool


@dataclass(slots=True)
class ExistingState:
    """What stands already under the names that ship, and what was kept out of which namespace."""

    names: Mapping[str, Name]
    publications: Mapping[str, Sequence[ExistingVersion]]
    taken: frozenset[str]  # namespaces that somebody else made
    kept_out: Counter[str] = field(default_factory=Counter)


def load_tags(
    loading: CatalogueLoad, taken: Collection[str], report: Callable[[str, int, int], None]
) -> None:
    """Publish what ships and is not there, parents first, and point aliases at it.

    `taken` are namespaces that somebody else made: no new name is put there. Raises `Refused` where
    what is to be adopted cannot be.
    """
    tags = parents_first(shipped_facts.tags())
    place = _find(tags, taken)
    for done, tag in enumerate(tags, start=1):
        if _publish(loading, tag, place):
            for alias in tag.aliases:
                _point(loading, alias, tag, place)
        report("tags", done, len(tags))
    for namespace, count in place.kept_out.items():
        names = f"{count} name{'s' if count > 1 else ''}"
        loading.leave(
            namespace,
            f"The namespace {namespace} was made by somebody else: {names} that would ship in it "
            f"stay out. {adopt_hint(namespace, 'puts them there')}",
        )


def _find(tags: Sequence[ShippedTag], taken: Collection[str]) -> ExistingState:
    """Look up what is there. A constant number of queries."""
    spelt = [name for tag in tags for name in (tag.name, *tag.aliases)]
    names = Name.objects.filter(text__in=spelt).select_related("tag")
    return ExistingState(
        {name.text: name for name in names},
        _publications([tag.name for tag in tags]),
        frozenset(taken),
    )


def _publications(tags: Sequence[str]) -> dict[str, list[ExistingVersion]]:
    redacted = redaction_marks.redacted_rows(Version._meta.label_lower)
    found: dict[str, list[ExistingVersion]] = defaultdict(list)
    rows = Version.objects.filter(tag__text__in=tags).select_related("tag", "publisher")
    columns = ("source", "major", "minor", "patch", "tag__text", "publisher__username")
    for row in rows.only(*columns).order_by("pk"):
        body = canonical(json.loads(row.source))
        found[row.tag.text].append(
            ExistingVersion(row.number, body, row.publisher.username, row.pk in redacted)
        )
    return found


def missing_versions(
    tag: ShippedTag, there: Sequence[ExistingVersion], account: str
) -> list[ShippedVersion]:
    """The versions of a tag that come after the last one that is there, whoever published it.

    Versions are known by their bodies, in their order: what was passed over once does not shift
    what comes after it. One of ours that was redacted stands for whichever came next.
    """
    behind, last = 0, 0
    for at, version in enumerate(tag.versions, start=1):
        body = canonical(version.body)
        for place in range(behind, len(there)):
            found = there[place]
            if found.body == body or (found.is_redacted and found.publisher == account):
                behind, last = place + 1, at
                break
    return list(tag.versions[last:])


def _publish(loading: CatalogueLoad, tag: ShippedTag, place: ExistingState) -> bool:
    """Publish what is missing of a tag, unless it is to be left alone; whether there is the tag."""
    name, there = place.names.get(tag.name), place.publications.get(tag.name, ())
    wanted = missing_versions(tag, there, loading.account.username)
    if not wanted:
        return True
    if name and name.is_alias:
        taken = Refused(
            Code.CONFLICT,
            f"{tag.name} is an alias of {name.tag} here, and a name is never free for another tag: "
            "the tag that would ship stays out.",
        )
        loading.fail(tag.name, taken, taken.detail)
        return False
    if name is None and _is_kept_out(loading, tag.name, place):
        return False
    if there and there[-1].publisher != loading.account.username and not loading.adopts(tag.name):
        loading.leave(tag.name, _why(tag.name, there[-1], len(wanted)))
        return True
    return _published(loading, tag.name, wanted, there[-1].number if there else None)


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
    """Publish versions of a tag until one is refused; whether there is the tag."""
    for version in versions:
        try:
            made = publish(
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
        last = made.number
        loading.make(CatalogueItem.VERSION, made.exact)
    return last is not None


def _point(loading: CatalogueLoad, alias: str, tag: ShippedTag, place: ExistingState) -> None:
    """Make an alias of a tag, unless it is to be left alone."""
    known = place.names.get(alias)
    if known is None:
        if _is_kept_out(loading, alias, place):
            return
    elif known.is_alias and known.tag.text == tag.name and not str(known.selector):
        return
    elif known.is_alias and not _is_ours(known, loading) and not loading.adopts(alias):
        stands = Reference(known.tag.text, known.selector)
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
    """Whether an alias was last pointed by the catalogue. One query."""
    pointed = Event.objects.filter(
        action="alias.pointed", namespace=alias.text.partition("/")[0], subject=alias.text
    )
    last = pointed.order_by("-number").first()
    return last is not None and last.actor_id == loading.account.pk


def _is_kept_out(loading: CatalogueLoad, name: str, place: ExistingState) -> bool:
    """Whether a new name would come into a namespace that somebody else made."""
    namespace = name.partition("/")[0]
    if namespace not in place.taken:
        return False
    is_adopted = [loading.adopts(each) for each in (name, namespace)]
    if not any(is_adopted):
        place.kept_out[namespace] += 1
    return not any(is_adopted)


def parents_first(tags: Iterable[ShippedTag]) -> list[ShippedTag]:
    """Order tags so that each follows those of them that its bodies refer to."""
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
