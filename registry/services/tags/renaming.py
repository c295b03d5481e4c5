"""Renaming: a new tag with the newest body of another, which is deprecated toward it."""

from __future__ import annotations

from collections.abc import Collection

from registry.domain.errors import Code, Refused, echo, report_errors_at
from registry.domain.reference import NEWEST, Reference, Tag as TagName
from registry.models import Name, Tag, User, Version
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
    """Publish the newest body of a tag under a new name, and deprecate the tag toward it.

    All or nothing. The body is the same text, so what it refers to stays; versions of the old name
    stay, too. Whoever wrote the body is the author of the new version. `aliases` of the old one, as
    they float, are pointed to the new one. Return the first version of the new tag.

    Raises `Refused`: TAG_UNKNOWN; NAMESPACE_UNKNOWN; CONFLICT where the new name is taken, the old
    one is an alias, deprecated or yanked as a whole, or an alias does not float to it; and what
    publishing, deprecating and pointing draw; UNAUTHENTICATED and FORBIDDEN for who may not do all
    of these.
    """
    publisher = _require(old, new, aliases, actor)
    with write_lock():  # each of the writes checks its permission again
        newest = _newest(old)
        with report_errors_at("/name"):
            _refuse_taken(new, old)
        made = publishing.publish(
            new,
            newest.source,
            message=f"The new name of {old}: its body is that of {newest.exact}.",
            sources=detail.sources_of(newest),
            expected=None,
            actor=actor,
            author=_author(newest, but=publisher),
        )
        deprecation.deprecate(old, reason=reason, successor=new, actor=actor)
        with report_errors_at("/aliases"):
            for text in aliases:
                _repoint(text, old, new, actor)
    return made


def _require(old: TagName, new: TagName, aliases: Collection[str], actor: Actor | None) -> User:
    """Return the account of who may publish, deprecate and point aliases. Three queries.

    Raises `Refused` as `permissions.require` does.
    """
    with report_errors_at("/name"):
        permission = permissions.require(actor, Action.PUBLISH, new)
    permissions.require(actor, Action.DEPRECATE, old)
    with report_errors_at("/aliases"):
        permissions.require_all(actor, Action.POINT_ALIAS, [Reference(text) for text in aliases])
    return permission.user


def floating_aliases(tag: Tag) -> list[str]:
    """The aliases that can follow a tag to another name: those that fix no version of it."""
    found = Name.objects.filter(tag=tag, is_alias=True, major=None, digest="")
    return list(found.order_by("text").values_list("text", flat=True))


def _newest(name: TagName) -> Version:
    """The version whose body goes on under another name. Raises `Refused`."""
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


def _author(version: Version, *, but: User) -> User | None:
    """Return who wrote the body of a version; None if that is the person who publishes it again."""
    author = version.author or version.publisher
    return None if author == but else author


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
    known = selection.find_names([text]).get(text)
    floats = known and known.is_alias and known.selector == NEWEST
    if known is None or not floats or known.tag.text != str(old):
        raise Refused(Code.CONFLICT, f"{echo(text)} is no alias that floats to {old}.")
    point_alias(text, Reference(str(new)), actor=actor)
