"""Values with the version that set them, and the differences between two targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ttag.responses.values import members, text, texts


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a target, and the exact reference of the version that set it.

    `set_by` is empty if it is the body that is being checked.
    """

    pointer: str
    value: Any
    set_by: str

    @classmethod
    def from_json(cls, answer: Any) -> Value:
        """Read an item of `GET explain`."""
        return cls(str(answer["pointer"]), answer["value"], text(answer["from"]))


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. A side is None if the value does not exist there.

    `consumers` are the components of a compiler that read the value.
    """

    pointer: str
    old: Value | None
    new: Value | None
    consumers: tuple[str, ...]
    affects_tuning: bool

    @classmethod
    def from_json(cls, answer: Any) -> Change:
        """Read an item of `changes` in `GET diff`, or of `diff` in `POST check`."""
        pointer = str(answer["pointer"])
        old, new = (
            Value.from_json({"pointer": pointer, **side}) if side else None
            for side in (answer["old"], answer["new"])
        )
        return cls(pointer, old, new, texts(answer["consumers"]), bool(answer["affects_tuning"]))


@dataclass(frozen=True, slots=True)
class LeafKey:
    """A tuning key, the number of leaves that this is about, and the leaves of each side."""

    key: str
    count: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between two versions, and their effect for users of the old one.

    `bump` is MAJOR, MINOR or PATCH, and empty if they are equal. Tuning records of the `kept` keys
    still apply, those of the `lost` ones do not. If `same_build`, both compile to the same code.
    """

    old: str
    new: str
    bump: str
    changes: tuple[Change, ...]
    kept: tuple[LeafKey, ...]
    lost: tuple[LeafKey, ...]
    added: tuple[LeafKey, ...]
    same_build: bool

    @classmethod
    def from_json(cls, answer: Any) -> Difference:
        """Read the response of `GET diff`."""
        keys = answer["tuning_keys"]
        kept, lost, added = (
            tuple(members(LeafKey, each) for each in keys[name]) for name in ("kept", "lost", "new")
        )
        return cls(
            old=str(answer["old"]["exact"]),
            new=str(answer["new"]["exact"]),
            bump=text(answer["bump"]),
            changes=tuple(map(Change.from_json, answer["changes"])),
            kept=kept,
            lost=lost,
            added=added,
            same_build=bool(answer["build_keys"]["equal"]),
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every value of a version, in order of the pointers, and which version each comes from."""

    reference: str
    values: tuple[Value, ...]

    @classmethod
    def from_json(cls, answer: Any) -> Explanation:
        """Read the response of `GET explain`."""
        return cls(str(answer["reference"]), tuple(map(Value.from_json, answer["values"])))
