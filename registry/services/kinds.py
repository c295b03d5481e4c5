"""The kinds in force, and new revisions of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import F

from registry.domain import body_schema, kinds as domain
from registry.domain.checks import check
from registry.domain.document import digest
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.near import nearest
from registry.domain.schema import problems
from registry.models import Kind, KindRevision, User, VersionKind
from registry.models.prepared import Prepared
from registry.services import choosing
from registry.services.writing import exclusive, record

MOST_BROKEN = 20  # versions that a refused revision names


@dataclass(frozen=True)
class Current:
    """The kinds in force at one moment, and the primary keys of their revisions by name."""

    kinds: domain.Kinds
    revisions: Mapping[str, int]


_in_force: Prepared[Any] = Prepared(  # revisions, with the name of their kind
    lambda: (
        KindRevision.objects.newest()
        .annotate(kind_name=F("kind__name"))
        .only("number", "digest")
        .order_by("kind__name")
    )
)


def current() -> Current:
    """The newest revision of every kind. One query; schemas are compiled once a process."""
    return _current(tuple((row.kind_name, row.number, row.digest, row.pk) for row in _in_force()))


@lru_cache(maxsize=4)
def _current(revisions: tuple[tuple[str, int, str, int], ...]) -> Current:
    return Current(
        domain.Kinds(_kind(*revision) for revision in revisions),
        {name: pk for name, _, _, pk in revisions},
    )


@lru_cache(maxsize=512)
def _kind(name: str, number: int, digest: str, pk: int) -> domain.Kind:
    """Known by its content: a key can be given out again after a rollback."""
    revision = KindRevision.objects.get(pk=pk, digest=digest)
    return domain.Kind(name, number, json.loads(revision.source))


def describe(name: str) -> domain.Kind:
    """A kind by name. Raises `Refused` (KIND_UNKNOWN) with the nearest names."""
    kinds = current().kinds
    if name not in kinds:
        raise Refused(
            Code.KIND_UNKNOWN,
            f"There is no kind {name!r}.",
            suggestions=nearest(name, kinds),
        )
    return kinds[name]


def revise(name: str, source: Mapping[str, Any], *, author: User) -> KindRevision | None:
    """Put a new revision of a kind in force; None where its schema is the one in force.

    Raises `Refused` (BODY_INVALID) with every reason why the schema cannot describe a kind, or
    with every newest version that would be invalid under it (up to 20).
    """
    if name == body_schema.NAME:
        raise Refused(Code.CONFLICT, f"{name} is the schema of whole bodies; no kind has the name.")
    refuse_all(Fault("", Code.BODY_INVALID, f"{name}: {problem}") for problem in problems(source))
    text = json.dumps(source, ensure_ascii=False)
    content = digest(text.encode())
    with exclusive():
        kind, _ = Kind.objects.get_or_create(name=name)
        last = kind.revisions.order_by("-number").first()
        if last and last.digest == content:
            return None
        number = last.number + 1 if last else 1
        refuse_all(_broken(kind, domain.Kind(name, number, source)))
        revision = KindRevision.objects.create(
            kind=kind, number=number, source=text, digest=content, author=author
        )
        record("kind.revised", name, actor=author, namespace="", revision=number, digest=content)
    return revision


def _broken(kind: Kind, revised: domain.Kind) -> Iterator[Fault]:
    """A fault for each newest version that a revision makes invalid, the first 20."""
    kinds = domain.Kinds([*current().kinds.values(), revised])
    using = VersionKind.objects.filter(revision__kind=kind)
    newest = choosing.newest(set(using.values_list("version__tag", flat=True)))
    checked = using.filter(version__in=newest.values()).order_by("version__tag__text")
    found = 0
    for row in checked.select_related("version__tag").iterator(chunk_size=100):
        try:
            check(json.loads(row.version.target), kinds)
        except Refused as refusal:
            first = next(iter(refusal.faults), None)
            reason = first.message if first else refusal.detail
            message = f"{row.version.exact} would be invalid: {reason}"
            yield Fault("", Code.BODY_INVALID, message, "a schema that keeps newest versions valid")
            found += 1
        if found == MOST_BROKEN:
            return
