"""The subjects of actions: what each action is about, and what its service takes for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from registry.domain.reference import Reference, Tag as TagName
from registry.services.core import permissions

if TYPE_CHECKING:
    from registry.actions.action_form import ActionForm


def _itself(row: Any) -> Any:
    return row


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A kind of subject, with the actions that are declared for it, in their order.

    `name_of` returns what services take for a row that pages and admin show, `owner_of` that on
    which permissions depend.
    """

    name_of: Callable[[Any], Any] = _itself
    owner_of: Callable[[Any], permissions.Subject] = _itself
    actions: list[type[ActionForm]] = field(default_factory=list)


def _key(row: Any) -> int:
    return int(row.pk)


def _reference(version: Any) -> Reference:
    return Reference.parse(version.exact)


def _tag(row: Any) -> TagName:
    return TagName.parse(row.text)


def _proposed_tag(proposal: Any) -> TagName:
    return TagName.parse(proposal.tag)


def _namespace(row: Any) -> Any:
    return row.namespace


REGISTRY = Subject(owner_of=lambda _: None)  # as a whole
VERSION = Subject(_reference, _reference)
TAG = Subject(_tag, _tag)
ALIASED_TAG = Subject(owner_of=_tag)  # a reference, which the form offers as the alias's target
ALIAS = Subject(lambda name: name.text)
PROPOSAL = Subject(_key, _proposed_tag)
NAMESPACE = Subject()
MEMBER = Subject(owner_of=_namespace)
PENDING_CHANGE = Subject(_key, _namespace)
NAMESPACE_REQUEST = Subject(_key, owner_of=lambda _: None)
ACCOUNT = Subject()
KIND = Subject(lambda kind: kind.name, owner_of=lambda _: None)
TOKEN = Subject(lambda token: token.prefix, owner_of=lambda token: token.owner)
PUBLISHER = Subject(owner_of=_namespace)
