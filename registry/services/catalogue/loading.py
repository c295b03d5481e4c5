"""Loads the shipped catalogue through the same services that everybody uses."""

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
    """Load what ships and is missing; leave alone, and list, what others have changed.

    Left alone are kinds that others have revised, tags that others have published further, aliases
    that point elsewhere, names and namespaces that others created, and whatever fails. `adopt`
    lists those to load as shipped all the same. Loading again changes nothing.

    A load is one transaction: a concurrent load waits, and then finds everything loaded. Raises
    `Refused`, and loads nothing, if a name to adopt does not ship (REQUEST_INVALID), is not left
    alone (CONFLICT), or cannot be loaded.
    """
    with write_lock():
        return _load(report, adopt, explains=False)


def plan_load(
    report: Report = lambda _step, _done, _total: None, *, adopt: Collection[str] = ()
) -> LoadResult:
    """Return what `load_catalogue` would do, and what revisions of kinds would change.

    The load is run and rolled back, so a plan cannot differ from a load; other writes wait
    meanwhile.
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
    """Return the machine account that publishes what ships; nobody can sign in to it."""
    account, created = User.objects.get_or_create(username=ACCOUNT, defaults={"is_staff": True})
    if created:
        account.set_unusable_password()
        account.save(update_fields=["password"])
    return account


def _names() -> set[str]:
    """Return the names of everything that ships."""
    tag_names = {name for tag in shipped_facts.tags() for name in (tag.name, *tag.aliases)}
    return (
        tag_names
        | shipped_facts.kinds().keys()
        | {entry["name"] for entry in shipped_facts.namespaces()}
    )


def _namespaces(loading: CatalogueLoad) -> set[str]:
    """Create the missing namespaces; return the names of those that others created."""
    entries = {entry["name"]: entry for entry in shipped_facts.namespaces()}
    existing = set(Namespace.objects.filter(name__in=entries).values_list("name", flat=True))
    for name, entry in entries.items():
        if name not in existing:
            namespaces.create_namespace(actor=loading.actor, **entry)
            loading.make(CatalogueItem.NAMESPACE, name)
    own = Event.objects.filter(
        action="namespace.made", namespace__in=existing, actor=loading.account
    )
    return existing - set(own.values_list("subject", flat=True))
