"""Findings of tampered proposals."""

import pytest

from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.operations.verification import Finding, proposals
from registry.services.proposals import review, submission
from tests.publishing import person, propose
from tests.services.operations.tampering import tamper

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def histories(acme: Namespace, alice: User) -> None:
    """Create proposal 1, accepted in its second revision, and proposal 2, which is open."""
    bob = person("bob")
    first = propose("acme/wanted", {"kind": "llvm"}, by="bob")
    review.request_changes(first.pk, seen=1, text="Which processor?", actor=Actor.operator(alice))
    review.comment(first.pk, text="Haswell.", actor=Actor.operator(bob))
    source = '{"kind": "llvm", "mcpu": "haswell"}'
    submission.revise(first.pk, source, message="", base=None, seen=1, actor=Actor.operator(bob))
    review.accept(first.pk, seen=2, actor=Actor.operator(alice))
    propose("acme/other", {"kind": "cuda", "arch": "sm_90"}, by="bob")


def findings() -> list[Finding]:
    return list(proposals.findings(lambda _done, _total: None))


def test_complete_histories_have_no_findings() -> None:
    assert findings() == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE registry_proposal SET state = 'rejected' WHERE id = 2", "state is rejected"),
        ("UPDATE registry_proposal SET revision = 7 WHERE id = 1", "revision is 7"),
        (
            "UPDATE registry_proposal SET tag = 'acme/another' WHERE id = 1",
            "version is acme/wanted",
        ),
        (
            "DELETE FROM registry_turn WHERE proposal_id = 1 AND action = 'accept'",
            "state is accepted",
        ),
        ("DELETE FROM registry_turn WHERE action = 'submit'", "state is open"),
    ],
)
def test_impossible_state_is_found(statement: str, message: str) -> None:
    tamper(statement)
    assert any(message in str(finding) for finding in findings())
