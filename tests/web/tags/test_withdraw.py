"""The pages that yank, unyank, deprecate and undeprecate."""

from urllib.parse import unquote

import pytest
from django.test import Client

from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import resolving
from tests.publishing import publish, row_counts, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
PAGES = (
    "/yank/acme/cpu@2.0.0",
    "/unyank/acme/cpu@2.0.0",
    "/deprecate/acme/cpu",
    "/undeprecate/acme/cpu",
)


@pytest.fixture(autouse=True)
def tags(acme: object) -> None:
    """Publish cpu@1.0.0 and cpu@2.0.0, and two dependents of the newer one."""
    publish("acme/cpu", CPU)
    publish("acme/cpu", CPU | {"num-cores": 8})
    publish("acme/board", {"tag": "acme/cpu", "model": "x"})
    publish("acme/strict", {"tag": "acme/cpu@2", "model": "y"})


@pytest.fixture
def owner(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def warnings(reference: str) -> list[str]:
    answer = resolving.resolve(Reference.parse(reference))
    return [warning.code for warning in answer.warnings]


def deprecate(alice: User, successor: str = "") -> None:
    name = Tag.parse(successor) if successor else None
    deprecation.deprecate(
        Tag.parse("acme/cpu"), reason="too old", successor=name, actor=Actor.operator(alice)
    )


@pytest.mark.parametrize("path", PAGES)
def test_anonymous_users_sign_in_first(path: str, visit: Visitor) -> None:
    response = visit(path).response
    assert response.status_code == 302
    assert unquote(response["Location"]).endswith(f"?next={path}")


@pytest.mark.parametrize("path", PAGES)
def test_users_without_a_role_are_told_who_can(path: str, visit: Visitor) -> None:
    visit.client.force_login(User.objects.create_user("eve"))
    page = visit(path)
    assert page.status == 403
    assert "eve may not" in page.text
    assert "allowed: curator, member, owner, staff" in page.text
    before = row_counts()
    assert visit.client.post(path, {"reason": "mine"}).status_code == 403
    assert row_counts() == before


@pytest.mark.usefixtures("owner")
def test_yank_page_shows_the_impact(visit: Visitor) -> None:
    text = visit("/yank/acme/cpu@2.0.0").text
    assert "acme/cpu would resolve to acme/cpu@1.0.0 used by 1 tag" in text
    assert "acme/cpu@2 would no longer resolve used by 1 tag" in text
    assert "2 tags depend on it and would show a warning: acme/board , acme/strict" in text


@pytest.mark.usefixtures("owner")
def test_yank_of_the_last_version_warns(visit: Visitor) -> None:
    yank("acme/cpu@1.0.0")
    assert "acme/cpu would no longer resolve" in visit("/yank/acme/cpu@2.0.0").text


@pytest.mark.usefixtures("owner")
def test_yank_of_an_older_version_affects_only_its_major(visit: Visitor) -> None:
    text = visit("/yank/acme/cpu@1.0.0").text
    assert "acme/cpu@1 would no longer resolve" in text
    assert "acme/cpu would resolve to" not in text
    assert "No tag's newest version depends on it" in text


def test_yank_counts_references_through_aliases(owner: Client, alice: User, visit: Visitor) -> None:
    aliases.point_alias("acme/two", Reference.parse("acme/cpu@2"), actor=Actor.operator(alice))
    publish("acme/through", {"tag": "acme/two", "model": "z"})
    assert "acme/cpu@2 would no longer resolve used by 2 tags" in visit("/yank/acme/cpu@2.0.0").text


def test_yank_and_unyank(owner: Client, visit: Visitor) -> None:
    response = owner.post("/yank/acme/cpu@2.0.0", {"reason": "wrong figures"}, follow=True)
    assert "acme/cpu@2.0.0 is yanked." in response.content.decode()
    assert warnings("acme/cpu@2.0.0") == ["YANKED"]
    page = visit("/unyank/acme/cpu@2.0.0")
    assert "Yanked by alice" in page.text
    assert "wrong figures" in page.text
    owner.post("/unyank/acme/cpu@2.0.0", {"reason": "right after all"})
    assert warnings("acme/cpu@2.0.0") == []


def test_deprecate_and_undeprecate(owner: Client, visit: Visitor) -> None:
    fields = {"reason": "too old", "successor": "acme/board"}
    assert owner.post("/deprecate/acme/cpu", fields).status_code == 302
    assert warnings("acme/cpu") == ["DEPRECATED"]
    text = visit("/undeprecate/acme/cpu").text
    assert "Deprecated by alice" in text
    assert "Its successor is acme/board" in text
    owner.post("/undeprecate/acme/cpu", {"reason": "still good"})
    assert warnings("acme/cpu") == []


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"reason": ""}, 422, "This field is required."),
        ({"reason": "x" * 501}, 400, "501 characters"),
        ({"reason": "old", "successor": "acme/nothing"}, 404, "There is no tag acme/nothing"),
        ({"reason": "old", "successor": "Acme!"}, 400, "is not a tag"),
        ({"reason": "old", "successor": "acme/cpu"}, 409, "cannot be its own successor"),
    ],
)
def test_nothing_typed_is_lost(
    fields: dict[str, str], status: int, message: str, owner: Client
) -> None:
    before = row_counts()
    response = owner.post("/deprecate/acme/cpu", fields)
    page = response.content.decode()
    assert (response.status_code, row_counts()) == (status, before)
    assert message in page
    assert fields["reason"] in page
    assert fields.get("successor", "") in page


