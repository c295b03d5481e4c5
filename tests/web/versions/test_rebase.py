"""The page that rebases dependents in batches."""

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
def tags(acme: Namespace, client: Client, alice: User) -> None:
    """Publish a cpu with two versions, two boards that use the first, and a box with a board."""
    publish("acme/cpu", CPU)
    publish("acme/a-box", {"kind": "composite", "devices": ["arm/soc"]})
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/plain", {"tag": "acme/cpu", "model": "y"})
    publish("acme/a-box", {"kind": "composite", "devices": ["acme/board"]})
    publish("acme/cpu", CPU | {"num-cores": 8})
    client.force_login(alice)


def selected(page: Page) -> list[str]:
    return re.findall(r'name="tag" value="([^"]*)" checked', page.html)


def newest(tag: str) -> str:
    return str(Version.objects.filter(tag__text=tag).latest("pk").number)


def send(client: Client, **fields: object) -> Page:
    response = client.post(REBASE, fields)
    assert response.status_code == 303
    return Page(response["Location"], client)


def test_dependents_are_listed_parents_first_and_selected(visit: Visitor) -> None:
    page = visit(REBASE)
    assert selected(page) == ["acme/board", "acme/plain", "acme/a-box"]
    assert "acme/board 2.0.0 after 1.0.0 major some tuning records no longer match" in page.text


def test_only_selected_tags_are_published(client: Client) -> None:
    page = send(client, do="picked", tag=["acme/board"])
    assert "1 of 1 done, 0 skipped" in page.text
    assert "acme/board@2.0.0" in page.text
    assert (newest("acme/board"), newest("acme/plain")) == ("2.0.0", "1.0.0")
    assert selected(send(client, do="forget")) == ["acme/plain", "acme/a-box"]


def test_dependent_is_skipped_without_its_parents(client: Client) -> None:
    page = send(client, do="picked", tag=["acme/a-box"])
    assert "Skipped acme/a-box it is up to date" in page.text


def test_job_continues_batch_by_batch(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebase_jobs, "BATCH_SIZE", 1)
    names = ["acme/a-box", "acme/plain", "acme/board"]  # in any order
    page = send(client, do="picked", tag=names)
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


def test_stopped_job_keeps_published_versions(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebase_jobs, "BATCH_SIZE", 1)
    send(client, do="all")
    page = send(client, do="forget")
    assert len(selected(page)) == 2


def test_all_includes_other_pages(
    client: Client, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebase, "MAX_ROWS", 2)
    page = visit(REBASE)
    assert selected(page) == ["acme/board", "acme/plain"]
    assert f"{REBASE}?page=2" in page.links
    assert selected(visit(f"{REBASE}?page=2")) == ["acme/a-box"]
    assert "3 of 3 done" in send(client, do="all").text


def test_empty_selection_publishes_nothing(client: Client) -> None:
    before = counts()
    assert "No tags selected" in send(client, do="picked").text
    assert counts() == before


@pytest.mark.parametrize(
    ("names", "status"),
    [(["acme/nothing"], 404), (["<b>"], 400), ([f"acme/t{number}" for number in range(1001)], 400)],
)
def test_invalid_selection_is_refused(names: list[str], status: int, client: Client) -> None:
    before = counts()
    assert client.post(REBASE, {"do": "picked", "tag": names}).status_code == status
    assert counts() == before


@pytest.mark.parametrize("page", ["0", "6", "x", "", "1e3", "²"])
def test_invalid_page_number_is_refused(page: str, visit: Visitor) -> None:
    assert visit(f"{REBASE}?page={page}").status == 400


def test_tags_of_other_namespaces_can_be_proposed(client: Client, alice: User) -> None:
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
    assert "bobs/board" not in selected(page)
    assert "You cannot publish in bobs" in page.text
    assert "/update/bobs/board" in page.links
    page = send(client, do="picked", tag=["bobs/board", "acme/board"])
    assert "2 of 2 done, 1 skipped" in page.text
    assert "alice may not publish in bobs; propose it instead" in page.text


def test_users_without_a_role_can_only_preview(client: Client) -> None:
    client.force_login(User.objects.create_user("eve"))
    page = Page(REBASE, client)
    assert selected(page) == []
    assert "Publish" not in page.text
    before = counts()
    page = send(client, do="picked", tag=["acme/board"])
    assert "eve may not publish in acme" in page.text
    assert counts() == before


def test_up_to_date_dependents_are_reported(visit: Visitor) -> None:
    yank("acme/cpu@2.0.0")
    assert "all dependents of acme/cpu are up to date" in visit(REBASE).text


def test_anonymous_users_sign_in_first(client: Client) -> None:
    client.logout()
    assert client.get(REBASE)["Location"] == f"/accounts/login/?next={REBASE}"


def test_query_count_is_constant(visit: Visitor) -> None:
    expected = visit(REBASE).queries
    for number in range(20):
        publish(f"acme/more-{number}", {"tag": "acme/cpu@1", "num-cores": number + 9})
        publish(f"acme/also-{number}", {"tag": "acme/cpu", "num-cores": number + 9})
    publish("acme/cpu", CPU | {"num-cores": 16})
    assert visit(REBASE).queries == expected
