"""The README on the page of a namespace, its revisions, and the form that writes it."""

from typing import Any

import pytest
from django.test import Client

from registry.models import Event, Namespace, Readme, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import readmes
from tests.forms import hidden_value
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

FORM = "/manage/acme/readme"
LONG = "\n\n".join(f"paragraph {number}" for number in range(60))
OVERRIDE = "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe"


@pytest.fixture
def written(acme: Namespace, alice: User) -> None:
    """Write two revisions."""
    for seen, text in enumerate(("# Boards\n\nof <b>Acme</b>", "# Boards\n\nand chips")):
        readmes.write(acme, text=text, seen=seen, actor=Actor.operator(alice))


def html_of(response: Any) -> str:
    html: str = response.content.decode()
    return html


def test_readme_is_below_the_facts(visit: Visitor, written: None) -> None:
    page = visit("/namespaces/acme")
    assert "<h3>Boards</h3>\n<p>and chips</p>" in page.html
    assert page.html.index("</header>") < page.html.index('id="readme"')
    assert page.html.index('id="readme"') < page.html.index('id="members"')
    assert "/namespaces/acme/readme/" in page.links
    assert FORM not in page.links
    assert "<details>" not in page.html.partition("<main ")[2]


def test_long_readme_is_folded_without_script(visit: Visitor, acme: Namespace, alice: User) -> None:
    readmes.write(acme, text=LONG, seen=0, actor=Actor.operator(alice))
    page = visit("/namespaces/acme")
    before, _, after = page.html.partition("<details><summary>Show the rest</summary>")
    assert "paragraph 1<" in before
    assert "paragraph 59<" in after


def test_namespace_without_a_readme_says_nothing_of_it(visit: Visitor, acme: Namespace) -> None:
    assert "README" not in visit("/namespaces/acme").text
    page = visit("/namespaces/acme/readme/")
    assert (page.status, "acme has no README." in page.text) == (200, True)


def test_removed_readme_is_not_shown(
    visit: Visitor, acme: Namespace, alice: User, written: None
) -> None:
    readmes.write(acme, text="", seen=2, actor=Actor.operator(alice))
    assert "README" not in visit("/namespaces/acme").text
    assert "This revision removed the README." in visit("/namespaces/acme/readme/3").text


def test_each_revision_and_each_change_has_a_page(visit: Visitor, written: None) -> None:
    revisions = visit("/namespaces/acme/readme/")
    assert revisions.links.index("/namespaces/acme/readme/2") < revisions.links.index(
        "/namespaces/acme/readme/1"
    )
    first = visit("/namespaces/acme/readme/1")
    assert "<p>of &lt;b&gt;Acme&lt;/b&gt;</p>" in first.html  # as shown
    assert "# Boards of <b>Acme</b>" in first.text  # as written
    assert "/namespaces/acme/readme/1...2" in first.links
    assert "The newest revision of the README" in visit("/namespaces/acme/readme/2").text
    changes = visit("/namespaces/acme/readme/1...2").html
    assert "of &lt;b&gt;Acme&lt;/b&gt;</del><ins>+ and chips</ins>" in changes
    same = visit("/namespaces/acme/readme/1...1").text
    assert "Both revisions have the same text." in same


@pytest.mark.parametrize("path", ["0", "3", "9" * 30, "1...3", "3...1", f"1...{'9' * 30}", "x"])
def test_unknown_revisions_are_not_found(visit: Visitor, written: None, path: str) -> None:
    assert visit(f"/namespaces/acme/readme/{path}").status == 404


@pytest.mark.parametrize("path", ["readme/", "readme/1", "readme/1...1"])
def test_unknown_namespace_is_not_found(visit: Visitor, db: None, path: str) -> None:
    assert visit(f"/namespaces/acne/{path}").status == 404


def test_owner_writes_it_and_reads_it(owner: Client, visit: Visitor, acme: Namespace) -> None:
    assert FORM in visit("/namespaces/acme").links
    assert FORM in visit("/manage/acme").links
    response = owner.post(FORM, {"text": "# Hi\r\n", "seen": "0"}, follow=True)
    assert response.redirect_chain == [("/namespaces/acme", 302)]
    assert "<h3>Hi</h3>" in html_of(response)
    assert "# Hi" in visit(FORM).html
    response = owner.post(FORM, {"text": "", "seen": "1"}, follow=True)
    assert "acme has no README any more." in html_of(response)


def test_preview_writes_nothing(owner: Client, acme: Namespace) -> None:
    events = Event.objects.count()
    response = owner.post(FORM, {"text": "## <i>Hi</i>", "seen": "0", "preview": "1"})
    assert response.status_code == 200
    assert "<h3>&lt;i&gt;Hi&lt;/i&gt;</h3>" in html_of(response)
    assert "## &lt;i&gt;Hi&lt;/i&gt;</textarea>" in html_of(response)
    assert Event.objects.count() == events


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (OVERRIDE, "U+202E is not allowed here"),
        ("&#x202e;", "an entity from line 1 on: U+202E is not allowed here"),
        ("> " * 9, "line 1 is nested too deeply"),
        ("x" * 300_000, "300000 characters are too many"),
    ],
)
@pytest.mark.parametrize("button", [{}, {"preview": "1"}])
def test_hostile_text_stays_in_the_form(
    owner: Client, acme: Namespace, text: str, problem: str, button: dict[str, str]
) -> None:
    response = owner.post(FORM, {"text": text, "seen": "0", **button})
    assert response.status_code == 400
    assert problem in html_of(response)
    assert html_of(response).count(problem) == 2  # at the field and in the summary
    assert 'id="preview"' not in html_of(response)
    assert not Readme.objects.exists()


def test_conflict_shows_what_others_wrote_and_loses_nothing(owner: Client, written: None) -> None:
    response = owner.post(FORM, {"text": "# Boards\n\nof mine", "seen": "1"})
    assert response.status_code == 412
    html = html_of(response)
    assert "and chips</del><ins>+ of mine</ins>" in html
    assert "/namespaces/acme/readme/2" in html
    assert "of mine</textarea>" in html
    seen = hidden_value(html, "seen")
    assert seen == "2"
    assert Readme.objects.count() == 2
    assert owner.post(FORM, {"text": "of mine", "seen": seen}).status_code == 302


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 30])
def test_form_without_its_revision_writes_nothing(owner: Client, written: None, seen: str) -> None:
    response = owner.post(FORM, {"text": "of mine", "seen": seen})
    assert response.status_code == 400
    assert "This form is incomplete. Reload the page and try again." in html_of(response)
    assert Readme.objects.count() == 2


def test_nothing_to_remove_is_said(owner: Client, acme: Namespace) -> None:
    response = owner.post(FORM, {"text": " \n", "seen": "0"})
    assert response.status_code == 404
    assert "acme has no README." in html_of(response)


def test_queries_do_not_grow_with_revisions(
    visit: Visitor, acme: Namespace, alice: User, written: None
) -> None:
    paths = ("/namespaces/acme", "/namespaces/acme/readme/", "/namespaces/acme/readme/2")
    before = [visit(path).queries for path in paths]
    for seen in range(2, 8):
        readmes.write(acme, text=f"{LONG} {seen}", seen=seen, actor=Actor.operator(alice))
    assert [visit(path).queries for path in paths] == before
    assert before == [12, 2, 3]
    assert visit("/namespaces/acme/readme/1...2").queries == 3
