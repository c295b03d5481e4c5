"""A catalogue that tests can change, and the result of loading it."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from registry.models import User, Version
from registry.services.catalogue.load_run import LoadResult
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.core.shipped_facts import ShippedTag, ShippedVersion
from registry.services.operations import redaction

LLVM = {"kind": "llvm", "mcpu": "haswell"}


@dataclass
class Catalogue:
    """A shipped catalogue that a test can change."""

    kinds: dict[str, dict[str, Any]] = field(default_factory=shipped_facts.kinds)
    tags: dict[str, ShippedTag] = field(default_factory=dict)
    namespaces: list[str] = field(default_factory=lambda: ["vendor"])

    def ship(self, tag: str, *bodies: dict[str, Any], aliases: tuple[str, ...] = ()) -> None:
        """Ship a tag with these versions, replacing earlier ones."""
        versions = tuple(ShippedVersion(body, "As the vendor says.") for body in bodies)
        self.tags[tag] = ShippedTag(tag, aliases, versions)


def cores(count: int) -> dict[str, Any]:
    return LLVM | {"num-cores": count}


def skip_reasons(result: LoadResult) -> dict[str, str]:
    return {skipped.name: skipped.reason for skipped in result.skipped}


def change_names(result: LoadResult) -> list[str]:
    return [change.name for change in result.changes]


def bodies(tag: str) -> list[dict[str, Any]]:
    versions = Version.objects.filter(tag__text=tag).order_by("pk")
    return [json.loads(source) for source in versions.values_list("source", flat=True)]


def redact(text: str, actor: User) -> None:
    connection.check_constraints()  # deferred, as all is one transaction
    redaction.redact(text, reason="a secret", actor=Actor.operator(actor))
