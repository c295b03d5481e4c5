"""The page that rebases an outdated tag."""

import re

import pytest
from django.test import Client

from registry.domain.reference import Reference, Tag
from registry.models import Proposal, ProposalRevision, User, Version
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from tests.publishing import publish, row_counts, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
UPDATE = "/update/acme/board"


@pytest.fixture(autouse=True)
def tags(acme: object) -> None:
    """Publish a board whose parent has a newer version, and a box with the board."""
    publish("acme/cpu", CPU)
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/box", {"kind": "composite", "devices": ["acme/board"]})
    publish("acme/cpu", CPU | {"num-cores": 8})


def hidden_fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the form."""
    fields = re.findall(r'<input type="hidden" name="(seen|key)" value="([^"]*)">', page)
    return dict(fields)


def test_outdated_tag_links_to_the_update(visit: Visitor) -> None:
    page = visit("/tags/acme/board")
    assert "Outdated: if published again today, it would use acme/cpu@2.0.0" in page.text
    assert UPDATE in page.links
    for path in ("/tags/acme/cpu", "/tags/acme/box", "/tags/acme/cpu@1.0.0"):
        assert "Outdated" not in visit(path).text


def test_deprecated_tag_is_not_said_to_be_outdated(visit: Visitor, alice: User) -> None:
    actor = Actor.operator(alice)
    deprecation.deprecate(Tag.parse("acme/board"), reason="old", successor=None, actor=actor)
    page = visit("/tags/acme/board")
    assert "acme/board is deprecated" in page.text
    assert "Outdated" not in page.text
    assert visit(UPDATE).status == 200


def test_anonymous_users_can_preview(visit: Visitor) -> None:
    page = visit(UPDATE)
    assert page.status == 200
    assert "MAJOR : some tuning records no longer match" in page.text
    assert "2.0.0 after 1.0.0" in page.text
    assert re.search("changed /num-cores 4 .* by acme/cpu@1.0.0 8", page.text)
    assert "1 tag would change" in page.text
    assert "/diff/acme/cpu@1.0.0...acme/cpu@2.0.0" in page.links
    assert "Publish the rebase" not in page.text


def test_members_can_publish(client: Client, alice: User) -> None:
    client.force_login(alice)
    fields = hidden_fields(client.get(UPDATE).content.decode())
    response = client.post(UPDATE, fields | {"do": "publish"}, follow=True)
    assert "acme/board@2.0.0 is published." in response.content.decode()
    version = Version.objects.get(tag__text="acme/board", major=2)
    assert version.message == "Rebased: acme/cpu@1.0.0 to acme/cpu@2.0.0"
    response = client.post(UPDATE, fields | {"do": "publish"}, follow=True)
    assert "acme/board is up to date" in response.content.decode()
    assert Version.objects.filter(tag__text="acme/board").count() == 2


def test_users_without_a_role_can_propose(client: Client) -> None:
    eve = User.objects.create_user("eve")
    client.force_login(eve)
    page = client.get(UPDATE).content.decode()
    assert "Publish the rebase" not in page
    for _ in range(2):  # the same form twice
        response = client.post(UPDATE, hidden_fields(page) | {"do": "propose"})
    (proposal,) = Proposal.objects.all()
    assert response["Location"] == f"/proposals/{proposal.pk}"
    revision = ProposalRevision.objects.get(proposal=proposal)
    assert (proposal.tag, proposal.submitter, revision.base) == ("acme/board", eve, "1.0.0")
    assert revision.message == "Rebased: acme/cpu@1.0.0 to acme/cpu@2.0.0"


def test_anonymous_users_sign_in_before_proposing(client: Client) -> None:
    response = client.post(UPDATE, {"do": "propose"})
    assert response["Location"] == f"/accounts/login/?next={UPDATE}"


def test_users_without_a_role_cannot_publish(client: Client) -> None:
    client.force_login(User.objects.create_user("eve"))
    fields = hidden_fields(client.get(UPDATE).content.decode())
    before = row_counts()
    assert client.post(UPDATE, fields | {"do": "publish"}).status_code == 403
    assert row_counts() == before


def test_changes_since_the_preview_are_previewed_again(client: Client, alice: User) -> None:
    client.force_login(alice)
    fields = hidden_fields(client.get(UPDATE).content.decode())
    publish("acme/cpu", CPU | {"num-cores": 16})
    before = row_counts()
    response = client.post(UPDATE, fields | {"do": "publish"}, follow=True)
    assert "changed meanwhile. Please review again." in response.content.decode()
    assert row_counts() == before


def test_parent_without_versions_prevents_the_update(visit: Visitor) -> None:
    yank("acme/cpu@1.0.0")
    yank("acme/cpu@2.0.0")
    assert "acme/cpu , which no longer resolves" in visit("/tags/acme/board").text
    page = visit(UPDATE)
    assert page.status == 200
    assert "The source cannot be rebased" in page.text
    assert "There is no version of acme/cpu that is not yanked" in page.text
    assert "and no longer resolves" in page.text
    assert "the rebase" not in page.text


def test_up_to_date_tag_is_reported(visit: Visitor) -> None:
    assert "acme/cpu is up to date" in visit("/update/acme/cpu").text


@pytest.mark.parametrize(("path", "status"), [("/update/acme/nothing", 404), ("/update/Acme", 400)])
def test_unknown_or_invalid_tag_is_an_error(path: str, status: int, visit: Visitor) -> None:
    assert visit(path).status == status


def test_version_and_alias_redirect_to_the_tag(visit: Visitor, alice: User) -> None:
    aliases.point_alias("acme/B", Reference.parse("acme/board"), actor=Actor.operator(alice))
    for reference in ("acme/board@1", "acme/B"):
        assert visit(f"/update/{reference}").response["Location"] == UPDATE


def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/wide", {"kind": "composite", "devices": {"a": "acme/cpu"}})
    devices = {f"d{number}": {"tag": "acme/cpu", "num-cores": number + 1} for number in range(30)}
    publish("acme/many", {"kind": "composite", "devices": devices})
    publish("acme/cpu", CPU | {"num-cores": 32})
    visit("/update/acme/wide")  # warms up the process
    assert visit("/update/acme/many").queries == visit("/update/acme/wide").queries
