"""Trusted publishers in the admin."""

import pytest

from registry.domain.identity_claims import GITHUB
from registry.models import Namespace, TrustedPublisher, User
from registry.services.core.permissions import Actor
from tests.admin.conftest import AdminClient
from tests.publishing import trust_github

pytestmark = pytest.mark.django_db


@pytest.fixture
def publisher(acme: Namespace, alice: User) -> TrustedPublisher:
    return trust_github(acme, Actor(alice))


def test_list_and_page_show_what_is_trusted(
    staff: AdminClient, publisher: TrustedPublisher
) -> None:
    row = staff.get("registry/trustedpublisher/?q=targets&namespace=acme").rows[0]
    assert "acme/targets" in row
    assert GITHUB in row
    page = staff.get(f"registry/trustedpublisher/{publisher.pk}/change/").text
    assert "repository_owner_id 42" in " ".join(page.split())


def test_staff_revokes_a_publisher(staff: AdminClient, publisher: TrustedPublisher) -> None:
    path = f"registry/trustedpublisher/{publisher.pk}/revoke/"
    assert staff.post(path).status == 200
    publisher.refresh_from_db()
    assert publisher.revoked
    page = staff.get(f"registry/trustedpublisher/{publisher.pk}/change/")
    assert not any(link.endswith("/revoke/") for link in page.links)
