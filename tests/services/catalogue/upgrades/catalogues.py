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
        """Ship a tag with these versions, in place of those that it had."""
        versions = tuple(
            ShippedVersion(json.dumps(body), body, "As the vendor says.", (), "") for body in bodies
        )
        self.tags[tag] = ShippedTag(tag, aliases, versions)


def cores(count: int) -> dict[str, Any]:
    return LLVM | {"num-cores": count}


def left(loaded: LoadResult) -> dict[str, str]:
    return {each.name: each.why for each in loaded.left}


def bodies(tag: str) -> list[dict[str, Any]]:
    found = Version.objects.filter(tag__text=tag).order_by("pk")
    return [json.loads(source) for source in found.values_list("source", flat=True)]


def redact(text: str, actor: User) -> None:
    connection.check_constraints()  # what was loaded is of other transactions
    redaction.redact(text, reason="a secret", actor=Actor.operator(actor))
