"""Dependents picked and made to follow, part by part."""

import re

import pytest
from django.test import Client

from registry.models import Namespace, Role, User, Version
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from registry.web.versions import rebase, rebase_jobs
from tests.publishing import counts, publish, yank
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
REBASE = "/rebase/acme/cpu"


@pytest.fixture(autouse=True)
def family(acme: Namespace, client: Client, alice: User) -> None:
    """Of a cpu with a newer version: two boards, and a box that is made from one of them."""
    publish("acme/cpu", CPU)
    publish("acme/a-box", {"kind": "composite", "devices": ["arm/soc"]})
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/plain", {"tag": "acme/cpu", "model": "y"})
    publish("acme/a-box", {"kind": "composite", "devices": ["acme/board"]})
    publish("acme/cpu", CPU | {"num-cores": 8})
    client.force_login(alice)


def ticked(page: Page) -> list[str]:
    return re.findall(r'name="tag" value="([^"]*)" checked', page.html)


def newest(tag: str) -> str:
    return str(Version.objects.filter(tag__text=tag).latest("pk").number)


def send(client: Client, **typed: object) -> Page:
    response = client.post(REBASE, typed)
    assert response.status_code == 303
    return Page(response["Location"], client)


def test_all_are_ticked_parents_first(visit: Visitor) -> None:
    page = visit(REBASE)
    assert ticked(page) == ["acme/board", "acme/plain", "acme/a-box"]
    assert "acme/board 2.0.0 after 1.0.0 major some tuning records no longer match" in page.text


def test_only_those_picked_are_published(client: Client) -> None:
    page = send(client, do="picked", tag=["acme/board"])
    assert "1 of 1 done, 0 skipped" in page.text
    assert "acme/board@2.0.0" in page.text
    assert (newest("acme/board"), newest("acme/plain")) == ("2.0.0", "1.0.0")
    assert ticked(send(client, do="forget")) == ["acme/plain", "acme/a-box"]


def test_a_dependent_without_its_parents_is_fine(client: Client) -> None:
    page = send(client, do="picked", tag=["acme/a-box"])
    assert "Skipped acme/a-box it is up to date" in page.text


def test_parts_go_on_where_they_stopped(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebase_jobs, "BATCH_SIZE", 1)
    picked = ["acme/a-box", "acme/plain", "acme/board"]  # in any order
    page = send(client, do="picked", tag=picked)
    assert "1 of 3 done" in page.text
    assert "progress.js" in page.html
    assert '<progress id="progress" max="3" value="1">' in page.html
    assert "1 of 3 done" in Page(REBASE, client).text  # a refresh sends nothing
    assert "2 of 3 done" in send(client, do="continue", done="1").text
    assert "2 of 3 done" in send(client, do="continue", done="1").text  # sent twice
    page = send(client, do="continue", done="2")
    assert "3 of 3 done, 0 skipped" in page.text
    assert "progress.js" not in page.html
    assert newest("acme/a-box") == "3.0.0"


def test_stopping_keeps_what_is_published(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebase_jobs, "BATCH_SIZE", 1)
    send(client, do="all")
    page = send(client, do="forget")
    assert len(ticked(page)) == 2


def test_all_is_more_than_a_page(
    client: Client, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebase, "ROWS", 2)
    page = visit(REBASE)
    assert ticked(page) == ["acme/board", "acme/plain"]
    assert f"{REBASE}?page=2" in page.links
    assert ticked(visit(f"{REBASE}?page=2")) == ["acme/a-box"]
    assert "3 of 3 done" in send(client, do="all").text


def test_nothing_picked_publishes_nothing(client: Client) -> None:
    before = counts()
    assert "No tag is picked" in send(client, do="picked").text
    assert counts() == before


@pytest.mark.parametrize(
    ("tags", "status"),
    [(["acme/nothing"], 404), (["<b>"], 400), ([f"acme/t{at}" for at in range(1001)], 400)],
)
def test_what_cannot_be_picked_is_refused(tags: list[str], status: int, client: Client) -> None:
    before = counts()
    assert client.post(REBASE, {"do": "picked", "tag": tags}).status_code == status
    assert counts() == before


@pytest.mark.parametrize("page", ["0", "6", "x", "", "1e3", "²"])
def test_page_that_there_is_not_is_refused(page: str, visit: Visitor) -> None:
    assert visit(f"{REBASE}?page={page}").status == 400


def test_elsewhere_one_proposes(client: Client, alice: User) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(
        namespaces.create_namespace("bobs", actor=Actor.operator(bob)),
        bob,
        Role.OWNER,
        actor=Actor.operator(bob),
    )
    publish("bobs/board", {"tag": "acme/cpu", "model": "z"}, actor=bob)
    publish("acme/cpu", CPU | {"num-cores": 16})
    page = Page(REBASE, client)
    assert "bobs/board" not in ticked(page)
    assert "You cannot publish in bobs" in page.text
    assert "/update/bobs/board" in page.links
    page = send(client, do="picked", tag=["bobs/board", "acme/board"])
    assert "2 of 2 done, 1 skipped" in page.text
    assert "alice may not publish in bobs: propose it" in page.text


def test_who_may_nowhere_only_looks(client: Client) -> None:
    client.force_login(User.objects.create_user("eve"))
    page = Page(REBASE, client)
    assert ticked(page) == []
    assert "Publish" not in page.text
    before = counts()
    page = send(client, do="picked", tag=["acme/board"])
    assert "eve may not publish in acme" in page.text
    assert counts() == before


def test_nothing_to_follow_says_so(visit: Visitor) -> None:
    yank("acme/cpu@2.0.0")
    assert "all dependents of acme/cpu are up to date" in visit(REBASE).text


def test_strangers_sign_in(client: Client) -> None:
    client.logout()
    assert client.get(REBASE)["Location"] == f"/accounts/login/?next={REBASE}"


def test_number_of_queries_does_not_grow(visit: Visitor) -> None:
    few = visit(REBASE).queries
    for at in range(20):
        publish(f"acme/more-{at}", {"tag": "acme/cpu@1", "num-cores": at + 9})
        publish(f"acme/also-{at}", {"tag": "acme/cpu", "num-cores": at + 9})
    publish("acme/cpu", CPU | {"num-cores": 16})
    assert visit(REBASE).queries == few
