"""The starting points of a form, and the order of its fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from registry.domain.body_form.fields import BodyRole, Start, no_fields
from registry.domain.body_form.groups import groups_of, groups_of_device, groups_of_tag
from registry.domain.body_form.schema_fields import schema_fields
from registry.domain.document import Json
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.kinds.kinds import Kinds
from registry.domain.names.near_names import nearest_names

DEVICE_LEVELS = 1  # a byoc that is a device has devices; what these have is JSON


def start_of_kind(kinds: Kinds, word: str) -> Start:
    """Return the start for a body that states this kind. Raises `Refused` (KIND_UNKNOWN)."""
    if word not in kinds.targets:
        near = nearest_names(word, kinds.offered)
        message = f"{echo(word)} is not a known kind"
        expected = "one of " + ", ".join(kinds.offered)
        fault = Fault("/kind", Code.KIND_UNKNOWN, message, expected, echo(word), near)
        raise Refused(
            Code.KIND_UNKNOWN, f"{message}; expected {expected}.", faults=[fault], suggestions=near
        )
    return _start(BodyRole.KIND, kinds, word)


def start_of_parents(kinds: Kinds, kind_of_parent: str) -> Start:
    """Return the start for a body with parents, given the first one's kind, if known."""
    return _start(BodyRole.HEIR, kinds, kind_of_parent)


def start_of_mixin(kinds: Kinds, kind: str = "") -> Start:
    """Return the start for a mixin, optionally with the options of one kind."""
    return _start(BodyRole.MIXIN, kinds, kind)


def start_of_role(kinds: Kinds, role: str, kind: str) -> Start:
    """Return the start that a form was begun with. Raises `Refused` (KIND_UNKNOWN)."""
    if role == BodyRole.HEIR:
        return start_of_parents(kinds, kind)
    return start_of_mixin(kinds, kind) if role == BodyRole.MIXIN else start_of_kind(kinds, kind)


def start_of(kinds: Kinds, body: Json, kind_of: Callable[[str], str]) -> Start:
    """Return the start for a body; `kind_of` returns the kind of a reference, or an empty text.

    Raises `Refused` (KIND_UNKNOWN) if the body states an unknown kind.
    """
    stated = body if isinstance(body, dict) else {}
    if "tag" in stated:
        tag = stated["tag"]
        first = tag[0] if isinstance(tag, list) and tag else tag
        return start_of_parents(kinds, kind_of(first) if isinstance(first, str) else "")
    if "kind" in stated:
        kind = stated["kind"]
        return start_of_kind(kinds, kind if isinstance(kind, str) else echo(kind))
    return start_of_mixin(kinds)


def _start(role: BodyRole, kinds: Kinds, word: str) -> Start:
    known, device_starts = word if word in kinds.targets else "", _device_starts(kinds)
    return Start(role, known, groups_of(role, word, schema_fields(kinds, word)), device_starts)


def _device_starts(kinds: Kinds, levels: int = DEVICE_LEVELS) -> Callable[[str], Start | None]:
    """Return the function that returns the fields of a device, given its kind or tag."""

    @cache
    def start(target: str) -> Start | None:
        if target in kinds.targets:
            fields = schema_fields(kinds, target)
            groups = groups_of_device(target, fields, has_devices=levels > 0)
            inner = _device_starts(kinds, levels - 1) if levels else no_fields
            return Start(BodyRole.KIND, target, groups, inner)
        if "/" in target and not target.startswith(("{", "[")):
            return Start(BodyRole.HEIR, "", groups_of_tag())
        return None

    return start
