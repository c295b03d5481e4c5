"""The page that renames a tag."""

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import Name, Namespace, Policy, Role, Tag, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.tags import aliases
from registry.services.versions import resolving
from tests.publishing import publish, row_counts, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture(autouse=True)
def tags(acme: Namespace, client: Client, alice: User) -> None:
    publish("acme/old", CPU)
    publish("acme/other", CPU | {"num-cores": 8})
    aliases.point_alias("acme/OLD", Reference.parse("acme/old"), actor=Actor.operator(alice))
    aliases.point_alias("acme/old-one", Reference.parse("acme/old@1"), actor=Actor.operator(alice))
    client.force_login(alice)


def test_page_shows_the_consequences(visit: Visitor) -> None:
    page = visit("/rename/acme/old")
    assert "This tag is deprecated in favour of the new one" in page.text
    assert "are not moved: acme/old-one (acme/old@1)" in page.text
    assert 'value="acme/OLD"' in page.html
    assert 'value="acme/old-one"' not in page.html


def test_rename_redirects_to_the_new_tag(client: Client) -> None:
    fields = {"name": "acme/new", "reason": "another owner", "aliases": ["acme/OLD"]}
    response = client.post("/rename/acme/old", fields, follow=True)
    page = response.content.decode()
    assert "acme/old is now acme/new@1.0.0; the old name is deprecated in favour of it." in page
    assert response.redirect_chain == [("/tags/acme/new", 302)]
    old = client.get("/tags/acme/old").content.decode()
    assert 'Use <a class="name" href="/tags/acme/new">acme/new</a> instead.' in old
    assert resolving.resolve(Reference.parse("acme/OLD")).exact == "acme/new@1.0.0"


def test_unselected_aliases_are_not_moved(client: Client) -> None:
    client.post("/rename/acme/old", {"name": "acme/new", "reason": "another owner"})
    assert resolving.resolve(Reference.parse("acme/OLD")).exact == "acme/old@1.0.0"


def test_members_cannot_move_aliases(client: Client, acme: Namespace, alice: User) -> None:
    eve = User.objects.create_user("eve")
    members.grant_role(acme, eve, Role.MEMBER, actor=Actor.operator(alice))
    client.force_login(eve)
    assert "Aliases to move" not in client.get("/rename/acme/old").content.decode()
    fields = {"name": "acme/new", "reason": "another owner"}
    before = row_counts()
    refused = client.post("/rename/acme/old", fields | {"aliases": ["acme/OLD"]})
    assert refused.status_code == 400
    assert "acme/OLD is not one of the available choices." in refused.content.decode()
    assert row_counts() == before, "what was offered once is not left out in silence"
    assert client.post("/rename/acme/old", fields).status_code == 302
    assert resolving.resolve(Reference.parse("acme/OLD")).exact == "acme/old@1.0.0"


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("", 400, "Enter the new name."),
        ("acme/old", 409, "acme/old is the current name"),
        ("acme/other", 409, "The tag acme/other already exists"),
        ("acme/OLD", 400, "is not a tag"),
        ("acme/old-one", 409, "acme/old-one is an alias of acme/old"),
        ("nowhere/new", 403, "alice may not publish in nowhere"),
        ("nvidia/new", 403, "alice may not publish in nvidia"),
        ("<script>", 400, "is not a tag"),
    ],
)
def test_refused_name_keeps_the_input(name: str, status: int, message: str, client: Client) -> None:
    before = row_counts()
    response = client.post("/rename/acme/old", {"name": name, "reason": "another owner"})
    page = response.content.decode()
    assert (response.status_code, row_counts()) == (status, before)
    assert message in page
    assert "another owner" in page
    assert "<script>" not in page.partition("<main")[2]


def test_fully_yanked_tag_cannot_be_renamed(client: Client) -> None:
    yank("acme/old@1.0.0")
    page = client.get("/rename/acme/old").content.decode()
    assert "so there is no body to copy" in page
    assert "Rename tag" not in page
    response = client.post("/rename/acme/old", {"name": "acme/new", "reason": "another owner"})
    assert response.status_code == 409


def test_four_eyes_says_which_new_names_are_refused(
    visit: Visitor, client: Client, acme: Namespace
) -> None:
    sentence = "a new name has to be in another namespace"
    assert sentence not in visit("/rename/acme/old").text
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    page = visit("/rename/acme/old")
    assert sentence in page.text
    assert "Rename tag" in page.text, "of another namespace"
    fields = {"name": "acme/new", "reason": "another owner"}
    assert client.post("/rename/acme/old", fields).status_code == 403


def test_renamed_tag_cannot_be_renamed_again(client: Client) -> None:
    fields = {"name": "acme/new", "reason": "another owner"}
    client.post("/rename/acme/old", fields)
    assert client.get("/rename/acme/old").status_code == 409
    response = client.post("/rename/acme/old", fields | {"name": "acme/newer"})
    assert response.status_code == 409
    assert "Use acme/new." in response.content.decode()


def test_users_without_a_role_are_refused(client: Client) -> None:
    client.force_login(User.objects.create_user("eve"))
    assert client.get("/rename/acme/old").status_code == 403


def test_every_alias_that_stays_is_named(visit: Visitor) -> None:
    tag = Tag.objects.get(text="acme/old")
    texts = [f"acme/a{number:02}" for number in range(60)]
    Name.objects.bulk_create(
        Name(namespace=tag.namespace, text=text, folded=text, tag=tag, is_alias=True)
        for text in texts
    )
    page = visit("/rename/acme/old")
    assert "are not moved: acme/old-one (acme/old@1) ." in page.text
