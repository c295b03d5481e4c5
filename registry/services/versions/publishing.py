"""Publishes a body as the next, immutable version of a tag."""

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
    """A draft that can be published, computed after the event `seen`."""

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
    author_id: int | None = None,
    checked: CheckedBody | None = None,
) -> Version:
    """Publish a body as the next version of a tag; the first version creates the tag.

    `expected` is the number of the most recently published version, None if there must be none.
    `author_id` is the account that wrote the body, if that is not the actor's. `checked` saves
    drafting the body again unless something was written since.

    Raises `Refused`: the body's faults, PRECONDITION_FAILED if the tag has changed since,
    NOTHING_CHANGED, NAMESPACE_UNKNOWN, CONFLICT if the name is an alias.
    """
    permission = permissions.require(actor, Action.PUBLISH, tag)
    pending = prepare(
        tag, source, message=message, expected=expected, sources=sources, checked=checked
    )
    with authorized_write(permission):
        return finish(pending, publisher=permission.user, author_id=author_id)


def prepare(
    tag: TagName,
    source: str,
    *,
    message: str,
    expected: VersionNumber | None,
    sources: Sequence[str] = (),
    checked: CheckedBody | None = None,
) -> Pending:
    """Compute everything for `finish`, without the lock. Raises `Refused` as `publish`."""
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


def finish(pending: Pending, *, publisher: User, author_id: int | None = None) -> Version:
    """Write a prepared version. Call inside `authorized_write`.

    The caller chooses the permission: to publish, or to review. Raises `Refused` as `publish`, if
    a write in between prevents it.
    """
    drafted = pending.drafted
    if last_event_number() != pending.seen:  # a write in between can change the draft
        drafted = _drafted(pending.source, pending.tag, pending.expected)
    number = next_of(drafted)
    tag = _find_or_create_tag(pending.tag, pending.namespace)
    ready = NumberedDraft(drafted, number, tag, pending.message, pending.sources, author_id)
    (version,) = store_versions([ready], publisher=publisher)
    indexing.index_version(version, drafted.resolution.target, is_first=drafted.base is None)
    return version


def next_of(drafted: Draft) -> VersionNumber:
    """Return the number of a draft's version. Raises `Refused` (NOTHING_CHANGED) if it has none."""
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
    """Check the message and sources of a version. Raises `Refused` (REQUEST_INVALID)."""
    faults = list(
        user_text.text_faults(message, "/message", max_length=MAX_MESSAGE, is_multiline=True)
    )
    if len(sources) > MAX_SOURCES:
        expected = f"at most {MAX_SOURCES} sources"
        faults.append(Fault("/sources", Code.REQUEST_INVALID, "too many sources", expected))
    for index, url in enumerate(sources):
        faults.extend(user_text.link_faults(url, f"/sources/{index}"))
    refuse_all(faults)


def refuse_stale(history: Sequence[Version], expected: VersionNumber | None) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) unless `expected` was published last."""
    last = history[-1].number if history else None
    if last != expected:
        actual = f"the most recently published is {last}" if last else "it has none"
        version = f"version {expected}" if expected else "no version"
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"The tag has changed since you read it: you expected {version}, but {actual}. "
            "Look at what changed, then try again.",
        )


def _find_or_create_tag(name: TagName, namespace: Namespace) -> Tag:
    tag = tag_names.find_tag(name)
    if tag is None:
        tag = Tag.objects.create(text=str(name), namespace=namespace)
        own = Name.objects.create(
            text=tag.text, tag=tag, namespace=namespace, is_alias=False, folded=fold_name(tag.text)
        )
        name_index.index_name(own)
    return tag
