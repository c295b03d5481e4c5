"""Loads the shipped catalogue, through the same services that users call."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import nullcontext

from django.db import transaction

from registry.database.page_cache import large_page_cache
from registry.models import Event, Namespace, User
from registry.services.catalogue import shipped_kinds, shipped_tags
from registry.services.catalogue.load_run import CatalogueItem, CatalogueLoad, LoadResult
from registry.services.core import shipped_facts
from registry.services.core.damaged_rows import naming_damaged_rows
from registry.services.core.planner_statistics import update_planner_statistics
from registry.services.core.transactions import write_lock
from registry.services.namespaces import namespaces

# Decision 012: what ships is published as by anybody, so the log says by whom.
ACCOUNT = "catalogue"  # the machine account that publishes the catalogue

Report = Callable[[str, int, int], None]  # step, items done, items in total


def load_catalogue(
    report: Report = lambda _step, _done, _total: None, *, adopt: Collection[str] = ()
) -> LoadResult:
    """Load the missing parts of the catalogue; skip, and list, what others have changed.

    Skips kinds that others have revised, tags that others have published to, aliases that point
    elsewhere, names and namespaces that others created, and whatever fails. `adopt` lists names to
    load as shipped nevertheless. Idempotent; writes in several transactions, so that a load that
    was interrupted is completed by the next one. With `adopt`, it is one transaction.

    Raises `Refused`, and loads nothing, if a name to adopt is not in the catalogue
    (REQUEST_INVALID), would not be skipped (CONFLICT), or cannot be loaded. Raises `Refused` for
    an error in the files, and names the file, or for a damaged row (INTERNAL), and names the row.
    """
    one_write = write_lock() if adopt else nullcontext()
    with naming_damaged_rows(), large_page_cache(), one_write:
        result = _load(report, adopt, is_plan=False)
    if result.changes:
        update_planner_statistics()
    return result


def plan_load(
    report: Report = lambda _step, _done, _total: None, *, adopt: Collection[str] = ()
) -> LoadResult:
    """Return the result of `load_catalogue`, with previews of kind revisions. Writes nothing.

    Runs the load and rolls it back; other writes wait meanwhile.
    """
    with naming_damaged_rows(), large_page_cache(), write_lock():
        result = _load(report, adopt, is_plan=True)
        transaction.set_rollback(True)
    return result


def _load(report: Report, adopt: Collection[str], *, is_plan: bool) -> LoadResult:
    with write_lock():
        loading = CatalogueLoad(catalogue_account(), frozenset(adopt), is_plan)
        if adopt:
            loading.refuse_unknown(_all_names())
        taken = _create_namespaces(loading)
        shipped_kinds.load_kinds(loading)
    shipped_tags.load_tags(loading, taken, report)
    loading.refuse_unused()
    return loading.result


def catalogue_account() -> User:
    """Return the machine account that publishes the catalogue; nobody can sign in to it."""
    account, created = User.objects.get_or_create(username=ACCOUNT, defaults={"is_staff": True})
    if created:
        account.set_unusable_password()
        account.save(update_fields=["password"])
    return account


def _all_names() -> set[str]:
    """Return the names of all kinds, tags, aliases and namespaces in the catalogue."""
    tag_names = {name for tag in shipped_facts.tags() for name in (tag.name, *tag.aliases)}
    return (
        tag_names
        | shipped_facts.kinds().keys()
        | {entry["name"] for entry in shipped_facts.namespaces()}
    )


def _create_namespaces(loading: CatalogueLoad) -> set[str]:
    """Create the missing namespaces; return the names of those that others created."""
    entries = {entry["name"]: entry for entry in shipped_facts.namespaces()}
    existing = set(Namespace.objects.filter(name__in=entries).values_list("name", flat=True))
    for name, entry in entries.items():
        if name not in existing:
            namespaces.create_namespace(actor=loading.actor, **entry)
            loading.add_change(CatalogueItem.NAMESPACE, name)
    own = Event.objects.filter(
        action="namespace.made", namespace__in=existing, actor=loading.account
    )
    return existing - set(own.values_list("subject", flat=True))
