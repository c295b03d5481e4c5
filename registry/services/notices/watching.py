"""States what an account watches: tags, families and namespaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Q, Subquery

from registry.domain.errors import Code, Refused
from registry.domain.notices import WatchState
from registry.domain.reference import Reference
from registry.models import Ancestry, Membership, Tag, User, Version, Watch
from registry.services.core import permissions
from registry.services.core.permission_rules import CURATORS, Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.namespaces.lookup import require_namespace
from registry.services.versions import selection

MAX_WATCHES = 1000  # statements of an account


@dataclass(frozen=True, slots=True)
class WatchedName:
    """A tag or a namespace, and whether an account watches it."""

    name: str
    is_watched: bool

    def __str__(self) -> str:
        return self.name


def watched_name(name: str, user: User) -> WatchedName:
    """Return the tag of a name or alias, or the namespace, and whether an account watches it.

    Raises `Refused` (TAG_UNKNOWN, NAMESPACE_UNKNOWN) with similar names.
    """
    if "/" not in name:
        namespace = require_namespace(name).name
        return WatchedName(namespace, watches(namespace, user))
    tag = _tag_of(name)
    return WatchedName(tag, watches(tag, user))


def _tag_of(name: str) -> str:
    """Return the name of a tag, given that or an alias. Raises `Refused` (TAG_UNKNOWN)."""
    rows = Tag.objects.filter(names__text=name).values_list("text", flat=True)
    if (tag := next(iter(rows), None)) is None:
        raise selection.no_such_tag(Reference(name))
    return tag


def watches(name: str, user: User) -> bool:
    """Return whether an account watches a tag or a namespace, which exists. One query."""
    return watches_tag(name, user) if "/" in name else watches_namespace(name, user)


def watches_tag(tag: str, user: User) -> bool:
    """Return whether an account watches a tag. One query."""
    mine = Q(author=user) | Q(author=None, publisher=user)
    families = Ancestry.objects.of_families().filter(version__tag__text=tag)
    row = _namespace_states(user, tag.partition("/")[0]).annotate(
        on_tag=_stated(user, name=tag),
        on_family=_stated(user, name__in=families.values("ancestor__tag__text")),
        is_author=Exists(Version.objects.filter(mine, tag__text=tag)),
    )
    (values,) = row.values_list("on_tag", "on_family", "on_namespace", "is_author", "is_curator")
    return WatchState(*values).watches_tag


def watches_namespace(namespace: str, user: User) -> bool:
    """Return whether an account watches a namespace as a whole. One query."""
    (values,) = _namespace_states(user, namespace).values_list("on_namespace", "is_curator")
    stated, is_curator = values
    return WatchState(namespace=stated, is_curator=is_curator).watches_namespace


def _namespace_states(user: User, namespace: str) -> Any:
    """Select an account, with what it has stated about a namespace and whether it is a curator."""
    roles = Membership.objects.filter(user=user, namespace__name=namespace, role__in=CURATORS)
    return User.objects.filter(pk=user.pk).annotate(
        on_namespace=_stated(user, name=namespace), is_curator=Exists(roles)
    )


def _stated(user: User, **names: Any) -> Subquery:
    """Return a subquery for whether an account watches any of some names; null if not stated."""
    rows = Watch.objects.filter(user=user, **names).order_by("-is_on")
    return Subquery(rows.values("is_on")[:1])


def watch(name: str, *, actor: Actor | None) -> WatchedName:
    """Watch a tag, a family or a namespace. Raises `Refused` as `watched_name` does."""
    return _state(name, actor=actor, is_on=True)


def stop_watching(name: str, *, actor: Actor | None) -> WatchedName:
    """Stop watching, also as an author or curator. Raises `Refused` as `watched_name` does."""
    return _state(name, actor=actor, is_on=False)


def watches_of(user: User) -> Sequence[Watch]:
    """Return what an account has stated, by name. One query."""
    return list(Watch.objects.filter(user=user).order_by("name"))


def _state(name: str, *, actor: Actor | None, is_on: bool) -> WatchedName:
    permission = permissions.require_own(actor, Action.KEEP_NEWS)
    user = permission.user
    watched = watched_name(name, user)
    with authorized_write(permission):
        rows = Watch.objects.filter(user=user)
        if not rows.filter(name=watched.name).exists() and rows.count() >= MAX_WATCHES:
            raise Refused(
                Code.CONFLICT, f"You watch {MAX_WATCHES} names already: stop watching some first."
            )
        Watch.objects.update_or_create(user=user, name=watched.name, defaults={"is_on": is_on})
    return WatchedName(watched.name, is_on)
