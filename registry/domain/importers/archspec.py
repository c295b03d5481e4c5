"""The `archspec` importer: a microarchitecture in archspec's JSON, also a private one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Fault, echo, refuse_all
from registry.domain.importing import Imported, Importer, Note, parse_relaxed, refuse_large_text
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.json_target import import_body
from ttag_rules.compatibility.feature_names import first_names
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.notations.archspec import ENTRIES, features_by_flag, flags_of
from ttag_rules.notations.archspec_names import GENERIC, MACHINES, Microarchitecture
from ttag_rules.pointer import ROOT, child

EXPECTED = f'{{"{ENTRIES}": {{"name": {{"from": [...], "features": [...]}}}}}}'
MAX_LISTED = 10  # names in a note
Entries = Mapping[str, Mapping[str, Any]]


def read(source: Json, kinds: Kinds) -> Imported:
    """Read the only microarchitecture on which no other of the source is based.

    It is the largest of archspec's own among its ancestors, with the features beyond that. Raises
    `Refused`.
    """
    comments: tuple[Note, ...] = ()
    if isinstance(source, str):
        refuse_large_text(source)
        source, comments = parse_relaxed(source)
    entries = _entries(source)
    name = _only_last(entries)
    ancestors = _ancestors(entries, name)
    base = _base(name, ancestors)
    machine = MACHINES[base]
    features, unknown = _beyond(machine, entries[name].get("features", ()))
    others = [each for each in ancestors if each not in MACHINES and each not in entries]
    notes = [each.message for each in comments]
    notes += [*_notes(name, base), *_left_out("ancestors", others), *_left_out("flags", unknown)]
    if name == base:
        notes += _unlisted(base, entries[name].get("features", ()))
    return import_body(_body(machine, features), kinds, notes)


def _entries(source: Json) -> Entries:
    """Return microarchitectures by name: of a file of archspec, or of one `to_dict()`."""
    entries: Any = source.get(ENTRIES) if isinstance(source, dict) else None
    if isinstance(source, dict) and "name" in source and "parents" in source:
        entries = {str(source["name"]): {**source, "from": source["parents"]}}
    if not (isinstance(entries, dict) and entries and all(map(_is_entry, entries.values()))):
        refuse_all(
            [Fault(ROOT, "VALUE_TYPE", "this is no microarchitecture of archspec", EXPECTED)]
        )
    return entries  # type: ignore[no-any-return]


def _is_entry(value: Any) -> bool:
    lists = [value.get("from"), value.get("features", [])] if isinstance(value, dict) else [None]
    return all(
        isinstance(each, list) and all(isinstance(text, str) for text in each) for each in lists
    )


def _only_last(entries: Entries) -> str:
    """Return the microarchitecture that is no ancestor of another. Raises `Refused`."""
    ancestors = {name for entry in entries.values() for name in entry["from"]}
    last = [name for name in entries if name not in ancestors]
    if len(last) != 1:
        names = ", ".join(map(echo, last[:2])) or "none, because they are in a circle"
        message = f"several microarchitectures: {names}" if last else f"the last is {names}"
        refuse_all([Fault(child(ROOT, ENTRIES), "TWO_TARGETS", message, "one")])
    return last[0]


def _ancestors(entries: Entries, name: str) -> list[str]:
    """Return a microarchitecture and its ancestors; those of archspec's own have no others."""
    seen: dict[str, None] = {}
    waiting = [name]  # no recursion: a source may have thousands in a row
    while waiting:
        if (each := waiting.pop()) not in seen:
            seen[each] = None
            if each in entries and each not in MACHINES:
                waiting += reversed(entries[each]["from"])
    return [*seen]


def _base(name: str, ancestors: list[str]) -> str:
    """Return the largest of archspec's own among a microarchitecture and its ancestors."""
    known = [each for each in ancestors if each in MACHINES]
    if not known:
        place = child(child(child(ROOT, ENTRIES), name), "from")
        message = f"{echo(name)} has no ancestor that LLVM 22 has a name for"
        refuse_all([Fault(place, "VALUE_UNKNOWN", message, "one such as haswell")])
    if len({MACHINES[each].architecture for each in known}) > 1:
        refuse_all([Fault(ROOT, "TWO_TARGETS", f"{echo(name)} has ancestors of two architectures")])
    return max(known, key=lambda each: len(_closure(MACHINES[each])))


def _notes(name: str, base: str) -> Iterator[str]:
    if name != base:
        yield f"read {echo(name)} as {base} and what it has beyond that"


def _unlisted(base: str, flags: Iterable[str]) -> Iterator[str]:
    """Yield which features archspec's own has that the source does not list of it, if any."""
    listed = {*flags}
    machine = MACHINES[base]
    if names := sorted(
        flags_of(machine.architecture, _closure(machine)) - listed if listed else ()
    ):
        yield f"read {base} as LLVM has it, with {first_names(names, MAX_LISTED)}, not listed here"


def _left_out(noun: str, names: Iterable[str]) -> Iterator[str]:
    if texts := [*map(echo, dict.fromkeys(names))]:
        yield f"left out {noun} that are not read: {first_names(texts, MAX_LISTED)}"


def _closure(machine: Microarchitecture) -> frozenset[str]:
    instructions = shipped_tables().instruction_sets[machine.architecture]
    return instructions.closure(machine.mcpu, machine.mattr)


def _beyond(machine: Microarchitecture, flags: Any) -> tuple[list[str], list[str]]:
    """Return the features of flags that a microarchitecture lacks, and flags without a feature."""
    closure = _closure(machine)
    by_flag = features_by_flag(machine.architecture)
    features, unknown = [], []
    for flag in flags:
        feature = by_flag.get(flag)
        if feature and feature not in closure:
            features.append(f"+{feature}")
        elif not feature:
            unknown.append(flag)
    return [*dict.fromkeys(features)], unknown


def _body(machine: Microarchitecture, features: list[str]) -> dict[str, Any]:
    """Return the body; `generic` of a level keeps a triple from choosing a processor."""
    mattr = [*machine.mattr, *features]
    return {
        "kind": "llvm",
        **({"mtriple": machine.architecture} if machine.mcpu == GENERIC else {}),
        "mcpu": machine.mcpu,
        **({"mattr": mattr} if mattr else {}),
    }


IMPORTER = Importer(
    name="archspec",
    summary="A microarchitecture in the JSON of archspec, of its own or a private one.",
    read=read,
)
