"""What holds for the pages of all actions."""

from urllib.parse import unquote

import pytest

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import row_counts, yank
from tests.web.actions import deprecate
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cpu_with_dependents")]

PAGES = (
    "/yank/acme/cpu@2.0.0",
    "/unyank/acme/cpu@2.0.0",
    "/deprecate/acme/cpu",
    "/undeprecate/acme/cpu",
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


@pytest.mark.usefixtures("owner")
def test_alias_redirects_to_its_tag(alice: User, visit: Visitor) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    assert visit("/yank/acme/CPU@2.0.0").response["Location"] == "/yank/acme/cpu@2.0.0"
    assert visit("/deprecate/acme/CPU").response["Location"] == "/deprecate/acme/cpu"
