"""Lints on the page of a tag, and their number in lists."""

import re

import pytest

from registry.domain.reference import Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.versions import families
from registry.web.tags import tag
from tests.publishing import WITHOUT_LINTS, publish
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BAD = WITHOUT_LINTS | {"mcpu": "hasvell", "mattr": ["+neon"]}


def section(page: Page) -> str:
    markup = page.html.partition('<h2 id="lints">')[2].partition("</section>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def row(page: Page, tag: str) -> str:
    rows = re.findall(r"<tr>.*?</tr>", page.html, re.DOTALL)
    return " ".join(
        re.sub(r"<[^>]*>", " ", next(row for row in rows if f">{tag}</a>" in row)).split()
    )


def test_a_tag_without_lints_has_no_section(visit: Visitor) -> None:
    publish("acme/good", WITHOUT_LINTS)
    page = visit("/tags/acme/good")
    assert 'id="lints"' not in page.html
    assert "#lints" not in page.html


def test_each_lint_has_code_pointer_message_and_near_names(visit: Visitor) -> None:
    publish("acme/bad", BAD)
    page = visit("/tags/acme/bad")
    text = section(page)
    assert "LLVM 22 does not know the processor hasvell for x86_64." in text
    assert "At /mcpu , MCPU_UNKNOWN" in text
    assert "Expected: a processor by LLVM&#x27;s name. Suggested: haswell" in text
    assert "At /mattr/0 , MATTR_FOREIGN" in text
    assert "/docs/api/codes#MATTR_FOREIGN" in page.links
    assert re.search(r'href="#lints">.*?</span> 2</a>', page.html)


def test_equal_lints_of_devices_are_one_entry_with_their_pointers(visit: Visitor) -> None:
    devices = {"a": BAD, "b": BAD | {"mattr": []}, "c": WITHOUT_LINTS}
    publish("acme/bad", {"kind": "composite", "devices": devices})
    page = visit("/tags/acme/bad")
    text = section(page)
    assert text.count("LLVM 22 does not know the processor hasvell") == 1
    assert "At /devices/a/mcpu , /devices/b/mcpu , MCPU_UNKNOWN" in text
    assert "At /devices/a/mattr/0 , MATTR_FOREIGN" in text
    assert re.search(r'href="#lints">.*?</span> 3</a>', page.html)


def test_the_first_pointers_of_a_lint_are_listed_with_their_number(visit: Visitor) -> None:
    devices = {f"d{index}": WITHOUT_LINTS | {"mcpu": "hasvell"} for index in range(8)}
    publish("acme/bad", {"kind": "composite", "devices": devices})
    text = section(visit("/tags/acme/bad"))
    assert "/devices/d5/mcpu , the first 6 of 8, MCPU_UNKNOWN" in text
    assert "/devices/d6" not in text


def test_identical_targets_are_linked(visit: Visitor) -> None:
    publish("acme/good", WITHOUT_LINTS)
    publish("acme/same", WITHOUT_LINTS)
    page = visit("/tags/acme/same")
    assert "TWIN" in section(page)
    assert "/tags/acme/good" in page.links


@pytest.mark.parametrize(
    "path", ["/?namespace=acme&view=maintainer", "/?q=acme&view=maintainer", "/namespaces/acme"]
)
def test_lists_count_the_lints_of_the_newest_version(path: str, visit: Visitor) -> None:
    publish("acme/bad", WITHOUT_LINTS)
    publish("acme/bad", BAD)
    publish("acme/good", BAD)
    publish("acme/good", WITHOUT_LINTS)
    publish("acme/one", WITHOUT_LINTS | {"mcpu": "hasvell"})
    page = visit(path)
    assert "active ▲ 2 lints" in row(page, "acme/bad")
    assert "active ▲ 1 lint " in row(page, "acme/one")
    assert "lint" not in row(page, "acme/good")


def test_versions_count_their_own_lints(visit: Visitor) -> None:
    publish("acme/bad", BAD)
    publish("acme/bad", WITHOUT_LINTS)
    page = visit("/versions/acme/bad")
    rows = re.findall(r"<tr.*?</tr>", page.html, re.DOTALL)
    counts = [re.findall(r"(\d+) lints?", row) for row in rows[1:]]
    assert counts == [[], ["2"]]


def test_the_number_of_lints_takes_no_query(visit: Visitor) -> None:
    publish("acme/good", WITHOUT_LINTS)
    before = visit("/?namespace=acme").queries
    for number in range(3):
        publish(f"acme/bad-{number}", BAD | {"num-cores": number + 1})
    assert visit("/?namespace=acme").queries == before


def test_a_family_says_so(visit: Visitor, alice: User) -> None:
    publish("acme/board", WITHOUT_LINTS)
    assert "describes several machines" not in visit("/tags/acme/board").text
    families.set_family(Tag.parse("acme/board"), is_family=True, actor=Actor.operator(alice))
    assert "Family describes several machines" in visit("/tags/acme/board").text


@pytest.mark.parametrize(("limit", "is_said"), [(3, False), (2, True)])
def test_a_list_that_may_go_on_says_so(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch, limit: int, is_said: bool
) -> None:
    monkeypatch.setattr(tag, "MAX_LINTS", limit)
    publish("acme/bad", BAD)
    page = visit("/tags/acme/bad")
    assert ("No more than these are looked for; there may be others." in page.text) is is_said
    assert (">▲</span> 2+</a>" in page.html) is is_said
