"""Publishes a body as the next, immutable version of a tag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry.domain import user_text
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.reference import Tag as TagName
from registry.models import Namespace, User, Version
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import last_event_number
from registry.services.namespaces.lookup import require_namespace
from registry.services.search import indexing
from registry.services.versions import families, tag_names
from registry.services.versions.checking import CheckedBody
from registry.services.versions.drafting import Draft, create_draft, versions_of
from registry.services.versions.storage import NumberedDraft, store_versions
from ttag_rules.version_number import VersionNumber

MAX_MESSAGE = 2000
MAX_SOURCES = 16


@dataclass(frozen=True, slots=True)
class Pending:
    """A draft that can be published, computed after the event `seen`."""

    message: str
    sources: Sequence[str]
    expected: VersionNumber | None
    namespace: Namespace
    draft: Draft
    seen: int
    is_family: bool | None = None


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
    is_family: bool | None = None,
) -> Version:
    """Publish a body as the next version of a tag; the first version creates the tag.

    `expected` is the number of the most recently published version, None if there must be none.
    `author_id` is the account that wrote the body, if not the actor's. `checked` avoids drafting
    the body again, unless something was written since. `is_family` marks the tag as a family, or
    as none; None changes nothing. Raises `Refused`: the body's faults,
    PRECONDITION_FAILED if the tag has changed since, NOTHING_CHANGED, NAMESPACE_UNKNOWN, CONFLICT
    if the name is an alias.
    """
    permission = permissions.require(actor, Action.PUBLISH, tag)
    pending = prepare(
        tag,
        source,
        message=message,
        expected=expected,
        sources=sources,
        checked=checked,
        is_family=is_family,
    )
    with authorized_write(permission):
        if pending.expected and is_family is not None and is_family != _is_family(tag):
            permissions.require(actor, Action.MARK_FAMILY, tag)
        return finish(pending, publisher=permission.user, author_id=author_id)


def prepare(
    tag: TagName,
    source: str,
    *,
    message: str,
    expected: VersionNumber | None,
    sources: Sequence[str] = (),
    checked: CheckedBody | None = None,
    is_family: bool | None = None,
) -> Pending:
    """Compute everything that `finish` writes, without the lock. Raises `Refused` as `publish`."""
    message = user_text.normalize_text(message)
    check_message(message, sources)
    namespace = require_namespace(tag.namespace)
    if checked and checked.matches(tag, source):
        refuse_stale(checked.history, expected)
        seen, draft = checked.seen, checked.draft
    else:
        seen = last_event_number()
        draft = _create_draft(source, tag, expected, is_family)
    draft.own_lints  # noqa: B018 - computes and caches them, outside the lock
    return Pending(message, sources, expected, namespace, draft, seen, is_family)


def finish(pending: Pending, *, publisher: User, author_id: int | None = None) -> Version:
    """Write a prepared version. Call inside `authorized_write`.

    The caller checks the permission, to publish or to review. Raises `Refused` as `publish`, if
    a write in between prevents it.
    """
    draft = pending.draft
    # Decision 014: rows that were read prove nothing: others can close a cycle.
    if last_event_number() != pending.seen:  # a write in between can change the draft
        draft = _create_draft(draft.source, draft.tag, pending.expected, pending.is_family)
    number = require_number(draft)
    name = draft.tag
    tag = tag_names.find_tag(name) or tag_names.create_tags({name: pending.namespace})[str(name)]
    if pending.is_family not in (None, tag.is_family):
        families.change_family(tag, is_family=bool(pending.is_family), user=publisher)
    ready = NumberedDraft(draft, number, tag, pending.message, pending.sources, author_id)
    (version,) = store_versions([ready], publisher=publisher)
    new_tags = [] if draft.base else [tag.pk]
    indexing.index_versions({version: draft.resolution.target}, new_tags, draft.current)
    return version


def require_number(draft: Draft) -> VersionNumber:
    """Return the number of a draft's version. Raises `Refused` (NOTHING_CHANGED) if it has none."""
    if draft.number is None:
        raise Refused(
            Code.NOTHING_CHANGED,
            "Source, lineage, target and tuning keys equal those of the newest version of "
            f"{draft.tag}.",
        )
    return draft.number


def _create_draft(
    source: str, tag: TagName, expected: VersionNumber | None, is_family: bool | None
) -> Draft:
    history = versions_of(tag)
    refuse_stale(history, expected)
    return create_draft(source, tag, history, is_family=is_family)


def _is_family(name: TagName) -> bool:
    tag = tag_names.find_tag(name)
    return tag is not None and tag.is_family


def check_message(message: str, sources: Sequence[str]) -> None:
    """Check the message and sources of a version. Raises `Refused` (REQUEST_INVALID)."""
    faults = user_text.text_faults(message, "/message", max_length=MAX_MESSAGE, is_multiline=True)
    refuse_all([*faults, *source_faults(sources, "/sources")])


def source_faults(sources: Sequence[str], pointer: str = "") -> Iterator[Fault]:
    """Yield what is wrong with the sources of a version, which a pointer leads to."""
    if len(sources) > MAX_SOURCES:
        expected = f"at most {MAX_SOURCES} sources"
        yield Fault(pointer, Code.REQUEST_INVALID, "too many sources", expected)
    for index, url in enumerate(sources):
        yield from user_text.link_faults(url, f"{pointer}/{index}")


def refuse_stale(history: Sequence[Version], expected: VersionNumber | None) -> None:
    """Raise `Refused` (PRECONDITION_FAILED) unless `expected` was published last.

    So no number is ever taken twice, and a conflict of numbers is no 409.
    """
    # Decision 013: the last published counts, not the highest, which may be yanked.
    last = history[-1].number if history else None
    if last != expected:
        actual = f"the last published is {last}" if last else "it has none"
        version = f"version {expected}" if expected else "no version"
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"The tag has changed since you read it: you expected {version}, but {actual}. "
            "Review the changes, then try again.",
        )
