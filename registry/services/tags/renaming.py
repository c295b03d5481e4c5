"""Renames tags: publishes the newest body under a new name and deprecates the old one."""

from __future__ import annotations

from collections.abc import Collection

from registry.domain.errors import Code, Refused, echo, report_errors_at
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Name, Tag, Version
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.tags import deprecation, status
from registry.services.tags.aliases import point_alias
from registry.services.versions import publishing, selection, tag_names
from ttag_rules.selectors import NEWEST


def rename_tag(
    old: TagName, new: TagName, *, reason: str, actor: Actor | None, aliases: Collection[str] = ()
) -> Version:
    """Publish a tag's newest body under a new name, deprecate the tag, and return the version.

    One transaction. The body's author keeps the credit, and the versions of the old name stay.
    `aliases` are floating aliases of the old tag to point at the new one.

    Raises `Refused`: TAG_UNKNOWN; NAMESPACE_UNKNOWN; CONFLICT if the new name is taken, the old one
    is an alias, deprecated or fully yanked, or an alias does not float to it; UNAUTHENTICATED and
    FORBIDDEN unless the actor may do all of this; and the errors of publishing, deprecating and
    pointing aliases.
    """
    _require_permissions(old, new, aliases, actor)
    with write_lock():  # each of the writes checks its permission again
        newest = _newest_version(old)
        with report_errors_at("/name"):
            _refuse_taken(new, old)
        version = publishing.publish(
            new,
            newest.source,
            message=f"Renamed from {old}, with the body of {newest.exact}.",
            sources=newest.source_urls,
            expected=None,
            actor=actor,
            author_id=newest.body_author_id,
            is_family=newest.tag.is_family or None,
        )
        deprecation.deprecate(old, reason=reason, successor=new, actor=actor)
        with report_errors_at("/aliases"):
            for text in aliases:
                _repoint(text, old, new, actor)
    return version


def _require_permissions(
    old: TagName, new: TagName, aliases: Collection[str], actor: Actor | None
) -> None:
    """Raise `Refused` unless the actor may do all of the writes. Three queries."""
    with report_errors_at("/name"):
        permissions.require(actor, Action.PUBLISH, new)
    permissions.require(actor, Action.DEPRECATE, old)
    with report_errors_at("/aliases"):
        permissions.require_all(actor, Action.POINT_ALIAS, [Reference(text) for text in aliases])


def floating_aliases(tag: Tag) -> list[str]:
    """Return the aliases of a tag that do not pin a version, so can point at its new name."""
    names = Name.objects.filter(tag=tag, is_alias=True, major=None, digest="")
    return list(names.order_by("text").values_list("text", flat=True))


def _newest_version(name: TagName) -> Version:
    """Return the version whose body is published again. Raises `Refused` as `rename_tag`."""
    tag = tag_names.require_tag(name)
    if last := status.current_deprecation(tag.text):
        instead = f" Use {last.successor}." if last.successor else ""
        raise Refused(Code.CONFLICT, f"{name} is already deprecated: {last.reason}.{instead}")
    newest = Version.objects.newest_of([tag.pk], "source", "sources", "author", "publisher").get(
        tag.pk
    )
    if newest is None:
        raise Refused(
            Code.CONFLICT, f"Every version of {name} is yanked, so there is no body to publish."
        )
    return newest


def _refuse_taken(new: TagName, old: TagName) -> None:
    if new == old:
        raise Refused(Code.CONFLICT, f"{new} is the current name.")
    if tag_names.find_tag(new):
        raise Refused(
            Code.CONFLICT,
            f"The tag {new} already exists. You can deprecate {old} with it as the successor.",
        )


def _repoint(text: str, old: TagName, new: TagName, actor: Actor | None) -> None:
    alias = selection.find_names([text]).get(text)
    floats = alias and alias.is_alias and alias.selector == NEWEST
    if alias is None or not floats or alias.tag.text != str(old):
        raise Refused(Code.CONFLICT, f"{echo(text)} is not a floating alias of {old}.")
    if point_alias(text, Reference(str(new)), actor=actor).is_pending:
        raise Refused(
            Code.CONFLICT,
            f"{text} is under four-eyes: leave it out, and request its new target afterwards.",
        )
