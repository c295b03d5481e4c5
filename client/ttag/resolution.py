"""Resolutions and exports, the targets that references resolve to, and the options of exports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ttag.canonical_json import canonical, digest_of, escaped
from ttag.errors import ReferenceInvalid, Tampered, Unreachable, echo
from ttag.references import Reference, read_number, whole_of
from ttag_rules.selectors import NEWEST

LOCKED = "locked"  # the status of what comes from a lock, which learns of no later yank


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export: `node` is the pointer of the only node to write.

    If `strict`, a format that has to leave something out is refused. If `record`, the text states
    the origin of each node.
    """

    node: str | None = None
    strict: bool = False
    record: bool = False

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the query, but for the node."""
        switches = {"strict": self.strict, "record": self.record}
        return {name: "1" for name, chosen in switches.items() if chosen}

    def applied_to(self, references: Iterable[str]) -> tuple[list[str], ExportOptions]:
        """Return references that name the node, as `REF#/pointer`, and the remaining options."""
        return with_node(references, self.node), replace(self, node=None)


def with_node(references: Iterable[str], node: str | None) -> list[str]:
    """Return references with the pointer of a node; as they are for None or the whole target."""
    return [f"{reference}#{node}" if node else reference for reference in references]


PLAIN = ExportOptions()


VERIFIED = frozenset({"json", "target"})  # formats whose text can be checked against the digest


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning about a version: a code for programs, and a sentence.

    `successor` is the tag to use instead of a deprecated one, or empty.
    """

    code: str
    message: str
    successor: str = ""

    def __str__(self) -> str:
        successor = f" Use {self.successor} instead." if self.successor else ""
        return f"{self.message.rstrip('.')}.{successor}"

    def as_json(self) -> dict[str, str]:
        """Return the members as the registry sends them."""
        members = {"code": self.code, "message": self.message}
        return members | {"successor": self.successor} if self.successor else members

    @classmethod
    def from_json(cls, warning: Mapping[str, Any]) -> Warned:
        """Read a warning of the registry."""
        successor = warning.get("successor") or ""
        return cls(str(warning["code"]), str(warning["message"]), str(successor))


@dataclass(frozen=True, slots=True)
class Export:
    """A target in the text of one format.

    `dropped` lists, as JSON pointers, what the format cannot express. `digest` is that of the
    target with which the text was compared, and `tag` its tag; both are empty if it was not yet.
    """

    reference: str
    format: str
    text: str
    dropped: tuple[str, ...] = ()
    digest: str = field(default="", compare=False)
    tag: str = field(default="", compare=False)

    @property
    def is_of_alias(self) -> bool:
        """True if the reference names the tag by an alias, as far as that is known."""
        return _is_alias(self.reference, self.tag or self.reference)


