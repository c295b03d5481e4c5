"""The page that updates an outdated tag: preview, publish or propose."""

import re

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import Proposal, ProposalRevision, User, Version
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import publish, written, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
UPDATE = "/update/acme/board"


@pytest.fixture(autouse=True)
def family(acme: object) -> None:
    """Publish a board whose parent has a newer version, and a box made from the board."""
    publish("acme/cpu", CPU)
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/box", {"kind": "composite", "devices": ["acme/board"]})
    publish("acme/cpu", CPU | {"num-cores": 8})


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of the form."""
    fields = re.findall(r'<input type="hidden" name="(seen|key)" value="([^"]*)">', page)
    return dict(fields)


def test_the_tag_says_that_it_is_outdated(visit: Visitor) -> None:
    page = visit("/tags/acme/board")
    assert "Outdated: published again today, it would be made from acme/cpu@2.0.0" in page.text
    assert UPDATE in page.links
    for path in ("/tags/acme/cpu", "/tags/acme/box", "/tags/acme/cpu@1.0.0"):
        assert "Outdated" not in visit(path).text


def test_anybody_sees_what_would_change(visit: Visitor) -> None:
    page = visit(UPDATE)
    assert page.status == 200
    assert "MAJOR : some tuning records no longer match" in page.text
    assert "2.0.0 after 1.0.0" in page.text
    assert re.search("changed /num-cores 4 .* by acme/cpu@1.0.0 8", page.text)
    assert "1 tag would change" in page.text
    assert "/diff/acme/cpu@1.0.0...acme/cpu@2.0.0" in page.links
    assert "Publish the rebase" not in page.text


def test_who_may_publishes_it(client: Client, alice: User) -> None:
    client.force_login(alice)
    typed = hidden(client.get(UPDATE).content.decode())
    response = client.post(UPDATE, typed | {"do": "publish"}, follow=True)
    assert "acme/board@2.0.0 is published." in response.content.decode()
    version = Version.objects.get(tag__text="acme/board", major=2)
    assert version.message == "Rebased: acme/cpu@1.0.0 to acme/cpu@2.0.0"
    again = client.post(UPDATE, typed | {"do": "publish"}, follow=True)
    assert "acme/board is up to date" in again.content.decode()
    assert Version.objects.filter(tag__text="acme/board").count() == 2


def test_everybody_signed_in_proposes_it(client: Client) -> None:
    eve = User.objects.create_user("eve")
    client.force_login(eve)
    page = client.get(UPDATE).content.decode()
    assert "Publish the rebase" not in page
    for _ in range(2):  # the same form
        response = client.post(UPDATE, hidden(page) | {"do": "propose"})
    (proposal,) = Proposal.objects.all()
    assert response["Location"] == f"/proposals/{proposal.pk}"
    revision = ProposalRevision.objects.get(proposal=proposal)
    assert (proposal.tag, proposal.submitter, revision.base) == ("acme/board", eve, "1.0.0")
    assert revision.message == "Rebased: acme/cpu@1.0.0 to acme/cpu@2.0.0"


def test_strangers_sign_in_before_they_propose(client: Client) -> None:
    response = client.post(UPDATE, {"do": "propose"})
    assert response["Location"] == f"/accounts/login/?next={UPDATE}"


def test_who_may_not_publish_is_refused(client: Client) -> None:
    client.force_login(User.objects.create_user("eve"))
    typed = hidden(client.get(UPDATE).content.decode())
    before = written()
    assert client.post(UPDATE, typed | {"do": "publish"}).status_code == 403
    assert written() == before


def test_what_moved_meanwhile_is_looked_at_again(client: Client, alice: User) -> None:
    client.force_login(alice)
    typed = hidden(client.get(UPDATE).content.decode())
    publish("acme/cpu", CPU | {"num-cores": 16})
    before = written()
    response = client.post(UPDATE, typed | {"do": "publish"}, follow=True)
    assert "moved meanwhile: look again" in response.content.decode()
    assert written() == before


def test_a_parent_without_versions_leaves_nothing_to_follow(visit: Visitor) -> None:
    yank("acme/cpu@1.0.0")
    yank("acme/cpu@2.0.0")
    assert "nothing for acme/cpu" in visit("/tags/acme/board").text
    page = visit(UPDATE)
    assert page.status == 200
    assert "The source cannot be rebased" in page.text
    assert "There is no version of acme/cpu that is not yanked" in page.text
    assert "and no longer resolves" in page.text
    assert "the rebase" not in page.text


def test_up_to_date_says_so(visit: Visitor) -> None:
    assert "acme/cpu is up to date" in visit("/update/acme/cpu").text


@pytest.mark.parametrize(("path", "status"), [("/update/acme/nothing", 404), ("/update/Acme", 400)])
def test_what_there_is_not_is_refused(path: str, status: int, visit: Visitor) -> None:
    assert visit(path).status == status


def test_version_and_alias_lead_to_the_tag(visit: Visitor, alice: User) -> None:
    aliases.point_alias("acme/B", Reference.parse("acme/board"), actor=Actor.operator(alice))
    for asked in ("acme/board@1", "acme/B"):
        assert visit(f"/update/{asked}").response["Location"] == UPDATE


def test_number_of_queries_does_not_grow(visit: Visitor) -> None:
    publish("acme/wide", {"kind": "composite", "devices": {"a": "acme/cpu"}})
    devices = {f"d{at}": {"tag": "acme/cpu", "num-cores": at + 1} for at in range(30)}
    publish("acme/many", {"kind": "composite", "devices": devices})
    publish("acme/cpu", CPU | {"num-cores": 32})
    visit("/update/acme/wide")  # compiles what a process compiles once
    assert visit("/update/acme/many").queries == visit("/update/acme/wide").queries
