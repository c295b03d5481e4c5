"""Requests for namespaces: what is accepted, who decides, and what a decision changes."""

import json

import pytest

from registry.domain.errors import Code, Refused
from registry.models import Event, Membership, Namespace, NamespaceRequest, RequestState, Role, User
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory, members, namespaces, request_list, requests
from tests.requests import claim, request_namespace

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def staff() -> Actor:
    return Actor(User.objects.create_user("staff", is_staff=True))


def last_events(count: int) -> list[tuple[str, str, str]]:
    events = Event.objects.order_by("-number")[:count]
    return [(event.action, event.subject, event.namespace) for event in reversed(events)]


def state(request: NamespaceRequest) -> str:
    return NamespaceRequest.objects.get(pk=request.pk).state


def test_accepted_request_creates_the_namespace_with_its_owner(bob: User, staff: Actor) -> None:
    request = request_namespace(" initech ", bob, title=" Initech ")
    assert last_events(1) == [("request.submitted", "initech", "")]
    namespace = requests.accept(request.pk, text="The file names bob.", actor=staff)
    assert (namespace.name, namespace.title) == ("initech", "Initech")
    assert namespace.url == "https://initech.example/"
    assert Membership.objects.get(namespace=namespace, user=bob).role == Role.OWNER
    assert last_events(3) == [
        ("namespace.made", "initech", "initech"),
        ("member.granted", "initech", "initech"),
        ("request.accepted", "initech", "initech"),
    ]
    decided = request_list.find_request(request.pk)
    assert (decided.state, decided.decision) == ("accepted", "The file names bob.")
    assert decided.decider == staff.user
    assert decided.decided is not None


def test_accepted_claim_makes_an_owner_and_keeps_the_description(bob: User, staff: Actor) -> None:
    before = directory.namespace_summary("arm")
    assert before.kept_by == "registry"
    request = claim("arm", bob)
    namespace = requests.accept(request.pk, actor=staff)
    after = directory.namespace_summary("arm")
    assert (after.kept_by, after.tags) == ("members", before.tags)
    assert namespace.title == before.namespace.title
    assert Membership.objects.get(namespace=namespace).role == Role.OWNER
    assert json.loads(Event.objects.latest("number").detail) == {
        "request": request.pk,
        "kind": "claim",
        "before": "open",
        "after": "accepted",
    }


def test_accepted_claim_promotes_a_member_beside_the_owners(
    acme: Namespace, alice: User, bob: User, staff: Actor
) -> None:
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor(alice))
    requests.accept(claim("acme", bob).pk, actor=staff)
    owners = Membership.objects.filter(namespace=acme, role=Role.OWNER)
    assert {membership.user for membership in owners} == {alice, bob}


def test_rejection_needs_a_reason_and_creates_nothing(bob: User, staff: Actor) -> None:
    request = request_namespace("initech", bob)
    with pytest.raises(Refused) as refused:
        requests.reject(request.pk, text=" ", actor=staff)
    assert refused.value.faults[0].pointer == "/text"
    requests.reject(request.pk, text="Who are you?", actor=staff)
    assert state(request) == RequestState.REJECTED
    assert not Namespace.objects.filter(name="initech").exists()
    assert request_namespace("initech", bob).pk != request.pk, "asking again is possible"


def test_only_the_requester_can_withdraw(bob: User, staff: Actor) -> None:
    request = request_namespace("initech", bob)
    with pytest.raises(Refused) as refused:
        requests.withdraw(request.pk, actor=staff)
    assert refused.value.code is Code.FORBIDDEN
    requests.withdraw(request.pk, actor=Actor(bob))
    assert state(request) == RequestState.WITHDRAWN
    assert last_events(1) == [("request.withdrawn", "initech", "")]


def test_only_staff_decides(acme: Namespace, alice: User, bob: User) -> None:
    request = claim("acme", bob)
    for actor in (Actor(alice), Actor(bob)):
        with pytest.raises(Refused) as refused:
            requests.accept(request.pk, actor=actor)
        assert refused.value.code is Code.FORBIDDEN
        with pytest.raises(Refused) as refused:
            requests.reject(request.pk, text="No", actor=actor)
        assert refused.value.code is Code.FORBIDDEN


def test_decided_request_cannot_be_decided_again(bob: User, staff: Actor) -> None:
    request = request_namespace("initech", bob)
    requests.accept(request.pk, actor=staff)
    for decide in (
        lambda: requests.accept(request.pk, actor=staff),
        lambda: requests.reject(request.pk, text="No", actor=staff),
        lambda: requests.withdraw(request.pk, actor=Actor(bob)),
    ):
        with pytest.raises(Refused, match="is accepted already") as refused:
            decide()
        assert refused.value.code is Code.CONFLICT


