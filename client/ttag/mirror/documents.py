"""The JSON files of a mirror as objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ttag.mirror.layout import VERSION
from ttag.references import Reference
from ttag.resolution import Resolution
from ttag_rules.selectors import DIGEST
from ttag_rules.version_number import VersionNumber

YANKED = "yanked"
LEFT_OUT = ("reference", "tag", "target")  # members of a resolution that a mirror stores elsewhere


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of tags, aliases and versions in a mirror."""

    tags: int = 0
    aliases: int = 0
    versions: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """The file mirror.json: what a mirror holds.

    `event` is the number of the last event of the registry's log that the mirror takes into
    account. `notices` name the sources of its facts, each with its licences; release 0.1 has
    none. `release` is that of the registry, which has written the texts; empty if it did not say.
    """

    registry: str
    created: str
    event: int
    namespaces: tuple[str, ...]
    formats: tuple[str, ...]
    notices: tuple[Mapping[str, Any], ...] = ()
    release: str = ""
    counts: Counts = Counts()

    def as_json(self) -> dict[str, Any]:
        """Return the content of the file."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Overview:
        """Read the content of the file. Raises `KeyError`, `TypeError` or `ValueError`."""
        return cls(
            registry=str(document["registry"]),
            created=str(document["created"]),
            event=int(document["event"]),
            namespaces=tuple(map(str, document["namespaces"])),
            formats=tuple(map(str, document["formats"])),
            notices=tuple(document.get("notices", ())),
            release=str(document.get("release", "")),
            counts=Counts(**document.get("counts", {})),
        )


@dataclass(frozen=True, slots=True)
class MirroredVersion:
    """A version in the index of its tag.

    `identity` has the members of a resolution but for the reference, the tag and the target.
    `formats` says what each format leaves out, as JSON pointers; a format that cannot express the
    target is absent. `texts` has the SHA-256 of each text, by format; none before release 0.2.
    """

    identity: Mapping[str, Any]
    formats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def number(self) -> VersionNumber:
        """The number of this version."""
        return VersionNumber.parse(self.identity["version"])

    def __str__(self) -> str:
        return str(self.identity["version"])

    @property
    def digest(self) -> str:
        """The digest of the target."""
        return str(self.identity["digest"])

    @property
    def yanked(self) -> bool:
        """True if the version is yanked."""
        return bool(self.identity["status"] == YANKED)

    def as_json(self) -> dict[str, Any]:
        """Return the version as the index has it."""
        formats = {form: list(dropped) for form, dropped in self.formats.items()}
        return {**self.identity, "formats": formats, "texts": dict(self.texts)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> MirroredVersion:
        """Read a version of the index. Raises `KeyError`, `TypeError` or `ValueError`."""
        identity = dict(document)
        formats = {form: tuple(dropped) for form, dropped in identity.pop("formats").items()}
        texts = {str(form): str(digest) for form, digest in identity.pop("texts", {}).items()}
        version = cls(identity, formats, texts)
        version.number  # noqa: B018 - raises ValueError if it is not three numbers
        if not DIGEST.fullmatch(version.digest):
            raise ValueError(f"{version.digest!r} is not a digest")
        return version


def identity_of(resolution: Resolution) -> dict[str, Any]:
    """Return the members of a resolution that the index of its tag repeats."""
    members = resolution.as_json()
    return {name: value for name, value in members.items() if name not in LEFT_OUT}


@dataclass(frozen=True, slots=True)
class TagIndex:
    """The index of a tag: its aliases, and its versions, highest number first."""

    name: str
    aliases: tuple[str, ...]
    versions: tuple[MirroredVersion, ...]

    def newest_first(self) -> list[MirroredVersion]:
        """Return the versions by number, the highest first."""
        return sorted(self.versions, key=lambda version: version.number, reverse=True)

    def as_json(self) -> dict[str, Any]:
        """Return the content of the file."""
        return {
            "tag": self.name,
            "aliases": sorted(self.aliases),
            "versions": [version.as_json() for version in self.newest_first()],
        }


@dataclass(frozen=True, slots=True)
class AliasIndex:
    """The index of an alias: the reference that it stands for."""

    name: str
    reference: Reference

    def as_json(self) -> dict[str, Any]:
        """Return the content of the file."""
        return {"alias": self.name, "reference": str(self.reference)}


def read_index(document: Mapping[str, Any]) -> TagIndex | AliasIndex:
    """Read an index. Raises `KeyError`, `TypeError`, `ValueError` or `ReferenceInvalid`."""
    if "alias" in document:
        return AliasIndex(str(document["alias"]), Reference.parse(document["reference"]))
    return TagIndex(
        str(document["tag"]),
        tuple(map(str, document["aliases"])),
        tuple(map(MirroredVersion.from_json, document["versions"])),
    )
