"""The pages of people, and the links that lead to them."""

import pytest
from django.test import Client

from registry.models import Namespace, Role, User
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from tests.publishing import publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db


def test_page_shows_roles_and_versions(visit: Visitor, acme: Namespace) -> None:
    publish("acme/board", {"kind": "llvm"})
    page = visit("/users/alice")
    assert page.status == 200
    assert "Maintains acme owner Published acme/board@1.0.0" in page.text
    assert {"/namespaces/acme", "/tags/acme/board@1.0.0", "/api/v1/users/alice"} <= {*page.links}


def test_page_shows_nothing_private(client: Client, visit: Visitor, alice: User) -> None:
    alice.email, alice.first_name, alice.last_name = "alice@example.org", "Alicia", "Ogden"
    alice.save()
    client.force_login(User.objects.create_superuser("root"))
    page = visit("/users/alice")
    for secret in ("alice@example.org", "Alicia", "Ogden"):
        assert secret not in page.html
    assert "No versions yet." in page.text
    assert "Latest" not in page.text


def test_later_pages_have_the_rest_of_the_versions(visit: Visitor, acme: Namespace) -> None:
    for name in "ab":
        publish(f"{acme}/{name}", {"kind": "llvm"})
    first = visit("/users/alice?limit=1")
    (following,) = [link for link in first.links if "cursor=" in link]
    second = visit(following.replace("&amp;", "&"))
    assert "acme/b@1.0.0" in first.text
    assert "acme/a@1.0.0" in second.text
    assert "acme/b@1.0.0" not in second.text
    assert visit("/users/alice?limit=none").status == 400


@pytest.mark.usefixtures("alice")
def test_other_spellings_lead_to_the_page(client: Client) -> None:
    assert client.get("/users/ALICE")["Location"] == "/users/alice"
    assert client.get("/users/alicia").status_code == 404


def test_names_lead_to_their_page_until_the_account_is_closed(
    visit: Visitor, acme: Namespace, alice: User
) -> None:
    publish("acme/board", {"kind": "llvm"})
    pages = ("/", "/namespaces/acme", "/tags/acme/board", "/versions/acme/board", "/events")
    for path in (*pages, "/source/acme/board"):
        assert "/users/alice" in visit(path).links, path
    root = Actor(User.objects.create_superuser("root"))
    members.grant_role(acme, root.user, Role.OWNER, actor=root)
    closing.close_account(actor=Actor(alice), credit="Alice Ogden")
    for path in (*pages, "/source/acme/board"):
        page = visit(path)
        assert "Alice Ogden" in page.text, path
        assert not [link for link in page.links if "lice" in link and "users" in link], path
    assert visit("/users/Alice Ogden").status == 404
    assert visit("/users/alice").status == 404
