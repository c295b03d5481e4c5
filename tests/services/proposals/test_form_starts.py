"""Initial values of the submission form."""

import json
from typing import Any

import pytest

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.proposals import form_starts, review, submission
from registry.services.tags import aliases
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

X = Tag.parse("acme/x")
LLVM = {"kind": "llvm", "mcpu": "haswell"}


def test_new_tag_starts_empty() -> None:
    assert form_starts.start_from_tag(X) == form_starts.FormStart("acme/x")
    assert submission.last_published(X) is None


def test_tag_starts_from_its_newest_body(acme: Namespace) -> None:
    publish("acme/x", LLVM)
    publish("acme/x", {"kind": "llvm", "mcpu": "skylake"})
    yank("acme/x@2.0.0")
    start = form_starts.start_from_tag(X)
    assert (start.base, start.exact) == ("2.0.0", "acme/x@1.0.0")
    assert json.loads(start.source) == LLVM
    yank("acme/x@1.0.0")
    assert form_starts.start_from_tag(X).exact == "acme/x@2.0.0", "the newest, as all are yanked"


def test_alias_is_rejected(acme: Namespace, alice: User) -> None:
    publish("acme/x", LLVM)
    aliases.point_alias("acme/y", Reference.parse("acme/x"), actor=Actor.operator(alice))
    with pytest.raises(Refused) as refused:
        form_starts.start_from_tag(Tag.parse("acme/y"))
    assert refused.value.code is Code.CONFLICT


def test_proposal_starts_from_its_newest_revision(acme: Namespace, alice: User) -> None:
    proposal = submission.propose(
        X,
        json.dumps(LLVM),
        message="m",
        base=None,
        actor=Actor.operator(alice),
        sources=["https://example.com"],
    )
    start = form_starts.start_from_proposal(proposal.pk, submitter=alice)
    assert (start.message, start.sources, start.revision) == ("m", ["https://example.com"], 1)
    with pytest.raises(Refused) as refused:
        form_starts.start_from_proposal(proposal.pk, submitter=User.objects.create_user("bob"))
    assert refused.value.code is Code.FORBIDDEN
    review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))
    with pytest.raises(Refused) as refused:
        form_starts.start_from_proposal(proposal.pk, submitter=alice)
    assert refused.value.code is Code.CONFLICT


def test_withdrawn_proposal_is_the_start_of_another_for_the_newest_version(
    acme: Namespace, alice: User
) -> None:
    proposal = submission.propose(
        X, json.dumps(LLVM), message="m", base=None, actor=Actor.operator(alice)
    )
    review.withdraw(proposal.pk, actor=Actor.operator(alice))
    publish(str(X), LLVM | {"num-cores": 2})
    start = form_starts.start_from_proposal(proposal.pk, submitter=alice)
    assert (start.base, start.revision, start.message) == ("1.0.0", 0, "m")
    assert json.loads(start.source) == LLVM


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ("nvidia/nvidia-a100", "cuda"),
        ("nvidia/nvidia-a100@1", "cuda"),
        ("nvidia/nothing", ""),
        ("no reference", ""),
        ("", ""),
    ],
)
def test_kind_of_a_reference(reference: str, kind: str) -> None:
    assert form_starts.kind_of(reference) == kind


def test_reviewers_are_curators_only(acme: Namespace, alice: User) -> None:
    for name, role in (("cora", Role.CURATOR), ("mel", Role.MEMBER), ("gone", Role.CURATOR)):
        user = User.objects.create_user(name)
        members.grant_role(acme, user, role, actor=Actor.operator(alice))
    User.objects.filter(username="gone").update(is_active=False)
    assert form_starts.reviewers(X).curators == ("alice", "cora")


def test_unknown_namespace_has_no_reviewers(acme: Namespace) -> None:
    reviewers = form_starts.reviewers(Tag.parse("acmee/x"))
    assert (reviewers.namespace, reviewers.curators) == (None, ())


def was_just_published(source: str, user: User, **other: Any) -> bool:
    """Return whether a user published this last, without a message unless one is given."""
    texts: dict[str, Any] = {"message": "", "sources": []} | other
    return form_starts.was_just_published(X, source, publisher=user, **texts)


def test_body_was_just_published_only_by_its_last_publisher(acme: Namespace, alice: User) -> None:
    first, second = json.dumps(LLVM), json.dumps(LLVM | {"num-cores": 8})
    assert not was_just_published(first, alice)
    publish("acme/x", first)
    assert was_just_published(first, alice)
    assert not was_just_published(first, User.objects.create_user("bob"))
    assert not was_just_published(first, alice, message="Another one")
    assert not was_just_published(first, alice, sources=["https://example.com/"])
    publish("acme/x", second)
    assert not was_just_published(first, alice)
