"""The list of namespaces, and the page of one."""

import html
import re
from urllib.parse import urlencode

import pytest

from registry.actions.namespaces import POLICY_DESCRIPTIONS
from registry.domain.reference import Tag as TagName
from registry.models import Namespace, Policy, Role, User
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from registry.services.tags import deprecation
from tests.publishing import publish, yank
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 4}


def test_every_namespace_is_listed_with_its_tags_and_has_a_page(visit: Visitor) -> None:
    index = visit("/namespaces/")
    assert index.status == 200
    for name in Namespace.objects.values_list("name", flat=True):
        assert f"/namespaces/{name}" in index.links
        assert f"/?namespace={name}" in index.links
        assert visit(f"/namespaces/{name}").status == 200
    assert "riscv RISC-V this registry RISC-V cores and boards. 6 tags of riscv" in index.text


def listed(visit: Visitor, query: str) -> list[str]:
    page = visit(f"/namespaces/?{query}")
    assert page.status == 200
    return re.findall(r'<th scope="row"><a class="name" href="/namespaces/([^"]+)"', page.html)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("RISC-V", ["riscv"]),
        ("riscv", ["riscv"]),
        ("risc boards", ["riscv"]),
        (" Amazon ", ["aws"]),
        ("MICROCONTROLLERS", ["arm"]),
        ("no-such-namespace", []),
        ("<script>", []),
        ("100%", []),
        ("_", []),
    ],
)
def test_namespaces_are_found_by_name_owner_and_description(
    visit: Visitor, text: str, names: list[str]
) -> None:
    assert listed(visit, urlencode({"q": text})) == names


def test_who_finds_no_namespace_is_led_on(visit: Visitor) -> None:
    page = visit("/namespaces/?q=initech")
    assert "No namespace has “initech”" in page.text
    assert "/?q=initech" in page.links
    assert "/namespace-requests/new?name=initech" in page.links
    assert "/api/v1/namespaces?q=initech" in page.links


def test_namespaces_with_most_tags_come_first_on_request(visit: Visitor) -> None:
    by_name, by_tags = listed(visit, ""), listed(visit, "sort=tags")
    assert by_name == sorted(by_name)
    assert sorted(by_tags) == by_name
    assert by_tags[0] == "nvidia"
    paged = visit("/namespaces/?sort=tags&limit=3")
    following = html.unescape(re.findall(r'rel="next" href="[^?]*\?([^"]+)"', paged.html)[0])
    assert listed(visit, "sort=tags&limit=3") + listed(visit, following) == by_tags[:6]


@pytest.mark.parametrize(("length", "status"), [(100, 200), (101, 400), (4001, 400)])
def test_text_is_searched_for_whole_or_refused(visit: Visitor, length: int, status: int) -> None:
    text = ("a " * length)[: length - 1] + "a"
    query = urlencode({"q": text})
    page = visit(f"/namespaces/?{query}")
    response = visit.client.get(f"/api/v1/namespaces?{query}")
    assert (page.status, response.status_code) == (status, status)
    if status != 200:
        assert "at most 100 characters" in page.text
        assert response.json()["code"] == "FILTER_INVALID"


@pytest.mark.parametrize("query", ["sort=size", "sort=-tags", "sort=<b>"])
def test_unknown_orders_are_refused(visit: Visitor, query: str) -> None:
    page = visit(f"/namespaces/?{query}")
    assert page.status == 400
    assert "expected one of" in page.text


def test_pages_of_the_list_contain_every_namespace_once(
    visit: Visitor, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "PAGE", 4)
    for number in range(5):
        namespaces.create_namespace(f"more-{number}", actor=Actor.operator(alice))
    names: list[str] = []
    path = "/namespaces/"
    while path:
        page = visit(path)
        names += re.findall(
            r'<th scope="row"><a class="name" href="/namespaces/([^"]+)"', page.html
        )
        next_link = re.search(r'rel="next" href="([^"]+)"', page.html)
        path = html.unescape(next_link[1]) if next_link else ""
    assert names == sorted(Namespace.objects.values_list("name", flat=True))


@pytest.mark.parametrize("cursor", ["", "nonsense", "%00", "x" * 3000])
def test_invalid_cursor_is_400(visit: Visitor, cursor: str) -> None:
    assert visit(f"/namespaces/?cursor={cursor}").status == 400


def test_namespace_without_members_says_who_keeps_it(visit: Visitor, acme: Namespace) -> None:
    text = "Maintained by this registry from public sources: nobody from"
    assert f"{text} NVIDIA takes part." in visit("/namespaces/nvidia").text
    assert text not in visit("/namespaces/acme").text