def test_second_request_for_a_name_fails_once_it_exists(bob: User, staff: Actor) -> None:
    first = request_namespace("initech", bob)
    second = request_namespace("initech", User.objects.create_user("carol"))
    context = request_list.request_context(first)
    assert context.others.rows == (second,)
    requests.accept(first.pk, actor=staff)
    with pytest.raises(Refused, match="already exists"):
        requests.accept(second.pk, actor=staff)
    assert state(second) == RequestState.OPEN
    assert request_list.request_context(second).owners == ("bob",)


def test_request_of_a_closed_account_cannot_be_accepted(bob: User, staff: Actor) -> None:
    request = request_namespace("initech", bob)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(Refused, match="The account bob is closed"):
        requests.accept(request.pk, actor=staff)
    assert not Namespace.objects.filter(name="initech").exists()


def test_closing_an_account_withdraws_its_requests(bob: User) -> None:
    request = request_namespace("initech", bob)
    closing.close_account(actor=Actor(bob))
    withdrawn = request_list.find_request(request.pk)
    assert (withdrawn.state, withdrawn.decision) == ("withdrawn", "The account was closed.")
    assert withdrawn.requester.username == "a former contributor"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Initech", "Initech is not a valid namespace"),
        ("", "(empty) is not a valid namespace"),
        ("admin", "admin is reserved"),
        ("nvidia", "the namespace nvidia exists; it can be claimed"),
        ("nv1dia", "nv1dia looks like nvidia, which exists"),
        ("llvm", "llvm is a kind of target"),
    ],
)
def test_name_that_cannot_be_had_is_rejected(bob: User, name: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        request_namespace(name, bob)
    assert [(fault.pointer, fault.message) for fault in refused.value.faults] == [
        ("/name", message)
    ]
    assert not NamespaceRequest.objects.exists()


def test_name_taken_while_the_request_waits_is_rejected(
    bob: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = requests.authorized_write

    def lock_after_somebody_else(permission: object) -> object:
        namespaces.create_namespace("initech", actor=Actor.operator(alice))
        return lock(permission)  # type: ignore[arg-type]

    monkeypatch.setattr(requests, "authorized_write", lock_after_somebody_else)
    with pytest.raises(Refused, match="initech exists"):
        request_namespace("initech", bob)


def test_every_invalid_text_is_reported(bob: User) -> None:
    with pytest.raises(Refused) as refused:
        request_namespace("A", bob, title="", url="http://x.example", reason="\0")
    pointers = [fault.pointer for fault in refused.value.faults]
    assert pointers == ["/name", "/title", "/url", "/reason"]


def test_claim_needs_evidence_but_a_new_namespace_does_not(bob: User) -> None:
    with pytest.raises(Refused) as refused:
        claim("arm", bob, evidence="")
    assert [fault.pointer for fault in refused.value.faults] == ["/evidence"]
    assert request_namespace("initech", bob, evidence="").evidence == ""


def test_claim_of_an_unknown_namespace_has_near_names(bob: User) -> None:
    with pytest.raises(Refused) as refused:
        claim("nvidai", bob)
    assert refused.value.code is Code.NAMESPACE_UNKNOWN
    assert "nvidia" in refused.value.suggestions


def test_owner_cannot_claim(acme: Namespace, alice: User) -> None:
    with pytest.raises(Refused, match="alice is an owner of acme already"):
        claim("acme", alice)


def test_second_open_request_for_a_name_is_rejected(bob: User) -> None:
    first = request_namespace("initech", bob)
    with pytest.raises(Refused, match=f"request {first.pk}") as refused:
        request_namespace("initech", bob)
    assert refused.value.code is Code.CONFLICT


def test_open_requests_of_an_account_are_limited(bob: User) -> None:
    made = [request_namespace(f"initech-{n}", bob) for n in range(requests.MAX_OPEN)]
    with pytest.raises(Refused) as refused:
        request_namespace("one-more", bob)
    assert refused.value.code is Code.RATE_LIMITED
    requests.withdraw(made[0].pk, actor=Actor(bob))
    request_namespace("one-more", bob)


def test_unknown_number_is_rejected() -> None:
    with pytest.raises(Refused) as refused:
        request_list.find_request(99)
    assert refused.value.code is Code.NAMESPACE_REQUEST_UNKNOWN
