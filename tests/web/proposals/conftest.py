"""Fixtures for tests of the pages of proposals."""

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

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}

Propose = Callable[..., Proposal]


@pytest.fixture
def bob(acme: Namespace) -> User:
    """Return a submitter without a role."""
    return User.objects.create_user("bob")


@pytest.fixture
def carol(acme: Namespace, alice: User) -> User:
    """Return a curator of Acme."""
    carol = User.objects.create_user("carol")
    members.grant_role(acme, carol, Role.CURATOR, actor=Actor.operator(alice))
    return carol


@pytest.fixture
def propose(bob: User) -> Propose:
    """Return a function that submits a body, by default as Bob."""

    def submit(tag: str = "acme/board", body: Any = None, **arguments: Any) -> Proposal:
        arguments = {"message": "From the manual.", "actor": Actor.operator(bob), **arguments}
        source = json.dumps(body or BOARD)
        return submission.propose(Tag.parse(tag), source, base=last_published(tag), **arguments)

    return submit


def revise(proposal: Proposal, body: Any, **arguments: Any) -> Proposal:
    """Submit a new revision of a proposal."""
    proposal.refresh_from_db()
    return submission.revise(
        proposal.pk,
        json.dumps(body),
        message=arguments.pop("message", "From the newer manual."),
        base=last_published(proposal.tag),
        seen=proposal.revision,
        actor=Actor.operator(proposal.submitter),
        **arguments,
    )
