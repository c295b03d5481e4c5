"""The log as `ttag` verifies it: by code that it does not share with the registry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ttag.errors import TtagError, attempt
from ttag.log.entries import read_leaf
from ttag.log.files import LogReader
from ttag.log.history import History
from ttag.log.proofs import inclusion_proof, is_included
from ttag.log.tree import leaf_hash

Read = Callable[[str], bytes]  # a path below log/, or an error


@dataclass(frozen=True)
class ReadFiles:
    """The files of a log, none of which comes from a cache."""

    file: Read

    def read(self, path: str, *, is_immutable: bool = False) -> bytes:
        return self.file(path)

    def without_cache(self) -> None:
        return None


@dataclass(frozen=True)
class Log:
    """A log whose checkpoint has a valid signature of its own newest key."""

    reader: LogReader
    history: History

    @classmethod
    def open(cls, read: Read) -> "Log":
        reader = LogReader("the registry", ReadFiles(read))
        history = History.open(reader)
        assert history is not None
        assert history.has_signatures
        return cls(reader, history)

    @property
    def size(self) -> int:
        return self.history.tree.size

    def event(self, number: int) -> Mapping[str, Any]:
        """Return the leaf of an event, proven to be in the tree."""
        index, tree = number - 1, self.history.tree
        data = self.entry(index)
        proof = inclusion_proof(index, tree.size, partial(self._node, tree.size))
        assert is_included(leaf_hash(data), index, tree.size, tree.root, proof)
        leaf = read_leaf(data)
        assert leaf["event"] == number
        return leaf

    def entry(self, index: int) -> bytes:
        return self.reader.leaf(index, self.size)

    def extends(self, older: "Log") -> bool:
        """Return whether the tree is an older one with more leaves, as a proof shows."""
        result = attempt(self.history.require_growth, older.history.known("the registry"))
        return not isinstance(result, TtagError)

    def _node(self, size: int, height: int, index: int) -> bytes:
        return self.reader.node(height, index, size)
