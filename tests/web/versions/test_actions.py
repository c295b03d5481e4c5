"""The pages that yank and unyank."""

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import publish, yank
from tests.web.actions import warnings
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cpu_with_dependents")]


@pytest.mark.usefixtures("owner")
def test_yank_page_shows_the_impact(visit: Visitor) -> None:
    text = visit("/yank/acme/cpu@2.0.0").text
    assert "acme/cpu would resolve to acme/cpu@1.0.0 used by 1 tag" in text
    assert "acme/cpu@2 would no longer resolve used by 1 tag" in text
    assert "2 tags depend on it and would show a warning: acme/board , acme/strict" in text


@pytest.mark.usefixtures("owner")
def test_yank_of_the_last_version_warns(visit: Visitor) -> None:
    warning = "This is the last version that is not yanked. acme/cpu would no longer resolve"
    assert warning not in visit("/yank/acme/cpu@2.0.0").text
    yank("acme/cpu@1.0.0")
    assert warning in visit("/yank/acme/cpu@2.0.0").text


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
    assert "Yanked by alice , " in page.text
    assert "just now</span>: wrong figures" in page.html
    owner.post("/unyank/acme/cpu@2.0.0", {"reason": "right after all"})
    assert warnings("acme/cpu@2.0.0") == []


def test_markup_in_a_reason_is_escaped(owner: Client) -> None:
    script = "<script>alert(1)</script>"
    owner.post("/yank/acme/cpu@2.0.0", {"reason": script})
    for path in ("/tags/acme/cpu@2.0.0", "/versions/acme/cpu", "/unyank/acme/cpu@2.0.0"):
        page = owner.get(path).content.decode()
        assert script not in page
        assert "&lt;script&gt;alert(1)" in page


def test_form_sent_twice_keeps_its_input(owner: Client) -> None:
    for _ in range(2):
        response = owner.post("/yank/acme/cpu@2.0.0", {"reason": "wrong figures"})
    assert response.status_code == 409
    assert "acme/cpu@2.0.0 is already yanked" in response.content.decode()
    assert "wrong figures" in response.content.decode()


@pytest.mark.usefixtures("owner")
def test_query_count_is_constant(visit: Visitor) -> None:
    visit("/yank/acme/cpu@2.0.0")  # warms up the process
    expected = visit("/yank/acme/cpu@2.0.0").queries
    for number in range(20):
        publish(f"acme/more-{number}", {"tag": "acme/cpu", "num-cores": number + 9})
    page = visit("/yank/acme/cpu@2.0.0")
    assert page.queries == expected
    assert "12 more" in page.text
