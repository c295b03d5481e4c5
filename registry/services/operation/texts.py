"""Which columns hold text that people wrote, and where in them a text stands.

Every column of text is in one class, and a test sees to it: a new one must say what it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.apps import apps
from django.db.models import Model

BATCH = 500
STRING = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
HASH = re.compile(r"(sha256|tk1):[0-9a-f]{64}")
PROSE = ("description", "title", "$comment", "x-reason")  # of a kind's schema; the rest are rules


class Holds(Enum):
    """What a column of text holds."""

    TEXT = "words"
    JSON = "JSON with words in it"
    SCHEMA = "a schema with descriptions in it"
    NAME = "a name, by which something is found"
    OTHER = "nothing that anybody words: a digest, a choice, or what follows from other columns"


COLUMNS: dict[str, dict[str, Holds]] = {
    "auth.Group": {"name": Holds.NAME},
    "admin.LogEntry": {
        "object_id": Holds.OTHER,
        "object_repr": Holds.TEXT,
        "change_message": Holds.JSON,
    },
    "registry.User": {
        "username": Holds.NAME,
        "first_name": Holds.TEXT,
        "last_name": Holds.TEXT,
        "email": Holds.TEXT,
        "password": Holds.OTHER,
    },
    "account.EmailAddress": {"email": Holds.TEXT},
    "account.EmailConfirmation": {"key": Holds.OTHER},
    "mfa.Authenticator": {"type": Holds.OTHER},
    "registry.Namespace": {
        "name": Holds.NAME,
        "title": Holds.TEXT,
        "description": Holds.TEXT,
        "url": Holds.TEXT,
        "policy": Holds.OTHER,
    },
    "registry.Membership": {"role": Holds.OTHER},
    "registry.Token": {
        "label": Holds.TEXT,
        "pattern": Holds.NAME,
        "prefix": Holds.OTHER,
        "digest": Holds.OTHER,
        "scopes": Holds.OTHER,
    },
    "registry.Kind": {"name": Holds.NAME},
    "registry.KindRevision": {"source": Holds.SCHEMA, "digest": Holds.OTHER},
    "registry.Tag": {"text": Holds.NAME},
    "registry.Name": {"text": Holds.NAME, "folded": Holds.OTHER, "digest": Holds.OTHER},
    "registry.Deprecation": {"reason": Holds.TEXT},
    "registry.Version": {
        "source": Holds.JSON,
        "target": Holds.JSON,
        "sources": Holds.JSON,
        "message": Holds.TEXT,
        "kind": Holds.NAME,
        "digest": Holds.OTHER,
        "provenance": Holds.OTHER,  # names and pointers, like the next three
        "tuning_keys": Holds.OTHER,
        "lineage": Holds.OTHER,
        "dependencies": Holds.OTHER,
    },
    "registry.Dependency": {
        "requested": Holds.NAME,
        "pointer": Holds.OTHER,
        "relation": Holds.OTHER,
    },
    "registry.Withdrawal": {"reason": Holds.TEXT},
    "registry.Proposal": {"tag": Holds.NAME, "state": Holds.OTHER},
    "registry.ProposalRevision": {
        "base": Holds.OTHER,
        "source": Holds.JSON,
        "message": Holds.TEXT,
        "sources": Holds.JSON,
    },
    "registry.Turn": {"act": Holds.OTHER, "text": Holds.TEXT, "key": Holds.TEXT},
    "registry.SavedDraft": {"tag": Holds.TEXT, "typed": Holds.JSON},
    "registry.Event": {
        "subject": Holds.NAME,
        "namespace": Holds.NAME,
        "detail": Holds.JSON,
        "action": Holds.OTHER,
        "request": Holds.OTHER,
    },
}
# The keys of their JSON are the code's own words.
FREE_KEYS = ("registry.Event", "registry.SavedDraft", "admin.LogEntry")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: in a row's column, how often, and what the column holds without it.

    `value` is None where the text is, or is part of, a name, a key or a rule.
    """

    model: type[Model]
    key: Any
    row: str
    column: str
    count: int
    value: str | None

    def __str__(self) -> str:
        times = f", {self.count} times" if self.count > 1 else ""
        return f"{self.model._meta.db_table} {self.key} ({self.row}): {self.column}{times}"


def places(text: str, instead: str) -> Iterator[Place]:
    """Everywhere that a text stands. One query for each table, 500 rows in memory."""
    for label, columns in COLUMNS.items():
        model = apps.get_model(label)
        related = [field.name for field in model._meta.concrete_fields if field.many_to_one]
        rows = model._base_manager.select_related(*related).order_by("pk")
        if label == "registry.Version":
            rows = rows.defer("provenance", "tuning_keys", "lineage", "dependencies")
        for row in rows.iterator(chunk_size=BATCH):
            for column, holds in columns.items():
                if holds is not Holds.OTHER:
                    yield from _in_column(row, column, holds, text, instead)


def _in_column(row: Model, column: str, holds: Holds, text: str, instead: str) -> Iterator[Place]:
    value, named = getattr(row, column) or "", str(row).replace(text, instead)
    found: list[str] = []

    def replaced(words: str) -> str:
        """Words without the text; each that had it is noted."""
        found.extend([words] * words.count(text))
        return words.replace(text, instead)

    rewrite = REWRITES.get(holds)
    if rewrite is None:
        if text in value:
            yield Place(type(row), row.pk, named, column, value.count(text), None)
        return
    rewritten, is_fixed = rewrite(value, text, replaced)
    if is_fixed and row._meta.label not in FREE_KEYS:
        yield Place(type(row), row.pk, named, f"{column}, as a key or a rule", 1, None)
    if found:
        field: Any = row._meta.get_field(column)
        yield Place(type(row), row.pk, named, column, len(found), rewritten[: field.max_length])


Rewrite = Callable[[str, str, Callable[[str], str]], tuple[str, bool]]


def _words(value: str, _text: str, replaced: Callable[[str], str]) -> tuple[str, bool]:
    return replaced(value), False


def _json(value: str, text: str, replaced: Callable[[str], str]) -> tuple[str, bool]:
    """Each string of a JSON text by itself; all else stays to the letter."""
    fixed: list[str] = []

    def one(match: re.Match[str]) -> str:
        words = json.loads(match[0].removesuffix(match[1] or ""))
        if text not in words or HASH.fullmatch(words):
            return match[0]
        if match[1]:
            fixed.append(words)
            return match[0]
        return json.dumps(replaced(words), ensure_ascii=False)

    return STRING.sub(one, value), bool(fixed)


def _schema(value: str, text: str, replaced: Callable[[str], str]) -> tuple[str, bool]:
    """What a schema says to people; whether the text stands in what it says to the checks."""
    fixed: list[str] = []

    def walk(part: Any, key: str) -> Any:
        if isinstance(part, dict):
            fixed.extend(name for name in part if text in name)
            return {name: walk(item, name) for name, item in part.items()}
        if isinstance(part, list):
            return [walk(item, key) for item in part]
        if not isinstance(part, str) or text not in part:
            return part
        if key in PROSE:
            return replaced(part)
        fixed.append(part)
        return part

    return json.dumps(walk(json.loads(value), ""), ensure_ascii=False), bool(fixed)


REWRITES: dict[Holds, Rewrite] = {
    Holds.TEXT: _words,
    Holds.JSON: _json,
    Holds.SCHEMA: _schema,
}