def test_markup_in_a_reason_is_escaped(owner: Client) -> None:
    script = "<script>alert(1)</script>"
    owner.post("/yank/acme/cpu@2.0.0", {"reason": script})
    for path in ("/tags/acme/cpu@2.0.0", "/versions/acme/cpu", "/unyank/acme/cpu@2.0.0"):
        page = owner.get(path).content.decode()
        assert script not in page
        assert "&lt;script&gt;alert(1)" in page


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/yank/acme/cpu", 400, "is not an exact version; use a full number, as in acme/cpu@1.0.0"),
        ("/yank/acme/cpu@7.0.0", 404, "There is no version 7.0.0 of acme/cpu"),
        ("/yank/acme/nothing@1.0.0", 404, "There is no tag acme/nothing"),
        ("/unyank/acme/cpu@2.0.0", 409, "acme/cpu@2.0.0 is not yanked"),
        ("/undeprecate/acme/cpu", 409, "acme/cpu is not deprecated"),
        ("/deprecate/acme/nothing", 404, "There is no tag acme/nothing"),
        ("/deprecate/Acme", 400, "is not a tag"),
    ],
)
def test_inapplicable_action_is_refused(
    path: str, status: int, message: str, visit: Visitor
) -> None:
    page = visit(path)
    assert page.status == status
    assert message in page.text


@pytest.mark.usefixtures("owner")
def test_action_that_is_already_done_is_refused(alice: User, visit: Visitor) -> None:
    yank("acme/cpu@2.0.0")
    deprecate(alice)
    assert "acme/cpu@2.0.0 is already yanked" in visit("/yank/acme/cpu@2.0.0").text
    assert "acme/cpu is already deprecated" in visit("/deprecate/acme/cpu").text


def test_form_sent_twice_keeps_its_input(owner: Client) -> None:
    for _ in range(2):
        response = owner.post("/yank/acme/cpu@2.0.0", {"reason": "wrong figures"})
    assert response.status_code == 409
    assert "acme/cpu@2.0.0 is already yanked" in response.content.decode()
    assert "wrong figures" in response.content.decode()


@pytest.mark.usefixtures("owner")
def test_alias_redirects_to_its_tag(alice: User, visit: Visitor) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    assert visit("/yank/acme/CPU@2.0.0").response["Location"] == "/yank/acme/cpu@2.0.0"
    assert visit("/deprecate/acme/CPU").response["Location"] == "/deprecate/acme/cpu"


@pytest.mark.usefixtures("owner")
def test_query_count_is_constant(visit: Visitor) -> None:
    visit("/yank/acme/cpu@2.0.0")  # warms up the process
    expected = visit("/yank/acme/cpu@2.0.0").queries
    for number in range(20):
        publish(f"acme/more-{number}", {"tag": "acme/cpu", "num-cores": number + 9})
    page = visit("/yank/acme/cpu@2.0.0")
    assert page.queries == expected
    assert "12 more" in page.text
