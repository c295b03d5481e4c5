"""The page that points aliases at a tag."""

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.tags import aliases
from registry.services.versions import resolving
from tests.publishing import publish, written
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture(autouse=True)
def tags(acme: object, client: Client, alice: User) -> None:
    publish("acme/cpu", CPU)
    publish("acme/other", CPU | {"num-cores": 8})
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    client.force_login(alice)


def answer(text: str) -> str:
    return resolving.resolve(Reference.parse(text)).exact


def test_those_there_are_are_listed(visit: Visitor) -> None:
    text = visit("/alias/acme/cpu").text
    assert "acme/CPU points to acme/cpu" in text
    assert "None yet." in visit("/alias/acme/other").text


def test_new_one_points_at_the_tag_or_a_version(client: Client) -> None:
    page = client.get("/alias/acme/cpu@1.0.0").content.decode()
    assert 'value="acme/cpu@1.0.0"' in page
    typed = {"text": "acme/First", "reference": "acme/cpu@1.0.0"}
    response = client.post("/alias/acme/cpu@1.0.0", typed, follow=True)
    assert "acme/First points at acme/cpu@1.0.0." in response.content.decode()
    assert answer("acme/First") == "acme/cpu@1.0.0"


def test_one_that_is_there_moves_only_if_asked(client: Client) -> None:
    typed = {"text": "acme/CPU", "reference": "acme/other"}
    response = client.post("/alias/acme/other", typed)
    assert response.status_code == 412
    assert "it does stand for acme/cpu" in response.content.decode()
    assert answer("acme/CPU") == "acme/cpu@1.0.0"
    assert client.post("/alias/acme/other", typed | {"moves": "on"}).status_code == 302
    assert answer("acme/CPU") == "acme/other@1.0.0"


@pytest.mark.parametrize(
    ("text", "reference", "status", "says"),
    [
        ("acme/a b", "acme/cpu", 400, "is not an alias"),
        ("acme/other", "acme/cpu", 409, "acme/other is a tag; a name is never used twice"),
        ("nowhere/x", "acme/cpu", 403, "alice may not point aliases in nowhere"),
        ("acme/new", "acme/CPU", 409, "is an alias itself"),
        ("acme/new", "acme/none", 404, "There is no tag acme/none"),
        ("acme/new", "acme/cpu@9", 404, "There is no version 9 of acme/cpu"),
        ("acme/new", "<b>", 400, "is not a tag"),
    ],
)
def test_what_cannot_be_keeps_what_was_typed(
    text: str, reference: str, status: int, says: str, client: Client
) -> None:
    before = written()
    response = client.post("/alias/acme/cpu", {"text": text, "reference": reference})
    page = response.content.decode()
    assert (response.status_code, written()) == (status, before)
    assert says in page
    assert f'value="{text}"' in page


def test_members_read_that_curators_may(visit: Visitor, acme: object, alice: User) -> None:
    eve = User.objects.create_user("eve")
    members.grant_role(acme, eve, Role.MEMBER, actor=Actor.operator(alice))  # type: ignore[arg-type]
    visit.client.force_login(eve)
    page = visit("/alias/acme/cpu")
    assert page.status == 403
    assert "who may: curator, owner, staff" in page.text
