"""The page that marks a tag as a family."""

import pytest
from django.test import Client

from registry.models import Tag, User
from tests.publishing import publish
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}


@pytest.fixture(autouse=True)
def tags(acme: object) -> None:
    publish("acme/cpu", CPU)


@pytest.fixture
def owner(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def is_family() -> bool:
    return Tag.objects.get(text="acme/cpu").is_family


def test_mark_and_unmark(owner: Client, visit: Visitor) -> None:
    assert "Mark as family" in visit("/tags/acme/cpu").text
    assert "describes what several machines share" in visit("/family/acme/cpu").text
    owner.post("/family/acme/cpu", {"to": "family"})
    assert is_family()
    assert "Mark as no family" in visit("/tags/acme/cpu").text
    assert "Mark as no family" in visit("/family/acme/cpu").text
    owner.post("/family/acme/cpu", {"to": "no-family"})
    assert not is_family()


def test_a_form_sent_twice_does_not_undo_itself(owner: Client) -> None:
    owner.post("/family/acme/cpu", {"to": "family"})
    again = owner.post("/family/acme/cpu", {"to": "family"})
    assert again.status_code == 409
    assert "already a family" in again.content.decode()
    assert is_family()


def test_an_alias_leads_to_the_tag(owner: Client) -> None:
    owner.post("/alias/acme/cpu", {"text": "acme/CPU", "reference": "acme/cpu"})
    assert owner.get("/family/acme/CPU")["Location"] == "/family/acme/cpu"
