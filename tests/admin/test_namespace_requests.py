"""Tests of requests for namespaces in the admin."""

import pytest
from allauth.account.models import EmailAddress

from registry.models import Membership, Namespace, NamespaceRequest, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from tests.admin.conftest import AdminClient, last_event
from tests.requests import claim, request_namespace

PATH = "registry/namespacerequest"


@pytest.fixture
def request_row(alice: User) -> NamespaceRequest:
    """Return Alice's open request for initech."""
    EmailAddress.objects.create(user=alice, email="alice@initech.example", verified=True)
    return request_namespace("initech", alice)


def test_queue_has_open_requests_and_their_count(
    staff: AdminClient, request_row: NamespaceRequest, alice: User
) -> None:
    claim("arm", alice)
    assert "2 open" in staff.get("").text
    page = staff.get(f"{PATH}/")
    first, second = page.rows
    assert first.startswith(f"{request_row.pk} , request for initech initech New")
    assert second.startswith(f"{request_row.pk + 1} , request for arm arm Claim")
    assert len(staff.get(f"{PATH}/", kind__exact="claim").rows) == 1
    assert len(staff.get(f"{PATH}/", requester="alice").rows) == 2
    assert len(staff.get(f"{PATH}/", state="accepted").rows) == 0


def test_page_shows_what_a_decision_depends_on(
    staff: AdminClient, request_row: NamespaceRequest
) -> None:
    other = request_namespace("initech", User.objects.create_user("bob"))
    page = staff.get(f"{PATH}/{request_row.pk}/change/")
    assert "Confirmed addresses alice@initech.example" in page.text
    assert "Purpose Our boards." in page.text
    assert f"{other.pk} by bob" in page.text
    assert f"/namespace-requests/{request_row.pk}" in page.links


def test_accepting_creates_the_namespace(staff: AdminClient, request_row: NamespaceRequest) -> None:
    page = staff.post(f"{PATH}/{request_row.pk}/accept/", text="The file names alice.")
    assert "alice is an owner of initech now." in page.text
    assert "The file names alice." in page.text
    owner = Membership.objects.get(namespace__name="initech")
    assert (owner.user, owner.role) == (request_row.requester, "owner")
    event = last_event()
    assert (event.action, event.actor) == ("request.accepted", staff.user)
    assert (
        f"/admin/{PATH}/{request_row.pk}/change/"
        in staff.get(f"registry/event/{event.pk}/change/").links
    )
    assert not [url for url in page.links if url.endswith(("/accept/", "/reject/"))]


def test_claim_of_a_namespace_under_four_eyes_waits_for_somebody_else(
    staff: AdminClient, acme: Namespace, alice: User
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    carol = User.objects.create_user("carol")
    path = f"{PATH}/{claim('acme', carol).pk}/accept/"
    page = staff.post(path, text="The file names carol.")
    assert "You requested that carol becomes owner of acme, which is under four-eyes." in page.text
    assert not Membership.objects.filter(user=carol).exists()
    members.grant_role(acme, carol, Role.OWNER, actor=Actor(alice))
    assert "carol is an owner of acme now." in staff.post(path, text="The same.").text


def test_rejecting_needs_a_reason(staff: AdminClient, request_row: NamespaceRequest) -> None:
    page = staff.post(f"{PATH}/{request_row.pk}/reject/", text="")
    assert page.status == 400
    page = staff.post(f"{PATH}/{request_row.pk}/reject/", text="Who are you?")
    assert f"Request {request_row.pk} is rejected." in page.text
    assert not Namespace.objects.filter(name="initech").exists()


def test_decided_request_cannot_be_decided_again(
    staff: AdminClient, request_row: NamespaceRequest
) -> None:
    staff.post(f"{PATH}/{request_row.pk}/reject/", text="Who are you?")
    page = staff.post(f"{PATH}/{request_row.pk}/accept/", text="Sorry")
    assert page.status == 409
    assert "is rejected already" in page.text
    assert "Sorry" in page.html


def test_namespace_links_to_its_requests(superuser: AdminClient, alice: User) -> None:
    claim("arm", alice)
    arm = Namespace.objects.get(name="arm")
    links = superuser.get(f"registry/namespace/{arm.pk}/change/").links
    (link,) = [url for url in links if "namespacerequest" in url]
    assert "q=arm" in link
