"""Publishing: a body goes in once, is checked, resolved, numbered and made immutable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Q
from django.utils import timezone

from registry.domain import prose
from registry.domain.document import canonical
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.names import fold
from registry.domain.number import Number
from registry.domain.reference import Tag as TagName
from registry.models import (
    Ancestry,
    Dependency,
    Name,
    Namespace,
    Tag,
    User,
    Version,
    VersionKind,
)
from registry.services import indexing, naming, spelling
from registry.services.drafting import Draft, draft, versions_of
from registry.services.writing import exclusive, last_event, record

MAX_MESSAGE = 2000
MAX_SOURCES = 16
NUMBERS = ("major", "minor", "patch")


def publish(
    tag: TagName,
    source: str,
    *,
    message: str,
    actor: User,
    expected: Number | None,
    sources: Sequence[str] = (),
) -> Version:
    """Publish a body as the next version of a tag; the first version makes the tag.

    `expected` is the number of the most recently published version, None where there must be
    none. Raises `Refused`: the body's faults, PRECONDITION_FAILED where somebody was faster,
    NOTHING_CHANGED, NAMESPACE_UNKNOWN, CONFLICT where the name is an alias.
    """
    message = prose.tidy(message)
    check_message(message, sources)
    namespace = naming.find_namespace(tag.namespace)
    if namespace is None:
        raise Refused(
            Code.NAMESPACE_UNKNOWN,
            f"There is no namespace {tag.namespace}. Staff makes namespaces.",
        )
    seen = last_event()
    drafted = _drafted(source, tag, expected)
    with exclusive():
        if last_event() != seen:  # something was written meanwhile: what was found may not hold
            drafted = _drafted(source, tag, expected)
        if drafted.number is None:
            raise Refused(
                Code.NOTHING_CHANGED,
                f"Source, lineage and target are those of the newest version of {tag}.",
            )
        version = _store(drafted, _tag(tag, namespace), actor, message, sources)
        indexing.enter(version, drafted.resolution.target, is_first=drafted.base is None)
        record(
            "version.published",
            version.exact,
            actor=actor,
            namespace=tag.namespace,
            bump=drafted.bump,
            digest=version.digest,
        )
    return version


def _drafted(source: str, tag: TagName, expected: Number | None) -> Draft:
    history = versions_of(tag)
    refuse_stale(history, expected)
    return draft(source, tag, history)


def check_message(message: str, sources: Sequence[str]) -> None:
    """Refuse what cannot stand beside a version for ever. Raises `Refused` (REQUEST_INVALID)."""
    faults = list(prose.faults(message, "/message", most=MAX_MESSAGE, lines=True))
    if len(sources) > MAX_SOURCES:
        expected = f"at most {MAX_SOURCES} sources"
        faults.append(Fault("/sources", Code.REQUEST_INVALID, "too many sources", expected))
    for index, url in enumerate(sources):
        faults.extend(prose.link_faults(url, f"/sources/{index}"))
    refuse_all(faults)


def refuse_stale(history: Sequence[Version], expected: Number | None) -> None:
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
    known = naming.tag_named(name)
    if known is None:
        tag = Tag.objects.create(text=str(name), namespace=namespace)
        own = Name.objects.create(
            text=tag.text, tag=tag, namespace=namespace, is_alias=False, folded=fold(tag.text)
        )
        spelling.index(own)
        return tag
    return known


def _store(drafted: Draft, tag: Tag, actor: User, message: str, sources: Sequence[str]) -> Version:
    resolved, number = drafted.resolution, drafted.number
    assert number is not None  # noqa: S101 - `publish` refuses a draft without one
    version = Version.objects.create(
        tag=tag,
        **asdict(number),
        kind=resolved.target.get("kind", ""),
        source=drafted.source,
        target=resolved.text.decode(),
        size=len(resolved.text),
        digest=drafted.digest,
        provenance=_text(dict(resolved.provenance)),
        tuning_keys=_text(dict(drafted.tuning_keys)),
        lineage=_text(list(resolved.ancestors)),
        dependencies=_text([_shown(use) for use in resolved.dependencies]),
        depth=resolved.depth,
        message=message,
        sources=_text(list(sources)),
        published=timezone.now(),
        publisher=actor,
    )
    VersionKind.objects.bulk_create(
        VersionKind(version=version, revision_id=drafted.current.revisions[name])
        for name in sorted(drafted.fits)
    )
    choices = drafted.library.choices
    Dependency.objects.bulk_create(
        Dependency(
            version=version,
            position=position,
            pointer=use.pointer,
            requested=use.requested,
            name_id=choices[use.requested].name,
            is_floating=choices[use.requested].is_floating,
            resolved_id=choices[use.requested].version.pk,
            relation=use.relation,
        )
        for position, use in enumerate(resolved.dependencies)
    )
    _store_lineage(version, drafted)
    return version


def _store_lineage(version: Version, drafted: Draft) -> None:
    if not drafted.resolution.lineage:
        return
    direct = [choice.version.pk for choice in drafted.library.choices.values()]
    above = Ancestry.objects.filter(version__in=direct).values("ancestor")
    ancestors = Version.objects.filter(Q(pk__in=direct) | Q(pk__in=above)).select_related("tag")
    by_exact = {found.exact: found.pk for found in ancestors.only("tag__text", *NUMBERS)}
    flat = [
        (distance, exact)
        for distance, level in enumerate(drafted.resolution.lineage, start=1)
        for exact in level
    ]
    Ancestry.objects.bulk_create(
        Ancestry(version=version, position=position, distance=distance, ancestor_id=by_exact[exact])
        for position, (distance, exact) in enumerate(flat)
    )


def _shown(use: Any) -> dict[str, str]:
    return {
        "pointer": use.pointer,
        "requested": use.requested,
        "resolved": use.resolved,
        "relation": str(use.relation),
    }


def _text(value: Any) -> str:
    return canonical(value).decode()
