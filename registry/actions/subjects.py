"""The subjects of actions: what each action is about, and what its service takes for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from registry.domain.reference import Reference, Tag as TagName

if TYPE_CHECKING:
    from registry.actions.action_form import ActionForm

Getter = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A kind of subject, with the actions that are declared for it, in their order.

    `name_of` returns what services take for a row that pages and admin show, `owner_of` that on
    which permissions depend.
    """

    name_of: Getter
    owner_of: Getter
    actions: list[type[ActionForm]] = field(default_factory=list)


def _itself(row: Any) -> Any:
    return row


def _nothing(_: Any) -> None:
    return None


def _version(row: Any) -> Reference:
    return Reference.parse(row.exact)


def _tag(row: Any) -> TagName:
    return TagName.parse(row.text)


def _proposed_tag(proposal: Any) -> TagName:
    return TagName.parse(proposal.tag)


_key = attrgetter("pk")
REGISTRY = Subject(_nothing, _nothing)  # as a whole
VERSION = Subject(_version, _version)
TAG = Subject(_tag, _tag)
ALIASED_TAG = Subject(_nothing, _tag)  # a reference, which the form offers as the alias's target
ALIAS = Subject(attrgetter("text"), _itself)
PROPOSAL = Subject(_key, _proposed_tag)
NAMESPACE = Subject(_itself, _itself)
MEMBER = Subject(_itself, attrgetter("namespace"))
PENDING_CHANGE = Subject(_key, attrgetter("namespace"))
NAMESPACE_REQUEST = Subject(_key, _nothing)
ACCOUNT = Subject(_itself, _itself)
KIND = Subject(attrgetter("name"), _nothing)
TOKEN = Subject(attrgetter("prefix"), attrgetter("owner"))
PUBLISHER = Subject(_itself, attrgetter("namespace"))