@dataclass(frozen=True, slots=True)
class Resolution:
    """A target and what identifies it. `text` is the canonical JSON that `digest` covers.

    `build_key` is empty where the registry gives none: for mixins, and for targets that a compiler
    completes by looking at its own machine. `node` is the JSON pointer of a part of the target, or
    None for the whole; `digest`, `build_key` and `text` are then those of the part.

    `event` is the number of the event that states the digest of the version in the registry's log,
    or None if the registry has no log that can be checked.

    A lock holds what identifies the target, but neither `published`, `lineage` nor `warnings`;
    the status is then `locked`.
    """

    reference: str
    tag: str
    version: str
    digest: str
    status: str
    text: str
    tuning_keys: Mapping[str, str]
    build_key: str = ""
    published: str = ""
    node: str | None = None
    lineage: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    event: int | None = None

    @property
    def exact(self) -> str:
        """The exact reference, `tag@version`, with `#` and the pointer for a node."""
        return f"{self.tag}@{self.version}" + (f"#{self.node}" if self.node else "")

    @property
    def is_of_alias(self) -> bool:
        """True if the reference names the tag by an alias."""
        return _is_alias(self.reference, self.tag)

    @property
    def target(self) -> dict[str, Any]:
        """A new copy of the target as Python objects."""
        value: dict[str, Any] = json.loads(self.text)
        return value

    def export(self, form: str) -> Export:
        """Return the target as text in the format `target`, or all of this as `json`."""
        if form == "target":
            return Export(self.reference, form, self.text, tag=self.tag)
        text = escaped(json.dumps(self.as_json(), indent=2, ensure_ascii=False))
        return Export(self.reference, form, text, tag=self.tag)

    def as_json(self) -> dict[str, Any]:
        """Return everything that identifies the target, and the target, as JSON."""
        members: dict[str, Any] = {
            "reference": self.reference,
            "tag": self.tag,
            "version": self.version,
            "digest": self.digest,
            "status": self.status,
            "target": self.target,
            "tuning_keys": dict(self.tuning_keys),
            "build_key": self.build_key or None,
        }
        if self.event is not None:
            members["event"] = self.event
        if self.status != LOCKED:
            members["published"] = self.published
            members["lineage"] = list(self.lineage)
            members["warnings"] = [warning.as_json() for warning in self.warnings]
        return members if self.node is None else members | {"node": self.node}

    # Decision 101: the one place that reads resolutions compares them with the question.
    @classmethod
    def from_json(cls, answer: object, source: str, asked: Reference) -> Resolution:
        """Read what a reference, or a node of it, resolves to; verify that, and its digest.

        `source` says in errors where it came from. Raises `Unreachable` if something else was
        sent, and `Tampered` if it answers another question, or if the target does not have the
        digest that is stated beside it.
        """
        try:
            resolution = cls._from_json(answer, source)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Unreachable(f"{source} sent something that is not a resolution.") from error
        if difference := _difference(resolution, asked):
            wanted = f"the node {asked.node} of {asked.whole}" if asked.node else str(asked)
            raise Tampered(f"{source} was asked for {wanted}, and sent {difference}.")
        return replace(resolution, reference=str(asked))

    @classmethod
    def _from_json(cls, answer: Any, source: str) -> Resolution:
        data = canonical(answer["target"])
        stated = answer["digest"]
        if digest_of(data) != stated:
            raise Tampered(
                f"{source} sent a target for {echo(answer['reference'])} that does not have the "
                f"digest {echo(stated)} stated with it, but {digest_of(data)}."
            )
        node = answer.get("node")
        return cls(
            reference=str(answer["reference"]),
            tag=str(answer["tag"]),
            version=str(answer["version"]),
            digest=stated,
            status=str(answer["status"]),
            text=data.decode(),
            tuning_keys=dict(answer["tuning_keys"]),
            build_key=answer.get("build_key") or "",
            published=answer.get("published", ""),
            node=node["pointer"] if node else None,
            lineage=tuple(answer.get("lineage", ())),
            warnings=tuple(map(Warned.from_json, answer.get("warnings", ()))),
            event=_event(answer.get("event")),
        )


def _event(value: object) -> int | None:
    """Return the number of an event. Raises `ValueError` for anything else."""
    if value is None or (type(value) is int and value > 0):
        return value
    raise ValueError(f"{value!r} is not the number of an event")


def _difference(resolution: Resolution, asked: Reference) -> str:
    """Return what a resolution is of, if not of what was asked for; empty if it is.

    Another tag is no difference: it makes the name that was asked for an alias, and which tag an
    alias stands for, only the registry knows.
    """
    tag, version = resolution.tag, resolution.version
    if resolution.reference != str(asked.whole):
        return f"an answer for {echo(resolution.reference)}"
    if (resolution.node or "") != asked.node:
        return f"its node {echo(resolution.node)}" if resolution.node else "the whole target"
    if not _is_tag(tag) or read_number(version) is None:
        return f"{echo(tag)} in version {echo(version)}, which is not a version of a tag"
    # The digest of a node is its own.
    if not asked.admits(version, None if asked.node else resolution.digest):
        return f"{tag}@{version} with the digest {resolution.digest}"
    return ""


def _is_alias(reference: str, tag: str) -> bool:
    return whole_of(reference).partition("@")[0] != whole_of(tag).partition("@")[0]


def _is_tag(text: str) -> bool:
    try:
        return Reference.parse(text).selector == NEWEST
    except ReferenceInvalid:
        return False
