"""Writes the message of a version from what it changes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from registry.domain.document import Json
from registry.domain.kinds.hardware import SOURCES, hardware_of
from registry.domain.kinds.kinds import HARDWARE

UNIT = re.compile(r"_(?:bytes_per_s|per_s|bytes|watts|hz|nm)$")  # at the end of a fact's name
MAX_NAMES = 6  # of facts in one sentence

Body = dict[str, Json]


def version_message(old: Body, new: Body, correction: str = "") -> str:
    """Return what a body changes, as "Adds memory and power. Changes mattr.".

    `correction`, if there is one, is the sentence before it: why the older version is wrong. It is
    left out if nothing of that version changes, because facts are only added.
    """
    facts, old_facts = _facts(new), _facts(old)
    inherited = _taken_back(new) - _taken_back(old) - old.keys()
    options = new.keys() - old.keys() - {HARDWARE} - inherited
    fewer_facts = (old_facts.keys() - facts.keys()) | (
        _taken_back(hardware_of(new)) - _taken_back(hardware_of(old))
    )
    changes = [
        _sentence("Changes", (_changed(old_facts, facts), _changed(old, new))),
        _sentence("Takes back", (fewer_facts, (old.keys() - new.keys()) | inherited)),
    ]
    reason = f"{correction.rstrip('.')}." if correction and (options or any(changes)) else ""
    sentences = (
        reason,
        _sentence("Adds", (facts.keys() - old_facts.keys(), options)),
        *changes,
    )
    return " ".join(filter(None, sentences)) or "States other sources."


def _facts(body: Body) -> Body:
    """Return the hardware facts of a body; a fact that it takes back counts as absent."""
    stated = hardware_of(body).items()
    return {name: value for name, value in stated if name != SOURCES and value is not None}


def _taken_back(body: Mapping[str, Json]) -> set[str]:
    """Return the names whose value null takes back what a body inherits."""
    return {name for name, value in body.items() if value is None}


def _changed(old: Body, new: Body) -> set[str]:
    """Return the names that both bodies have, with different values."""
    return {name for name in old.keys() & new.keys() - {HARDWARE} if old[name] != new[name]}


def _sentence(verb: str, names: tuple[Collection[str], Collection[str]]) -> str:
    """Return a sentence about facts and options; empty if there are none."""
    facts, options = names
    texts = sorted(UNIT.sub("", fact).replace("_", " ") for fact in facts)
    texts += sorted("the parent" if name == "tag" else name for name in {*options} - {HARDWARE})
    if len(texts) > MAX_NAMES:
        texts[MAX_NAMES - 1 :] = [f"{len(texts) - MAX_NAMES + 1} more"]
    *most, last = texts or [""]
    return f"{verb} {', '.join(most)}{' and ' if most else ''}{last}." if texts else ""
