"""The text columns of all tables, classified by content, and the search for a text in them.

A test ensures that every text column is classified.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from django.apps import apps
from django.db.models import Model

BATCH = 500
STRING = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')
SHORT_MARK = "[…]"  # where the mark does not fit; no longer than any text that is redacted
HASH = re.compile(r"(sha256|tk1):[0-9a-f]{64}")
LABEL_KEYS = ("name", "label")  # of a passkey, of an identity; other members are credentials
PROSE_KEYS = ("description", "title", "$comment", "x-reason")  # of schemas; others are rules


class ColumnContent(Enum):
    """The content of a text column."""

    TEXT = "text written by users"
    JSON = "JSON that contains such text"
    SCHEMA = "a schema with descriptions"
    LABEL = "an object with a label that users wrote"
    ADDRESS = "an address of a person or a server, which is of no use in part"
    NAME = "a name"
    OTHER = "a digest, a choice, or a value derived from other columns"


TEXT, JSON, SCHEMA, LABEL, ADDRESS, NAME, OTHER = ColumnContent
COLUMN_NAMES: dict[str, dict[ColumnContent, str]] = {
    "auth.Group": {NAME: "name"},
    "admin.LogEntry": {TEXT: "object_repr", JSON: "change_message", OTHER: "object_id"},
    "registry.User": {
        NAME: "username",
        TEXT: "first_name last_name",
        ADDRESS: "email",
        OTHER: "password",
    },
    "account.EmailAddress": {ADDRESS: "email"},
    "account.EmailConfirmation": {OTHER: "key"},
    "mfa.Authenticator": {LABEL: "data", OTHER: "type"},
    "socialaccount.SocialAccount": {ADDRESS: "uid", LABEL: "extra_data", OTHER: "provider"},
    "socialaccount.SocialApp": {OTHER: "provider provider_id name client_id secret key settings"},
    "socialaccount.SocialToken": {OTHER: "token token_secret"},
    "registry.Namespace": {NAME: "name", TEXT: "title description url", OTHER: "policy"},
    "registry.NamespaceRequest": {
        NAME: "name",
        TEXT: "title url evidence reason decision",
        OTHER: "kind state",
    },
    "registry.RequestComment": {TEXT: "text key"},
    "registry.Readme": {TEXT: "text"},
    "registry.Membership": {OTHER: "role"},
    "registry.Token": {TEXT: "label", NAME: "pattern", OTHER: "prefix digest scopes"},
    "registry.RecoveryKey": {OTHER: "digest"},
    "registry.AccountReset": {OTHER: "digest"},
    "registry.TrustedPublisher": {NAME: "claims subject pattern", OTHER: "issuer scopes"},
    "registry.UsedIdentity": {OTHER: "digest"},
    "registry.OutgoingMail": {OTHER: "kind message_id content reason"},  # encrypted
    "registry.LogCursor": {OTHER: "name"},
    "registry.Watch": {NAME: "name"},
    "registry.Notice": {NAME: "namespace via", OTHER: "kind needs"},
    "registry.MailChoice": {OTHER: "kind time"},
    "registry.Webhook": {ADDRESS: "url", OTHER: "secret"},  # encrypted
    "registry.WebhookDelivery": {OTHER: "message_id reason"},
    "registry.Duty": {NAME: "name", TEXT: "reason", OTHER: "holder"},
    "registry.Kind": {NAME: "name"},
    "registry.KindRevision": {SCHEMA: "source", OTHER: "digest"},
    "registry.Tag": {NAME: "text"},
    "registry.Name": {NAME: "text", OTHER: "folded digest"},
    "registry.Deprecation": {TEXT: "reason"},
    "registry.Version": {
        JSON: "source target sources",
        TEXT: "message",
        NAME: "kind",
        # Besides digests, names and pointers.
        OTHER: "digest build_digest provenance tuning_keys lineage dependencies",
    },
    "registry.Dependency": {NAME: "requested", OTHER: "pointer relation"},
    "registry.Withdrawal": {TEXT: "reason"},
    "registry.Proposal": {NAME: "tag", OTHER: "state"},
    "registry.ProposalRevision": {JSON: "source sources", TEXT: "message", OTHER: "base"},
    "registry.Turn": {TEXT: "text key", OTHER: "action"},
    "registry.SavedDraft": {TEXT: "tag", JSON: "form_data"},
    "registry.Event": {NAME: "subject namespace", JSON: "detail", OTHER: "action request"},
    "registry.LogKey": {NAME: "origin key", OTHER: "endorsement"},
    "registry.LogFork": {NAME: "origin", TEXT: "reason", OTHER: "root"},
}
COLUMNS = {  # the content of each text column, by table
    label: {column: content for content, names in contents.items() for column in names.split()}
    for label, contents in COLUMN_NAMES.items()
}
# Tables whose JSON keys are set by code, not by users.
FREE_KEYS = ("registry.Event", "registry.SavedDraft", "admin.LogEntry")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A column of a row that contains a text, the number of matches, and the redacted value.

    `value` is None if the text is part of a name, a key or a rule, and empty for an address.
    """

    model: type[Model]
    key: Any
    row: str
    column: str
    count: int
    value: str | dict[str, Any] | None

    def __str__(self) -> str:
        times = f", {self.count} times" if self.count > 1 else ""
        return f"{self.model._meta.db_table} {self.key} ({self.row}): {self.column}{times}"


