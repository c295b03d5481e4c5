"""Renames tags: publishes the newest body under a new name and deprecates the old one."""

from __future__ import annotations

from collections.abc import Collection

from registry.domain.errors import Code, Refused, echo, report_errors_at
from registry.domain.reference import NEWEST, Reference, Tag as TagName
from registry.models import Name, Tag, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import write_lock
from registry.services.tags import deprecation, detail
from registry.services.tags.aliases import point_alias
from registry.services.versions import publishing, selection, status, tag_names


def rename_tag(
    old: TagName,
    new: TagName,
    *,
    reason: str,
    actor: Actor | None,
    aliases: Collection[str] = (),
) -> Version:
    """Publish a tag's newest body under a new name, deprecate the tag, and return the version.

    All writes are in one transaction. The body is unchanged, and its author keeps the credit; the
    versions of the old name stay. `aliases` are floating aliases of the old tag to point to the new
    one.

    Raises `Refused`: TAG_UNKNOWN; NAMESPACE_UNKNOWN; CONFLICT if the new name is taken, the old one
    is an alias, deprecated or yanked as a whole, or an alias does not float to it; UNAUTHENTICATED
    and FORBIDDEN unless the actor may do all of this; and the errors of publishing, deprecating and
    pointing aliases.
    """
    _require(old, new, aliases, actor)
    with write_lock():  # each of the writes checks its permission again
        newest = _newest(old)
        with report_errors_at("/name"):
            _refuse_taken(new, old)
        version = publishing.publish(
            new,
            newest.source,
            message=f"The new name of {old}: its body is that of {newest.exact}.",
            sources=detail.sources_of(newest),
            expected=None,
            actor=actor,
            author_id=newest.body_author_id,
        )
        deprecation.deprecate(old, reason=reason, successor=new, actor=actor)
        with report_errors_at("/aliases"):
            for text in aliases:
                _repoint(text, old, new, actor)
    return version


def _require(old: TagName, new: TagName, aliases: Collection[str], actor: Actor | None) -> None:
    """Raise `Refused` unless the actor may do all of the writes. Three queries."""
    with report_errors_at("/name"):
        permissions.require(actor, Action.PUBLISH, new)
    permissions.require(actor, Action.DEPRECATE, old)
    with report_errors_at("/aliases"):
        permissions.require_all(actor, Action.POINT_ALIAS, [Reference(text) for text in aliases])


def floating_aliases(tag: Tag) -> list[str]:
    """Return the aliases of a tag that pin no version, and so can move to its new name."""
    names = Name.objects.filter(tag=tag, is_alias=True, major=None, digest="")
    return list(names.order_by("text").values_list("text", flat=True))


def _newest(name: TagName) -> Version:
    """Return the version whose body is published again. Raises `Refused` as `rename_tag`."""
    tag = tag_names.find_tag(name)
    if tag is None:
        reference = Reference(str(name))
        raise selection.with_suggestions(selection.unknown_tag(reference), reference)
    if last := status.current_deprecation(tag.text):
        instead = f" Use {last.successor}." if last.successor else ""
        raise Refused(Code.CONFLICT, f"{name} is deprecated already: {last.reason}.{instead}")
    newest = Version.objects.newest_of([tag.pk], "source", "sources", "author", "publisher").get(
        tag.pk
    )
    if newest is None:
        raise Refused(
            Code.CONFLICT, f"Every version of {name} is yanked: there is no body to go on with."
        )
    return newest


def _refuse_taken(new: TagName, old: TagName) -> None:
    if new == old:
        raise Refused(Code.CONFLICT, f"{new} is the name that it has.")
    if tag_names.find_tag(new):
        raise Refused(
            Code.CONFLICT,
            f"There is a tag {new} already. To lead people to it, deprecate {old} with it as the "
            "successor.",
        )


def _repoint(text: str, old: TagName, new: TagName, actor: Actor | None) -> None:
    alias = selection.find_names([text]).get(text)
    floats = alias and alias.is_alias and alias.selector == NEWEST
    if alias is None or not floats or alias.tag.text != str(old):
        raise Refused(Code.CONFLICT, f"{echo(text)} is no alias that floats to {old}.")
    point_alias(text, Reference(str(new)), actor=actor)
