"""Aliases: alternative names for a tag, or for one of its versions."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.errors import Code, Refused, report_errors_at
from registry.domain.name_folding import fold_name
from registry.domain.reference import Reference, alias_problem
from registry.models import Name
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import append_event, authorized_write
from registry.services.namespaces.lookup import known_namespace
from registry.services.search import name_index
from registry.services.versions import dependencies, selection
from registry.services.versions.selection import SelectedVersion


@dataclass(frozen=True, slots=True)
class Alias:
    """An alias as it stands now, and whether it did not stand before."""

    name: Name
    is_new: bool

    @property
    def reference(self) -> Reference:
        """What it stands for: a tag, or a version of it."""
        return _meaning(self.name)


def _meaning(alias: Name) -> Reference:
    return Reference(alias.tag.text, alias.selector)


def point_alias(
    text: str, reference: Reference, *, actor: Actor | None, expected: str | None = None
) -> Alias:
    """Make an alias of a tag, or of one of its versions, or point an alias elsewhere.

    `expected` is the reference that it must stand for so far, empty where there must be none yet;
    None asks for nothing. Nothing is written where it stands for the reference already.

    Raises `Refused`: REFERENCE_INVALID for a spelling that no alias can have, NAMESPACE_UNKNOWN,
    PRECONDITION_FAILED, CONFLICT over a tag's own name or onto an alias, CYCLE where a tag that
    refers to the alias would be made from itself, and whatever the reference draws.
    """
    permission = permissions.require(actor, Action.POINT_ALIAS, Reference(text))
    if problem := alias_problem(text):
        raise Refused(Code.REFERENCE_INVALID, f"{problem}.")
    with authorized_write(permission):
        namespace = known_namespace(text.partition("/")[0])
        known = Name.objects.select_related("tag").filter(text=text).first()
        if known and not known.is_alias:
            raise Refused(Code.CONFLICT, f"{text} is a tag; a name is never used twice.")
        was = str(_meaning(known)) if known else ""
        if expected not in (None, was):
            raise Refused(
                Code.PRECONDITION_FAILED,
                f"You expected {text} to {_stand_for(expected)}; it does {_stand_for(was)}.",
            )
        choice = _pointed_at(reference)
        if was == str(reference) and known:
            return Alias(known, is_new=False)
        if known and dependencies.would_create_cycle(known, choice.tag, reference.selector):
            raise Refused(
                Code.CYCLE,
                f"A tag that refers to {text} would be made from itself if it stood for "
                f"{reference}.",
            )
        alias = _written(known or Name(text=text, namespace=namespace), choice, reference)
        append_event(
            "alias.pointed",
            text,
            actor=permission.user,
            namespace=namespace.name,
            to=str(reference),
            was=was or None,
        )
    return Alias(alias, is_new=known is None)


def _pointed_at(reference: Reference) -> SelectedVersion:
    """What a reference leads to, where an alias may stand for it."""
    with report_errors_at("/reference"):
        choice = selection.select_one(reference)
        if choice.is_alias:
            raise Refused(
                Code.CONFLICT,
                f"{reference.text} is an alias itself; point at {choice.tag}.",
                suggestions=[choice.tag.text],
            )
    return choice


def _written(alias: Name, choice: SelectedVersion, reference: Reference) -> Name:
    is_new = alias.pk is None
    alias.tag = choice.tag
    alias.major, alias.minor, alias.patch = (*reference.selector.numbers, None, None, None)[:3]
    alias.digest = reference.selector.digest
    alias.is_alias, alias.folded = True, fold_name(alias.text)
    alias.save()
    if is_new:
        name_index.index_name(alias)
    return alias


def _stand_for(reference: str | None) -> str:
    return f"stand for {reference}" if reference else "stand for nothing"
