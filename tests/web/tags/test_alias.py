"""The page that points aliases at a tag."""

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.tags import aliases
from registry.services.versions import resolving
from tests.publishing import publish, row_counts, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture(autouse=True)
def tags(acme: object, client: Client, alice: User) -> None:
    publish("acme/cpu", CPU)
    publish("acme/other", CPU | {"num-cores": 8})
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    client.force_login(alice)


def resolve(text: str) -> str:
    return resolving.resolve(Reference.parse(text)).exact


def test_existing_aliases_are_listed(visit: Visitor) -> None:
    text = visit("/alias/acme/cpu").text
    assert "acme/CPU points to acme/cpu" in text
    assert "None yet." in visit("/alias/acme/other").text


def test_alias_can_point_to_a_tag_or_a_version(client: Client) -> None:
    page = client.get("/alias/acme/cpu@1.0.0").content.decode()
    assert 'value="acme/cpu@1.0.0"' in page
    fields = {"text": "acme/First", "reference": "acme/cpu@1.0.0"}
    response = client.post("/alias/acme/cpu@1.0.0", fields, follow=True)
    assert "acme/First points to acme/cpu@1.0.0." in response.content.decode()
    assert resolve("acme/First") == "acme/cpu@1.0.0"


@pytest.mark.parametrize(
    ("path", "yanked", "is_said"),
    [
        ("acme/cpu", "acme/cpu@1.0.0", True),
        ("acme/cpu@1", "acme/cpu@1.0.0", True),
        ("acme/cpu@1.0.0", "acme/cpu@1.0.0", False),
        ("acme/cpu", "acme/other@1.0.0", False),
    ],
)
def test_fully_yanked_tag_takes_exact_versions_only(
    visit: Visitor, client: Client, path: str, yanked: str, is_said: bool
) -> None:
    yank(yanked)
    assert ("an alias can only point to an exact one" in visit(f"/alias/{path}").text) is is_said
    fields = {"text": "acme/new", "reference": path}
    assert client.post(f"/alias/{path}", fields).status_code == (404 if is_said else 302)


def test_existing_alias_moves_only_with_confirmation(client: Client) -> None:
    fields = {"text": "acme/CPU", "reference": "acme/other"}
    response = client.post("/alias/acme/other", fields)
    assert response.status_code == 412
    assert "it points at acme/cpu" in response.content.decode()
    assert resolve("acme/CPU") == "acme/cpu@1.0.0"
    assert client.post("/alias/acme/other", fields | {"moves": "on"}).status_code == 302
    assert resolve("acme/CPU") == "acme/other@1.0.0"


@pytest.mark.parametrize(
    ("text", "reference", "status", "message"),
    [
        ("acme/a b", "acme/cpu", 400, "is not an alias"),
        ("acme/other", "acme/cpu", 409, "acme/other is the name of a tag; names cannot be reused"),
        ("nowhere/x", "acme/cpu", 403, "alice may not point aliases in nowhere"),
        ("acme/new", "acme/CPU", 409, "is itself an alias"),
        ("acme/new", "acme/none", 404, "There is no tag acme/none"),
        ("acme/new", "acme/cpu@9", 404, "There is no version 9 of acme/cpu"),
        ("acme/new", "<b>", 400, "is not a tag"),
    ],
)
def test_refused_alias_keeps_the_input(
    text: str, reference: str, status: int, message: str, client: Client
) -> None:
    before = row_counts()
    response = client.post("/alias/acme/cpu", {"text": text, "reference": reference})
    page = response.content.decode()
    assert (response.status_code, row_counts()) == (status, before)
    assert message in page
    assert f'value="{text}"' in page


def test_members_are_told_that_curators_can(visit: Visitor, acme: object, alice: User) -> None:
    eve = User.objects.create_user("eve")
    members.grant_role(acme, eve, Role.MEMBER, actor=Actor.operator(alice))  # type: ignore[arg-type]
    visit.client.force_login(eve)
    page = visit("/alias/acme/cpu")
    assert page.status == 403
    assert "allowed: curator, owner, staff" in page.text
