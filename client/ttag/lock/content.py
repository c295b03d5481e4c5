"""The content of a lock: targets, nodes of them, and the logs that they were locked from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ttag.errors import Tampered
from ttag.log.history import KnownLog
from ttag.references import whole_of
from ttag.resolution import Export, Resolution
from ttag.texts import proven
from ttag.texts.node_texts import DERIVED, node_text
from ttag.texts.parts import part_of, require_part


@dataclass(frozen=True, slots=True)
class LockedTarget:
    """A target as a lock holds it: its resolution, the registry it came from, and its exports.

    If a node is locked, `resolution` is that of the whole target, whose digest was published, and
    `exports` are those of the node; `node_build_key` is empty if only a mirror was asked.
    """

    registry: str
    resolution: Resolution
    exports: Mapping[str, Export]
    node: str = ""
    node_build_key: str = ""

    @property
    def reference(self) -> str:
        """The reference that was locked."""
        return f"{self.resolution.reference}#{self.node}" if self.node else self.whole_reference

    @property
    def whole_reference(self) -> str:
        """The reference that was locked, without the pointer of a node."""
        return self.resolution.reference

    @property
    def answer(self) -> Resolution:
        """The resolution of the reference: of the whole target, or of its node."""
        if not self.node:
            return self.resolution
        return replace(part_of(self.resolution, self.node), build_key=self.node_build_key)

    def part(self, node: str) -> LockedTarget:
        """Return a node of a whole target, with the texts that those of the whole tell.

        Raises `Refused` (NODE_UNKNOWN), or `Tampered` for a text that is not of the target.
        """
        part = replace(self, exports={}, node=node)
        texts = {}
        for form in DERIVED.keys() & self.exports.keys():
            text = proven(self.exports[form], self.resolution, source="The lock")
            texts[form] = node_text(text, self.resolution, part.answer)
        return replace(part, exports={form: text for form, text in texts.items() if text})

    def verify(self, resolution: Resolution) -> None:
        """Raise `Tampered` if a registry has another target, or node, for the locked version."""
        self.verify_exact(resolution)
        if resolution.node:
            require_part(resolution, self.resolution, "The registry")
        elif resolution.digest != self.resolution.digest:
            raise Tampered(
                f"{resolution.exact} has the digest {resolution.digest} in the registry, and "
                f"{self.resolution.digest} in the lock. Published versions never change."
            )

    def verify_exact(self, resolution: Resolution) -> None:
        """Raise `Tampered` if a resolution, or one of a node, is of another tag or version."""
        if whole_of(resolution.exact) != self.resolution.exact:
            raise Tampered(
                f"{self.resolution.exact} of the lock is {resolution.exact} in the registry. The "
                "names of tags and versions never change."
            )

    def verify_tag(self, resolution: Resolution) -> None:
        """Raise `Tampered` if the reference named a tag when it was locked, and no longer does."""
        if resolution.tag != self.resolution.tag and not self.resolution.is_of_alias:
            raise Tampered(
                f"{self.reference} was a tag when it was locked, and the registry makes it an "
                f"alias of {resolution.tag}. The name of a tag is never free for another one."
            )


@dataclass(frozen=True, slots=True)
class LockContent:
    """The targets of a lock by reference, and what is wrong with the others.

    `logs` are those that the targets were locked from, one for each registry; after a merge, those
    that both sides have seen. `log_faults` says by registry what is wrong with the others.
    """

    targets: Mapping[str, LockedTarget]
    faults: Mapping[str, str]
    logs: tuple[KnownLog, ...] = ()
    log_faults: Mapping[str, str] = field(default_factory=dict)
