"""The subjects of actions: what each action is about, and what its service takes for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from registry.domain.reference import Reference, Tag as TagName

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
    owner_of: Callable[[Any], Any] = _itself
    actions: list[type[ActionForm]] = field(default_factory=list)


def _nothing(_: Any) -> None:
    return None


def _version(row: Any) -> Reference:
    return Reference.parse(row.exact)


def _tag(row: Any) -> TagName:
    return TagName.parse(row.text)


_key, _namespace = attrgetter("pk"), attrgetter("namespace")

REGISTRY = Subject(_nothing, _nothing)  # as a whole
VERSION = Subject(_version, _version)
TAG = Subject(_tag, _tag)
ALIASED_TAG = Subject(_nothing, _tag)  # a reference, which the form offers as the alias's target
ALIAS = Subject(attrgetter("text"))
PROPOSAL = Subject(_key, lambda proposal: TagName.parse(proposal.tag))
NAMESPACE = Subject()
README = Subject()  # of a namespace, which stands for it
MEMBER = Subject(owner_of=_namespace)
PENDING_CHANGE = Subject(_key, _namespace)
NAMESPACE_REQUEST = Subject(_key, _nothing)
ACCOUNT = Subject()
IDENTITY = Subject(owner_of=attrgetter("user"))  # at the provider by which people sign in
NEWS = Subject(_nothing, _nothing)  # of the actor
WATCHED = Subject(attrgetter("name"), _nothing)  # a tag or a namespace
KIND = Subject(attrgetter("name"), _nothing)
TOKEN = Subject(attrgetter("prefix"), attrgetter("owner"))
PUBLISHER = Subject(owner_of=_namespace)
WEBHOOK = Subject(owner_of=_namespace)
