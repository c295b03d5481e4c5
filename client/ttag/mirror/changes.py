"""Tells what the events of a log change in a mirror, from their leaves.

Leaves are part of the tree that a checkpoint signs, so nobody can leave one out unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ttag.errors import Unreachable
from ttag.log.entries import read_leaf
from ttag.log.notes import Malformed
from ttag.mirror.documents import MirroredVersion

PUBLISHED, POINTED, FAMILY = "version.published", "alias.pointed", "tag.family_set"
YANKED = "version.yanked"
WITHDRAWN = frozenset({YANKED, "version.unyanked"})
DEPRECATED = frozenset({"tag.deprecated", "tag.undeprecated"})
MADE = "namespace.made"

# A text in any place may have changed, or the log has a new beginning.
UNTOLD = frozenset({"kind.redacted", "log.forked", "text.redacted", "version.redacted"})

# A mirror holds nothing of these. Kinds: each version keeps the revision that it was checked with.
WITHOUT_EFFECT = frozenset(
    {
        *("change.discarded", "change.requested", "kind.revised", "lints.replaced"),
        *("log.key_rotated", "member.granted", "member.revoked", "namespace.described"),
        *("namespace.factor_required", "namespace.policy_set", "namespace.readme_written"),
        *("namespace.staff_confirmed", "namespace.understaffed", "private"),
        *("proposal.accepted", "proposal.approved", "proposal.changes_asked"),
        *("proposal.commented", "proposal.rejected", "proposal.revised", "proposal.submitted"),
        *("proposal.withdrawn", "publisher.registered", "publisher.revoked", "publisher.used"),
        *("request.accepted", "request.commented", "request.rejected"),
        *("request.submitted", "request.withdrawn"),
        *("webhook.added", "webhook.disabled", "webhook.enabled", "webhook.removed"),
    }
)


class Unfit(Exception):
    """A mirror cannot be brought up to date by events; the text says why, in half a sentence."""


class Known(Protocol):
    """A mirror as it was before the events."""

    def exact_references(self, tag: str) -> Iterable[str]:
        """Return the exact references of the versions of a tag; none if the mirror lacks it."""


@dataclass
class Changes:
    """The names that events change, up to the last public event.

    `versions` are exact references, `withdrawn` those whose descendants have other warnings, with
    whether they are yanked now, and `tags` those of which every version has. `lines` describe each
    event in a line, with its namespace.
    """

    event: int
    versions: set[str] = field(default_factory=set)
    withdrawn: dict[str, bool] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    lines: list[tuple[str, str]] = field(default_factory=list)

    @classmethod
    def since(cls, event: int, leaves: Iterable[bytes]) -> Changes:
        """Return what the leaves after an event change. Raises `Unfit`."""
        changes = cls(event)
        for number, data in enumerate(leaves, event + 1):
            try:
                changes._apply(number, read_leaf(data))
            except (Malformed, KeyError) as error:
                raise Unfit(f"event {number} is unknown to this release") from error
        return changes

    def references(self, known: Known) -> set[str]:
        """Return the exact references to read again, but for descendants of `withdrawn`."""
        of_tags = (exact for tag in self.tags for exact in known.exact_references(tag))
        return self.versions.union(of_tags)

    def refuse_older(self, exact: str, version: MirroredVersion) -> None:
        """Raise `Unreachable` for an answer that one of these events has changed since.

        A node whose database lags gives it, or one that knows of later events.
        """
        is_yanked = self.withdrawn.get(exact, version.yanked)
        if is_yanked != version.yanked:
            raise Unreachable(
                f"The registry does not say yet, or no longer, what event {self.event} has made "
                f"of {exact}. The next run asks again."
            )

    def _apply(self, number: int, leaf: Mapping[str, Any]) -> None:
        """Add what one event changes. Raises `KeyError` for members that it must have."""
        action = leaf["action"]
        subject = self._subject(action, leaf)
        if action == "private":
            return
        self.event = number
        if subject:
            line = f"event {number}: {action} {subject}"
            self.lines.append((subject.partition("/")[0], line))

    def _subject(self, action: str, leaf: Mapping[str, Any]) -> str:
        """Add what an action changes, and return its subject; empty if it changes nothing."""
        if action in UNTOLD:
            raise Unfit(f"event {leaf['event']} is {action}, which may change any file")
        if action == PUBLISHED or action in WITHDRAWN:
            exact = f"{leaf['tag']}@{leaf['version']}"
            self.versions.add(exact)
            if action in WITHDRAWN:
                self.withdrawn[exact] = action == YANKED
            self._add_family_of(leaf["tag"])
            return exact
        if action in DEPRECATED or action == FAMILY:
            self.tags.add(leaf["tag"])
            self._add_family_of(leaf["tag"])
            return str(leaf["tag"])
        if action == POINTED:
            self.aliases[leaf["alias"]] = leaf["to"]
            return f"{leaf['alias']} to {leaf['to']}"
        if action == MADE:
            self.namespaces.add(leaf["namespace"])
            return str(leaf["namespace"])
        if action not in WITHOUT_EFFECT:
            raise KeyError(action)
        return ""

    def _add_family_of(self, tag: str) -> None:
        """Add the plain tag of a variant: it may be a family, which names its accelerated ones."""
        plain, colon, _ = tag.partition(":")
        if colon:
            self.tags.add(plain)
