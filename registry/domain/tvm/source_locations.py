"""The places in a source from which the values of a target were read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from registry.domain.errors import Fault, TextPosition
from registry.domain.importing import Note
from ttag_rules.pointer import ROOT

Message = TypeVar("Message", Fault, Note)


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source: a JSON pointer, and for text a description and the position in it."""

    pointer: str = ROOT
    label: str = ""  # such as "-mcpu at character 5"
    place: TextPosition | None = None

    def within(self, label: str, place: TextPosition) -> Location:
        """Return a place in the text at this location; only a whole source has positions."""
        labels = ", ".join(part for part in (self.label, label) if part)
        return Location(self.pointer, labels, place if self == WHOLE else self.place)

    def fault(self, fault: Fault) -> Fault:
        """Return a fault of the text at this location as one of the source."""
        place = fault.place if self == WHOLE else self.place
        return replace(_labelled(fault, self), place=place)

    def note(self, note: Note) -> Note:
        """Return a note on the text at this location as one on the source."""
        return _labelled(note, self)


WHOLE = Location()  # a source that is one text


@dataclass(slots=True)
class Findings:
    """Notes and faults with pointers into the source, and where values of the target come from.

    `locations` holds locations by JSON pointers into the target. A value inside a located one is at
    the same location; others are at their own pointers.
    """

    notes: list[Note] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    locations: dict[str, Location] = field(default_factory=dict)

    def note(self, pointer: str, message: str) -> None:
        """Add a note on the value at a pointer into the target."""
        note = Note(pointer, message)
        location = self.location(pointer)
        self.notes.append(location.note(note) if location else note)

    def report(self, fault: Fault) -> None:
        """Add a fault, whose pointer leads into the target."""
        location = self.location(fault.pointer)
        if location:
            fault = replace(_labelled(fault, location), place=fault.place or location.place)
        self.faults.append(fault)

    def move(self, old: str, new: str) -> None:
        """Set the location of a renamed value to that of its old pointer."""
        self.locations[new] = self.location(old) or Location(old)

    def location(self, pointer: str) -> Location | None:
        """Return the location of the value at a pointer, or of the nearest one around it."""
        rest = ""
        while pointer and pointer not in self.locations:
            pointer, _, token = pointer.rpartition("/")
            rest = f"/{token}{rest}"
        location = self.locations.get(pointer)
        is_renamed = location and location.pointer and not location.label
        return Location(f"{location.pointer}{rest}") if location and is_renamed else location


def _labelled(original: Message, location: Location) -> Message:
    message = f"{location.label}: {original.message}" if location.label else original.message
    return replace(original, pointer=location.pointer, message=message)
