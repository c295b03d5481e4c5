"""Corrects a fact about a machine: a proposal that changes the newest body of its tag."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from registry.domain import user_text
from registry.domain.body_form.fact_sources import with_sources
from registry.domain.body_form.fields import Field
from registry.domain.body_form.schema_fields import schema_fields
from registry.domain.body_form.values import UnreadableInput, parse_value
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, refuse_all
from registry.domain.kinds.hardware import SOURCES, hardware_of
from registry.domain.kinds.kinds import HARDWARE, Kinds
from registry.domain.reference import Tag as TagName
from registry.models import Proposal
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds
from registry.services.proposals import form_starts, submission
from registry.services.versions import checking, publishing
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a tag states or inherits: its name, as in `peak_ops_per_s/int8`, and value."""

    name: str
    field: Field
    value: Json


def stated_facts(tag: TagName) -> dict[str, Fact]:
    """Return the facts of a tag's newest version by name. At most three queries."""
    hardware = hardware_of(form_starts.target_of(str(tag)))
    return _facts(hardware, kinds.current_kinds().kinds)


@dataclass(frozen=True, slots=True)
class Correction:
    """A body with another value of a fact, based on the newest version of its tag."""

    tag: TagName
    source: str
    base: VersionNumber
    message: str
    url: str  # of a page that states the value


def correction_of(tag: TagName, *, name: str, value: str, source: str, comment: str) -> Correction:
    """Return the body of a tag with another value of a fact.

    Raises `Refused` with faults at `/fact`, `/value`, `/source` and `/comment`.
    """
    start, resolved = form_starts.start_from_tag(tag), hardware_of(form_starts.target_of(str(tag)))
    facts, url = _facts(resolved, kinds.current_kinds().kinds), source.strip()
    right, faults = _right_value(facts.get(name), value)
    refuse_all([*faults, *_text_faults(url, comment)], mixed=Code.REQUEST_INVALID)
    body = _corrected(json.loads(start.source), facts[name], right, url, resolved)
    text = json.dumps(body, ensure_ascii=False, indent=2)
    _check_value(tag, text)
    message = user_text.normalize_text(comment) or f"Correct {name}, as its source states it."
    return Correction(tag, text, VersionNumber.parse(start.base), message, url)


def correct_fact(correction: Correction, *, key: str, actor: Actor | None) -> Proposal:
    """Propose a correction. Idempotent by `key`. Raises `Refused` as `propose` does."""
    return submission.propose(
        correction.tag,
        correction.source,
        message=correction.message,
        base=correction.base,
        sources=[correction.url],
        key=key,
        actor=actor,
    )


def _facts(hardware: Mapping[str, Any], all_kinds: Kinds) -> dict[str, Fact]:
    facts = {}
    for field in schema_fields(all_kinds, "").hardware:
        value = hardware.get(field.label)
        if value is None or field.label == SOURCES:
            continue
        if field.members:
            for member in field.members:
                if member.label in value:
                    name = f"{field.label}/{member.label}"
                    facts[name] = Fact(name, member, value[member.label])
        else:
            facts[field.label] = Fact(field.label, field, value)
    return facts


def _right_value(fact: Fact | None, text: str) -> tuple[Json, list[Fault]]:
    """Return the value that a text states for a fact, and what is wrong with it."""
    if fact is None:
        return None, [_fault("/fact", "choose a fact that the tag states", "one of the list")]
    if not text.strip():
        return None, [_fault("/value", "enter the right value", "what the source states")]
    try:
        value = parse_value(fact.field, text)
    except UnreadableInput as unreadable:
        return None, [replace(unreadable.fault, pointer="/value")]
    if value == fact.value:
        return value, [_fault("/value", "this is the value that the tag states", "another one")]
    return value, []


def _check_value(tag: TagName, source: str) -> None:
    """Raise `Refused` with faults at `/value` if a body with the value is invalid."""
    try:
        checking.check(tag, source)
    except Refused as refusal:
        faults = refusal.faults or (Fault("/value", refusal.code, refusal.detail),)
        refuse_all([replace(fault, pointer="/value") for fault in faults])


def _text_faults(source: str, comment: str) -> list[Fault]:
    comment_faults = user_text.text_faults(
        user_text.normalize_text(comment),
        "/comment",
        max_length=publishing.MAX_MESSAGE,
        is_multiline=True,
    )
    if not source:
        expected = "an https URL of a page that states the value"
        return [_fault("/source", "enter the source", expected), *comment_faults]
    return [*user_text.link_faults(source, "/source"), *comment_faults]


def _corrected(
    body: dict[str, Any], fact: Fact, value: Json, url: str, resolved: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a body with the right value, and its source among those of the fact's group."""
    option, _, member = fact.name.partition("/")
    own = hardware_of(body)
    right = {**own.get(option, {}), member: value} if member else value
    inherited = None if "kind" in body else resolved
    kind = kinds.current_kinds().kinds[HARDWARE]
    facts = with_sources({**own, option: right}, own, [url], kind, inherited=inherited)
    return {**body, HARDWARE: facts}


def _fault(pointer: str, message: str, expected: str) -> Fault:
    return Fault(pointer, Code.REQUEST_INVALID, message, expected)
