"""Publishing: a body goes in once, is checked, resolved, numbered and made immutable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.name_folding import fold_name
from registry.domain.reference import Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Name, Namespace, Tag, User, Version
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import authorized_write, last_event_number
from registry.services.namespaces.lookup import known_namespace
from registry.services.search import indexing, name_index
from registry.services.versions import tag_names
from registry.services.versions.checking import CheckedBody
from registry.services.versions.drafting import Draft, create_draft, versions_of
from registry.services.versions.storage import NumberedDraft, store_versions

MAX_MESSAGE = 2000
MAX_SOURCES = 16


@dataclass(frozen=True, slots=True)
class Pending:
    """A body that could be published when it was looked at, after the event `seen`."""

    tag: TagName
    source: str
    message: str
    sources: Sequence[str]
    expected: VersionNumber | None
    namespace: Namespace
    drafted: Draft
    seen: int


def publish(
    tag: TagName,
    source: str,
    *,
    message: str,
    actor: Actor | None,
    expected: VersionNumber | None,
    sources: Sequence[str] = (),
    author: User | None = None,
    checked: CheckedBody | None = None,
) -> Version:
    """Publish a body as the next version of a tag; the first version makes the tag.

    `expected` is the number of the most recently published version, None where there must be
    none. `author` wrote the body, where that is not the actor. `checked` spares drafting it again
    unless something was written since. Raises `Refused`: the body's faults, PRECONDITION_FAILED
    where the tag has changed since, NOTHING_CHANGED, NAMESPACE_UNKNOWN, CONFLICT where the name is
    an alias.
    """
    permission = permissions.require(actor, Action.PUBLISH, tag)
    pending = prepare(
        tag, source, message=message, expected=expected, sources=sources, checked=checked
    )
    with authorized_write(permission):
        return finish(pending, publisher=permission.user, author=author)


def prepare(
    tag: TagName,
    source: str,
    *,
    message: str,
    expected: VersionNumber | None,
    sources: Sequence[str] = (),
    checked: CheckedBody | None = None,
) -> Pending:
    """Compute all that publishing takes, before the lock is held. Raises `Refused` as `publish`."""
    message = user_text.strip_text(message)
    check_message(message, sources)
    namespace = known_namespace(tag.namespace)
    if checked and checked.is_of(tag, source):
        refuse_stale(checked.history, expected)
        seen, drafted = checked.seen, checked.draft
    else:
        seen = last_event_number()
        drafted = _drafted(source, tag, expected)
    return Pending(tag, source, message, sources, expected, namespace, drafted, seen)


def finish(pending: Pending, *, publisher: User, author: User | None = None) -> Version:
    """Write what was prepared; `author` wrote the body. Call inside `authorized_write`.

    The caller says which permission it takes: to publish, or to review. Raises `Refused` as
    `publish`: what was written meanwhile can stand against it.
    """
    drafted = pending.drafted
    if (
        last_event_number() != pending.seen
    ):  # something was written meanwhile: what was found may not hold
        drafted = _drafted(pending.source, pending.tag, pending.expected)
    number = next_of(drafted)
    tag = _tag(pending.tag, pending.namespace)
    ready = NumberedDraft(drafted, number, tag, pending.message, pending.sources, author)
    (version,) = store_versions([ready], publisher=publisher)
    indexing.index_version(version, drafted.resolution.target, is_first=drafted.base is None)
    return version


def next_of(drafted: Draft) -> VersionNumber:
    """The number that a draft would be published as. Raises `Refused` (NOTHING_CHANGED)."""
    if drafted.number is None:
        raise Refused(
            Code.NOTHING_CHANGED,
            f"Source, lineage and target are those of the newest version of {drafted.tag}.",
        )
    return drafted.number


def _drafted(source: str, tag: TagName, expected: VersionNumber | None) -> Draft:
    history = versions_of(tag)
    refuse_stale(history, expected)
    return create_draft(source, tag, history)


def check_message(message: str, sources: Sequence[str]) -> None:
    """Refuse what cannot stand beside a version for ever. Raises `Refused` (REQUEST_INVALID)."""
    faults = list(user_text.text_faults(message, "/message", most=MAX_MESSAGE, lines=True))
    if len(sources) > MAX_SOURCES:
        expected = f"at most {MAX_SOURCES} sources"
        faults.append(Fault("/sources", Code.REQUEST_INVALID, "too many sources", expected))
    for index, url in enumerate(sources):
        faults.extend(user_text.link_faults(url, f"/sources/{index}"))
    refuse_all(faults)


def refuse_stale(history: Sequence[Version], expected: VersionNumber | None) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) unless the last version published is the expected."""
    last = history[-1].number if history else None
    if last != expected:
        there = f"the most recently published is {last}" if last else "there is none"
        wanted = f"to be {expected}" if expected else "there to be none"
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"You expected the version before this one {wanted}; {there}. Look at what changed, "
            "then try again.",
        )


def _tag(name: TagName, namespace: Namespace) -> Tag:
    known = tag_names.find_tag(name)
    if known is None:
        tag = Tag.objects.create(text=str(name), namespace=namespace)
        own = Name.objects.create(
            text=tag.text, tag=tag, namespace=namespace, is_alias=False, folded=fold_name(tag.text)
        )
        name_index.index_name(own)
        return tag
    return known
