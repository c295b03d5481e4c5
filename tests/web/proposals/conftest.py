"""What tests of proposals on pages share."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from registry.domain.reference import Tag
from registry.models import Namespace, Proposal, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.proposals import submission
from tests.publishing import last_published

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}

Propose = Callable[..., Proposal]


@pytest.fixture
def bob(acme: Namespace) -> User:
    """Somebody who proposes, and has no role."""
    return User.objects.create_user("bob")


@pytest.fixture
def carol(acme: Namespace, alice: User) -> User:
    """A curator of Acme's."""
    carol = User.objects.create_user("carol")
    members.grant_role(acme, carol, Role.CURATOR, actor=Actor.operator(alice))
    return carol


@pytest.fixture
def propose(bob: User) -> Propose:
    """Submit a body, as Bob unless somebody else is named."""

    def proposed(tag: str = "acme/board", body: Any = None, **said: Any) -> Proposal:
        said = {"message": "From the manual.", "actor": Actor.operator(bob), **said}
        source = json.dumps(body or BOARD)
        return submission.propose(Tag.parse(tag), source, base=last_published(tag), **said)

    return proposed


def revise(proposal: Proposal, body: Any, **said: Any) -> Proposal:
    """Put another revision in place of the newest."""
    proposal.refresh_from_db()
    return submission.revise(
        proposal.pk,
        json.dumps(body),
        message=said.pop("message", "From the newer manual."),
        base=last_published(proposal.tag),
        seen=proposal.revision,
        actor=Actor.operator(proposal.submitter),
        **said,
    )