def find_occurrences(text: str, replacement: str) -> Iterator[Occurrence]:
    """Yield every place that contains a text. One query per table, 500 rows in memory."""
    for label, columns in COLUMNS.items():
        model = apps.get_model(label)
        related = [field.name for field in model._meta.concrete_fields if field.many_to_one]
        rows = model._base_manager.select_related(*related).order_by("pk")
        if label == "registry.Version":
            rows = rows.defer("provenance", "tuning_keys", "lineage", "dependencies")
        for row in rows.iterator(chunk_size=BATCH):
            for column, content in columns.items():
                if content is not OTHER:
                    yield from _in_column(row, column, content, text, replacement)


def _in_column(
    row: Model, column: str, content: ColumnContent, text: str, replacement: str
) -> Iterator[Occurrence]:
    if content is ADDRESS:
        yield from _in_address(row, column, text, replacement)
        return
    value = getattr(row, column) or ""
    occurrence = partial(Occurrence, type(row), row.pk, str(row).replace(text, replacement))
    count = 0

    def replace(string: str) -> str:
        """Replace the text in a string, and count the matches."""
        nonlocal count
        count += string.count(text)
        return string.replace(text, replacement)

    rewrite = REWRITES.get(content)
    if rewrite is None:
        if text in value:
            yield occurrence(column, value.count(text), None)
        return
    rewritten, is_fixed = rewrite(value, text, replace)
    if is_fixed and row._meta.label not in FREE_KEYS:
        yield occurrence(f"{column}, as a key or a rule", 1, None)
    if count:
        field: Any = row._meta.get_field(column)
        if field.max_length and len(rewritten) > field.max_length:
            rewritten = value.replace(text, SHORT_MARK)  # a plain text: others have no limit
        yield occurrence(column, count, rewritten)


# Decision 025: half an address reaches somebody else, or nobody.
def _in_address(row: Model, column: str, text: str, replacement: str) -> Iterator[Occurrence]:
    """Yield an address that contains a text, in any case; nothing of it stays."""
    address = getattr(row, column)
    if text.casefold() in address.casefold():
        row_name = str(row).replace(address, replacement)
        yield Occurrence(type(row), row.pk, row_name, column, 1, "")


Rewrite = Callable[[Any, str, Callable[[str], str]], tuple[Any, bool]]


def _rewrite_text(value: str, _text: str, replace: Callable[[str], str]) -> tuple[str, bool]:
    return replace(value), False


def _rewrite_json(value: str, text: str, replace: Callable[[str], str]) -> tuple[str, bool]:
    """Rewrite the strings of a JSON text; return whether a key contains the text."""
    fixed: list[str] = []

    def rewrite(match: re.Match[str]) -> str:
        string = json.loads(match[0].removesuffix(match[1] or ""))
        if text not in string or HASH.fullmatch(string):
            return match[0]
        if match[1]:
            fixed.append(string)
            return match[0]
        return json.dumps(replace(string), ensure_ascii=False)

    return STRING.sub(rewrite, value), bool(fixed)


def _rewrite_label(
    value: dict[str, Any] | str, _text: str, replace: Callable[[str], str]
) -> tuple[dict[str, Any], bool]:
    """Rewrite what is a label in an object, if it is not empty, and nothing else of it."""
    rewritten = value if isinstance(value, dict) else {}
    labels = [key for key in LABEL_KEYS if isinstance(rewritten.get(key), str)]
    return rewritten | {key: replace(rewritten[key]) for key in labels}, False


def _rewrite_schema(value: str, text: str, replace: Callable[[str], str]) -> tuple[str, bool]:
    """Rewrite the descriptions of a schema; return whether a rule contains the text."""
    fixed: list[str] = []

    def walk(part: Any, key: str) -> Any:
        if isinstance(part, dict):
            fixed.extend(name for name in part if text in name)
            return {name: walk(item, name) for name, item in part.items()}
        if isinstance(part, list):
            return [walk(item, key) for item in part]
        if not isinstance(part, str) or text not in part:
            return part
        if key in PROSE_KEYS:
            return replace(part)
        fixed.append(part)
        return part

    return json.dumps(walk(json.loads(value), ""), ensure_ascii=False), bool(fixed)


REWRITES: dict[ColumnContent, Rewrite] = {
    TEXT: _rewrite_text,
    JSON: _rewrite_json,
    SCHEMA: _rewrite_schema,
    LABEL: _rewrite_label,
}
