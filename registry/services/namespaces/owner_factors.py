"""Finds namespaces that others build on, whose owners need a second factor, and says so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db.models import F, Min
from django.utils import timezone

from registry.models import Dependency, Membership, Namespace, Role, User
from registry.services.core import current_rights
from registry.services.core.transactions import write_lock
from registry.services.event_log.appending import append_event


def note_built_on() -> int:
    """Note which namespaces others build on since now; return how many are new. Two queries."""
    if settings.OWNER_FACTOR.grace is None:
        return 0
    first_uses = _first_uses()
    for use in first_uses.values():
        with write_lock():
            _note(use)
    return len(first_uses)


def _first_uses() -> Mapping[int, Dependency]:
    """Return the first use of each namespace by another, if it is not noted yet. Two queries."""
    foreign = Dependency.objects.filter(resolved__tag__namespace__built_on_since=None).exclude(
        version__tag__namespace=F("resolved__tag__namespace")
    )
    firsts = foreign.values("resolved__tag__namespace").annotate(first=Min("pk"))
    keys = {row["first"]: row["resolved__tag__namespace"] for row in firsts.order_by()}
    uses = Dependency.objects.filter(pk__in=keys).select_related(
        "version__tag", "version__publisher", "resolved__tag__namespace"
    )
    return {keys[use.pk]: use for use in uses}


def _note(use: Dependency) -> None:
    """Note a use, and tell the owners. Call under the write lock."""
    namespace = use.resolved.tag.namespace
    now = timezone.now()
    unnoted = Namespace.objects.filter(pk=namespace.pk, built_on_since=None)
    if not unnoted.update(built_on_since=now):
        return
    if Membership.objects.filter(namespace=namespace, role=Role.OWNER).exists():
        append_event(
            "namespace.factor_required",
            namespace.name,
            actor=use.version.publisher,
            by=str(use.version.tag),
            required_from=f"{settings.OWNER_FACTOR.required_from(now):%Y-%m-%d}",
        )


def missing_from(user: User, namespace: Namespace) -> datetime | None:
    """Return from when on an owner may not act without a second factor; None if they may.

    At most one query.
    """
    start: datetime | None = settings.OWNER_FACTOR.required_from(namespace.built_on_since)
    if start is None or user.is_staff:
        return None
    rights = current_rights.read(user, None, [namespace.name])
    is_owner = rights is not None and rights.roles.get(namespace.name) == Role.OWNER
    return start if is_owner and rights and rights.lacks_factor else None