def test_namespace_lists_its_members(visit: Visitor, acme: Namespace, alice: User) -> None:
    members.grant_role(
        acme, User.objects.create_user("bob"), Role.MEMBER, actor=Actor.operator(alice)
    )
    page = visit("/namespaces/acme")
    assert re.search(r"Members alice owner bob member", page.text)
    assert "No tags published in acme yet. Submit the first" in page.text
    assert "/api/v1/namespaces/acme" in page.links
    assert 'rel="alternate" type="application/json" href="/api/v1/namespaces/acme"' in page.html


@pytest.mark.parametrize(
    ("policy", "members_publish"), [("members", 1), ("curators", 0), ("four-eyes", 0)]
)
def test_namespace_says_once_what_members_do(
    visit: Visitor, acme: Namespace, policy: str, members_publish: int
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=policy)
    page = visit("/namespaces/acme")
    sentences = f"{POLICY_DESCRIPTIONS[Policy(policy)]} Owners also manage members."
    assert page.text.count(sentences) == 1
    assert page.text.count("Members publish") == members_publish
    assert page.html.count('popovertarget="term-yank') == members_publish


def test_tags_are_listed_with_version_status_and_date(
    visit: Visitor, acme: Namespace, alice: User
) -> None:
    publish("acme/board", BOARD)
    publish("acme/gone", BOARD)
    publish("acme/old", {"kind": "llvm"})
    publish("acme/new", {"kind": "c"})
    yank("acme/gone@1.0.0")
    deprecation.deprecate(TagName.parse("acme/old"), reason="too old", actor=Actor.operator(alice))
    page = visit("/namespaces/acme")
    assert re.search(r"acme/board llvm 1\.0\.0 active \d{4}-\d\d-\d\d just now", page.text)
    assert "acme/gone {0} {0} ✕ yanked {0}".format("\N{EN DASH}") in page.text
    assert "acme/new c 1.0.0" in page.text
    assert "acme/old" not in page.text.partition("Recent")[0]
    assert "/?namespace=acme&amp;kind=c" in page.links


def test_first_fifty_tags_are_listed_with_a_link_to_all(visit: Visitor) -> None:
    page = visit("/namespaces/nvidia")
    tags = re.findall(
        r'<th scope="row" class="name"><input[^>]*> <a href="/tags/nvidia/', page.html
    )
    assert len(tags) == 50
    assert "All 246 tags of nvidia" in page.text
    assert "/?namespace=nvidia" in page.links


def test_recent_events_are_listed_newest_first(
    visit: Visitor, acme: Namespace, alice: User
) -> None:
    for number in range(15):
        publish(f"acme/board-{number}", BOARD, message=f"Board {number}")
    yank("acme/board-3@1.0.0", reason="wrong figures")
    activity = visit("/namespaces/acme").text.partition("Recent activity")[2]
    assert re.match(r" +✕ yanked acme/board-3@1\.0\.0 by alice .*?wrong figures", activity)
    assert activity.index("Board 14") < activity.index("Board 13")
    assert "Board 2 " not in activity


def test_website_is_linked_only_if_it_is_https(visit: Visitor, acme: Namespace) -> None:
    for url, is_linked in (("https://acme.example/x", True), ("javascript:alert(1)", False)):
        Namespace.objects.filter(pk=acme.pk).update(url=url)
        assert (url in visit("/namespaces/acme").links) == is_linked


def test_user_text_is_escaped(visit: Visitor, acme: Namespace) -> None:
    Namespace.objects.filter(pk=acme.pk).update(title="<b>A</b>", description="<script>1</script>")
    publish("acme/board", BOARD, message="<img src=x>")
    for path in ("/namespaces/", "/namespaces/acme"):
        page = visit(path)
        assert "&lt;b&gt;A&lt;/b&gt;" in page.html
        assert "<script>1" not in page.html
        assert "<img src=x>" not in page.html


@pytest.mark.parametrize(
    "name", ["nvidai", "NVIDIA", "nvidia/x", "a%00b", "%3Cscript%3E", "z" * 99]
)
def test_unknown_namespace_is_404_with_suggestions(visit: Visitor, name: str) -> None:
    page = visit(f"/namespaces/{name}")
    assert page.status == 404
    assert ("/namespaces/nvidia" in page.links) == name.lower().startswith("nvid")
    assert "<script>" not in page.html.partition("<body")[2]


def test_number_of_queries_does_not_grow(visit: Visitor, acme: Namespace, alice: User) -> None:
    publish("acme/first", BOARD)
    before = visit("/namespaces/"), visit("/namespaces/acme")
    for number in range(10):
        namespaces.create_namespace(f"more-{number}", actor=Actor.operator(alice))
        members.grant_role(
            acme, User.objects.create_user(f"u{number}"), Role.MEMBER, actor=Actor.operator(alice)
        )
        publish(f"acme/board-{number}", BOARD | {"num-cores": number + 1})
    yank("acme/board-3@1.0.0")
    after = visit("/namespaces/"), visit("/namespaces/acme")
    assert [page.queries for page in before] == [3, 15]
    assert [page.queries for page in after] == [3, 15]
