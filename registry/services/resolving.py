"""Resolving is a look-up: find the version, return the stored text. Two queries, always."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.models import Tag, Version
from registry.models.prepared import OPEN, Prepared
from registry.services import choosing

ACTIVE, YANKED, DEPRECATED = "active", "yanked", "deprecated"


@dataclass(frozen=True, slots=True)
class Answer:
    """A resolved reference: stored text, and what has become of the version since."""

    reference: Reference
    exact: str
    is_alias: bool
    is_floating: bool
    version: Version

    @property
    def status(self) -> str:
        """`active`, `yanked` (the version) or `deprecated` (the tag)."""
        if self.version.last_yanked:
            return YANKED
        return DEPRECATED if self.version.tag_deprecated else ACTIVE

    @property
    def warnings(self) -> list[dict[str, str]]:
        """What who resolves this should know: `code`, `message`, perhaps `successor`."""
        version, found = self.version, []
        if version.last_yanked:
            message = f"{self.exact} was yanked: {version.last_reason}"
            found.append({"code": "YANKED", "message": message})
        if version.tag_deprecated:
            message = f"{version.tag} is deprecated: {version.tag_deprecation}"
            warning = {"code": "DEPRECATED", "message": message}
            if version.tag_successor:
                warning["successor"] = version.tag_successor
            found.append(warning)
        if version.yanked_ancestors:
            yanked = version.yanked_ancestors.split()
            for ancestor in filter(yanked.__contains__, json.loads(version.lineage)):
                message = f"it is made from {ancestor}, which was yanked"
                found.append({"code": "PARENT_YANKED", "message": message})
        return found

    @property
    def text(self) -> str:
        """The resolution as JSON, put together from stored text."""
        version = self.version
        tag, number = self.exact.split("@")
        return (
            f'{{"reference":{json.dumps(str(self.reference))},"tag":"{tag}",'
            f'"version":"{number}","digest":"{version.digest}",'
            f'"published":"{version.date}","status":"{self.status}",'
            f'"target":{version.target},"tuning_keys":{version.tuning_keys},'
            f'"lineage":{version.lineage},"dependencies":{version.dependencies},'
            f'"warnings":{json.dumps(self.warnings, ensure_ascii=False)}}}'
        )


def resolve(reference: Reference) -> Answer:
    """Resolve one reference. Raises `Refused` with near tags or the versions there are."""
    choice = choosing.one(reference)
    (version,) = _whole({choice.version.pk})
    return Answer(choice.reference, choice.exact, choice.is_alias, choice.is_floating, version)


def by_digest(digest: str) -> str:
    """The target of a digest: exactly the digested text. Raises `Refused` (DIGEST_UNKNOWN)."""
    targets = Version.objects.filter(digest=digest).values_list("target", flat=True)
    target = targets.first()
    if target is None:
        raise Refused(Code.DIGEST_UNKNOWN, f"No version has the digest {digest}.")
    return target


_with_all: Prepared[Any] = Prepared(  # versions, with the text of their tag
    lambda: (
        Version.objects.filter(pk__among=OPEN)
        .as_resolved()
        .annotate(tag_text=F("tag__text"))
        .defer("source", "provenance", "message", "sources")
    )
)


def _whole(versions: Collection[int]) -> list[Version]:
    """Versions with all that a resolution says of them, by their primary keys. One query."""
    found = list(_with_all(versions))
    for version in found:
        version.tag = Tag.known(version.tag_id, version.tag_text)
    return found
