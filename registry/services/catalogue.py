"""Loading the shipped catalogue, through the same services as everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter

from django.db.models import Count

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.requests import requests
from registry.models import KindRevision, Name, Namespace, Tag, User
from registry.services import drafting, kinds, naming, shipped
from registry.services.publishing import publish
from registry.services.shipped import ShippedTag
from registry.services.writing import exclusive

ACCOUNT = "catalogue"  # the machine account that publishes what ships


@dataclass(frozen=True, slots=True)
class Progress:
    """How far loading has come: of `total` steps `done`, the last of them named."""

    done: int
    total: int
    step: str


def load(report: Callable[[Progress], None] = lambda _: None) -> Counter[str]:
    """Load what ships and is not there yet; return how much of what was new.

    A kind that a curator has revised is left as it is. Loading again does nothing. All of it is one
    write: who loads at the same moment waits, and then finds everything there.
    """
    with exclusive():
        return _load(report)


def _load(report: Callable[[Progress], None]) -> Counter[str]:
    account = account_of_catalogue()
    made: Counter[str] = Counter()
    made["namespaces"] = sum(1 for _ in _namespaces(account))
    made["kinds"] = sum(1 for _ in _kinds(account))
    names = dict(Name.objects.values_list("text", "tag__text"))
    ordered = parents_first(shipped.tags())
    published = published_by(account)
    for done, tag in enumerate(ordered, start=1):
        made["versions"] += _publish(tag, published[tag.name], account, is_known=tag.name in names)
        made["aliases"] += _alias(tag, names, account)
        report(Progress(done, len(ordered), tag.name))
    return made


def account_of_catalogue() -> User:
    """The machine account that publishes what ships; nobody can sign in to it."""
    account, made = User.objects.get_or_create(username=ACCOUNT, defaults={"is_staff": True})
    if made:
        account.set_unusable_password()
        account.save(update_fields=["password"])
    return account


def published_by(account: User) -> Counter[str]:
    """How many versions of each tag an account has published."""
    counts = Tag.objects.filter(versions__publisher=account).annotate(count=Count("versions"))
    return Counter(dict(counts.values_list("text", "count")))


def parents_first(tags: Iterable[ShippedTag]) -> list[ShippedTag]:
    """Order tags so that each follows those that its bodies refer to."""
    by_name = {name: tag for tag in tags for name in (tag.name, *tag.aliases)}
    graph = {
        tag.name: {
            by_name[request.reference.text].name
            for version in tag.versions
            for request in requests(version.body)
        }
        for tag in by_name.values()
    }
    return [by_name[name] for name in TopologicalSorter(graph).static_order()]


def _namespaces(account: User) -> Iterator[Namespace]:
    there = set(Namespace.objects.values_list("name", flat=True))
    for entry in shipped.namespaces():
        if entry["name"] not in there:
            yield naming.make_namespace(actor=account, **entry)


def _kinds(account: User) -> Iterator[KindRevision]:
    newest = KindRevision.objects.newest().select_related("kind")
    revised = {revision.kind.name for revision in newest if revision.author_id != account.pk}
    for name, schema in shipped.kinds().items():
        if name not in revised and (revision := kinds.revise(name, schema, author=account)):
            yield revision


def _publish(tag: ShippedTag, already: int, account: User, *, is_known: bool) -> int:
    name = TagName.parse(tag.name)
    missing = tag.versions[already:]
    history = drafting.versions_of(name) if missing and is_known else []
    last = history[-1].number if history else None
    count = 0
    for version in missing:
        try:
            made = publish(
                name,
                version.source,
                message=version.message,
                sources=version.sources,
                actor=account,
                expected=last,
            )
        except Refused as refusal:
            if refusal.code is not Code.NOTHING_CHANGED:
                raise
            continue  # somebody else has published it
        last = made.number
        count += 1
    return count


def _alias(tag: ShippedTag, names: dict[str, str], account: User) -> int:
    missing = [alias for alias in tag.aliases if alias not in names]
    for alias in missing:
        naming.point_alias(alias, Reference(tag.name), actor=account)
    return len(missing)
