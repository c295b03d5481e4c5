"""The kinds in force, and new revisions of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from registry.domain import kinds as domain
from registry.domain.document import digest
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.near import nearest
from registry.domain.schema import problems
from registry.models import Kind, KindRevision, User
from registry.services.writing import exclusive, record


@dataclass(frozen=True)
class Current:
    """The kinds in force at one moment, and the primary keys of their revisions by name."""

    kinds: domain.Kinds
    revisions: Mapping[str, int]


def current() -> Current:
    """The newest revision of every kind. One query; schemas are compiled once a process."""
    newest = KindRevision.objects.newest().order_by("kind__name")
    return _current(tuple(newest.values_list("kind__name", "number", "digest", "pk")))


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

    Raises `Refused` (BODY_INVALID) with every reason why the schema cannot describe a kind.
    """
    refuse_all(Fault("", Code.BODY_INVALID, f"{name}: {problem}") for problem in problems(source))
    text = json.dumps(source, ensure_ascii=False)
    content = digest(text.encode())
    with exclusive():
        kind, _ = Kind.objects.get_or_create(name=name)
        last = kind.revisions.order_by("-number").first()
        if last and last.digest == content:
            return None
        number = last.number + 1 if last else 1
        revision = KindRevision.objects.create(
            kind=kind, number=number, source=text, digest=content, author=author
        )
        record("kind.revised", name, actor=author, namespace="", revision=number, digest=content)
    return revision
