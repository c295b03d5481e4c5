"""Loading the shipped catalogue, through the same services as everybody."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.db import transaction

from registry.models import Event, Namespace, User
from registry.services.catalogue import shipped_kinds, shipped_tags
from registry.services.catalogue.load_run import CatalogueItem, CatalogueLoad, LoadResult
from registry.services.core import shipped_facts
from registry.services.core.transactions import write_lock
from registry.services.namespaces import namespaces

ACCOUNT = "catalogue"  # the machine account that publishes what ships

Report = Callable[[str, int, int], None]  # a step, how much of it is done, of how much


def load_catalogue(
    report: Report = lambda _step, _done, _total: None, *, adopt: Collection[str] = ()
) -> LoadResult:
    """Load what ships and is not there yet; leave alone, and name, what others have changed.

    Left alone are kinds that somebody else has revised, tags that somebody else has published
    further, aliases pointed elsewhere, namespaces and names that were taken, and whatever is
    refused. `adopt` names those of them that are taken as they ship. Loading again does nothing.

    All of it is one write: who loads at the same moment waits, and then finds everything there.
    Raises `Refused`, and loads nothing, where something to adopt does not ship (REQUEST_INVALID),
    is not left alone (CONFLICT), or is refused.
    """
    with write_lock():
        return _load(report, adopt, explains=False)


def plan_load(
    report: Report = lambda _step, _done, _total: None, *, adopt: Collection[str] = ()
) -> LoadResult:
    """What `load` would do, and what revisions of kinds would change. Nothing is written.

    It is done and undone, so that nothing differs from a load; other writes wait meanwhile.
    """
    with write_lock():
        loaded = _load(report, adopt, explains=True)
        transaction.set_rollback(True)
    return loaded


def _load(report: Report, adopt: Collection[str], *, explains: bool) -> LoadResult:
    loading = CatalogueLoad(catalogue_account(), frozenset(adopt), explains)
    if adopt:
        loading.refuse_unknown(_names())
    taken = _namespaces(loading)
    shipped_kinds.load_kinds(loading)
    shipped_tags.load_tags(loading, taken, report)
    loading.refuse_idle()
    return loading.outcome


def catalogue_account() -> User:
    """The machine account that publishes what ships; nobody can sign in to it."""
    account, made = User.objects.get_or_create(username=ACCOUNT, defaults={"is_staff": True})
    if made:
        account.set_unusable_password()
        account.save(update_fields=["password"])
    return account


def _names() -> set[str]:
    """Everything that ships, by name."""
    spelt = {name for tag in shipped_facts.tags() for name in (tag.name, *tag.aliases)}
    return (
        spelt
        | shipped_facts.kinds().keys()
        | {entry["name"] for entry in shipped_facts.namespaces()}
    )


def _namespaces(loading: CatalogueLoad) -> set[str]:
    """Make the namespaces that are not there; the names of those that somebody else has made."""
    entries = {entry["name"]: entry for entry in shipped_facts.namespaces()}
    there = set(Namespace.objects.filter(name__in=entries).values_list("name", flat=True))
    for name, entry in entries.items():
        if name not in there:
            namespaces.create_namespace(actor=loading.actor, **entry)
            loading.make(CatalogueItem.NAMESPACE, name)
    made = Event.objects.filter(action="namespace.made", namespace__in=there, actor=loading.account)
    return there - set(made.values_list("subject", flat=True))
