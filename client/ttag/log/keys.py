"""The keys of a log, each endorsed by the one before, and the logs that it continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ttag.log.checkpoints import Tree
from ttag.log.notes import Key, Malformed, decode_base64

MAX_KEYS = 1024 * 1024  # bytes of the document; a rotation each week for 60 years
MAX_REASON = 500  # characters of a reason that a message repeats


@dataclass(frozen=True, slots=True)
class LogKey:
    """A key, the size of the log from which it signs, and its endorsement by the key before."""

    key: Key
    since: int
    endorsement: bytes | None

    @property
    def statement(self) -> bytes:
        """The text that the key before signs."""
        lines = ("target-tag-registry/log-key", self.key.name, str(self.since), str(self.key))
        return "".join(f"{line}\n" for line in lines).encode()


@dataclass(frozen=True, slots=True)
class Fork:
    """A log that ended: its last tree, and the reason."""

    tree: Tree
    reason: str


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a log, newest last, and the logs that it continues, oldest first.

    `document` is the JSON that states them.
    """

    origin: str
    keys: tuple[LogKey, ...]
    forks: tuple[Fork, ...]
    document: Mapping[str, Any]

    @property
    def newest(self) -> Key:
        """The key that signs checkpoints."""
        return self.keys[-1].key

    def without_newest(self) -> Keys:
        """Return the keys as they were before the newest one."""
        document = {**self.document, "keys": self.document["keys"][:-1]}
        return replace(self, keys=self.keys[:-1], document=document)

    def fork_of(self, origin: str) -> Fork | None:
        """Return the end of an older log, or None."""
        return next((fork for fork in self.forks if fork.tree.origin == origin), None)

    def lead_from(self, key: Key, verify: Callable[[Key, bytes, bytes], bool]) -> bool:
        """Return whether an older key, or the newest, is followed by endorsed ones alone."""
        places = [place for place, each in enumerate(self.keys) if each.key == key]
        if not places:
            return False
        return all(
            verify(older.key, newer.statement, newer.endorsement or b"")
            for older, newer in pairwise(self.keys[places[0] :])
        )

    @classmethod
    def parse(cls, data: bytes) -> Keys:
        """Read the document `log/keys`. Raises `Malformed`."""
        if len(data) > MAX_KEYS:
            raise Malformed(f"it has more than {MAX_KEYS} bytes")
        try:
            document = json.loads(data)
            keys = tuple(map(_key, document["keys"]))
            forks = tuple(map(_fork, document["forks"]))
            history = cls(_text(document["origin"]), keys, forks, document)
        except Malformed:
            raise
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
            raise Malformed("it is not the JSON of keys and forks") from error
        _check(history)
        return history


def _check(history: Keys) -> None:
    names = {each.key.name for each in history.keys}
    if names != {history.origin}:
        raise Malformed("its keys must have the name of its origin, and there must be one")
    if len({each.key for each in history.keys}) < len(history.keys):
        raise Malformed("it has a key twice")
    if history.keys[0].endorsement is not None or any(
        each.endorsement is None for each in history.keys[1:]
    ):
        raise Malformed("every key but the first needs an endorsement")
    sizes = [each.since for each in history.keys]
    if sizes != sorted(sizes):
        raise Malformed("its keys are not in their order")
    if history.origin in {fork.tree.origin for fork in history.forks}:
        raise Malformed("the log cannot continue itself")


def _key(member: Any) -> LogKey:
    endorsement = member["endorsement"]
    return LogKey(
        key=Key.parse(_text(member["key"])),
        since=_size(member["since"]),
        endorsement=None if endorsement is None else decode_base64(_text(endorsement)),
    )


def _fork(member: Any) -> Fork:
    root = decode_base64(_text(member["root"]))
    tree = Tree(_text(member["origin"]), _size(member["size"]), root)
    return Fork(tree, _text(member["reason"])[:MAX_REASON])


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Malformed("it has a value that is not a string")
    return value


def _size(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise Malformed("it has a size that is not a number of events")
    return value
