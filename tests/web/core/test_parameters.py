"""Pages say which parameters they did not understand, and take all that they read."""

import re
from typing import Any, ClassVar

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import QueryDict
from django.test import Client
from django.urls import resolve
from django.utils.datastructures import MultiValueDict

from registry.models import User
from registry.web.core.parameters import TRACKING, parameters_of
from registry.web.urls import urlpatterns
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

NOTICE = "This page has no parameter"
# A path of each page that takes parameters, and of some that take none.
PATHS = {
    "/": "q=rtx&kind=cuda",
    "/tags/": "namespace=nvidia&sort=used",
    "/compare": "tag=nvidia/jetson-nano&only=differences",
    "/runs-on": "built_for=nvidia/jetson-nano&machine=nvidia/jetson-nano",
    "/runs-on/nvidia/jetson-nano": "direction=targets",
    "/diff/": "",
    "/namespaces/": "limit=2&q=arm&sort=tags",
    "/namespaces/nvidia": "",
    "/namespaces/nvidia/readme/": "limit=1",
    "/namespace-requests/new": "name=acme",
    "/docs/": "q=tuning",
    "/docs/about": "",
    "/kinds/": "",
    "/kinds/cuda": "option=arch",
    "/submit": "tag=acme/board&start_from=kind&kind=llvm",
    "/report/nvidia/jetson-nano": "fact=vendor",
    "/proposals/": "state=all&namespace=nvidia",
    "/tags/nvidia/jetson-nano": "take=curl",
    "/resolved/nvidia/jetson-nano": "node=/host",
    "/composition/nvidia/jetson-nano": "node=/host",
    "/formats/nvidia/jetson-nano": "node=/host",
    "/lineage/nvidia/jetson-nano": "",
    "/used-by/nvidia/jetson-nano": "versions=all",
    "/versions/nvidia/jetson-nano": "limit=1",
    "/users/catalogue": "limit=1",
    "/me/recovery-key": "next=/submit",
    "/events": "namespace=nvidia",
    "/catalogue": "",
    "/problems": "",
}


class Recorder(QueryDict):
    """A query that records which parameters are read one by one."""

    read: ClassVar[set[str]] = set()

    def get(self, key: Any, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)

    def getlist(self, key: Any, default: Any = None) -> Any:
        self.read.add(key)
        return super().getlist(key, default)

    def __contains__(self, key: Any) -> bool:
        self.read.add(key)
        return MultiValueDict.__contains__(self, key)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Record the parameters that views read."""
    names: set[str] = set()

    def recorded(request: WSGIRequest) -> QueryDict:
        return Recorder(request.META.get("QUERY_STRING", ""))

    monkeypatch.setattr(Recorder, "read", names)
    monkeypatch.setattr(WSGIRequest, "GET", property(recorded, lambda *_: None))
    return names


@pytest.mark.parametrize(("path", "query"), PATHS.items())
def test_pages_declare_each_parameter_that_they_read(
    client: Client, alice: User, read: set[str], path: str, query: str
) -> None:
    client.force_login(alice)
    assert client.get(f"{path}?{query}").status_code == 200
    of_forms = {"do", "face", "of", "looked", "how"}  # those of release 0.1 are renamed in queries
    assert read - of_forms <= parameters_of(resolve(path).func)


@pytest.mark.parametrize(("path", "query"), PATHS.items())
def test_declared_parameters_are_no_reason_for_a_notice(
    client: Client, alice: User, path: str, query: str
) -> None:
    client.force_login(alice)
    assert NOTICE not in client.get(f"{path}?{query}").content.decode()


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_parameter_is_named_and_the_page_remains(
    client: Client, alice: User, path: str
) -> None:
    client.force_login(alice)
    plain, answer = client.get(path), client.get(f"{path}?catgory=gpu")
    assert answer.status_code == plain.status_code == 200
    assert f'{NOTICE} <b class="name">catgory</b>' in answer.content.decode()
    assert NOTICE not in plain.content.decode()
    heading = re.compile(r"<h1[^>]*>.*?</h1>", re.DOTALL)
    assert heading.findall(answer.content.decode()) == heading.findall(plain.content.decode())


def test_every_page_with_parameters_is_tried() -> None:
    tried = {resolve(path).func for path in PATHS}
    private = {"manage-namespace", "rebase", "proposal", "proposal-action"}  # of rows
    files = {"tags-csv", "suggestions"}
    for pattern in urlpatterns:
        if parameters_of(pattern.callback) and pattern.name not in private | files:
            assert pattern.callback in tried, pattern.name


def test_a_misspelt_parameter_is_suggested_with_its_value(visit: Visitor) -> None:
    page = visit("/tags/?vendr=NVIDIA&kind=cuda")
    assert "Did you mean vendor" in page.text
    assert "/tags/?kind=cuda&amp;vendor=NVIDIA" in page.links
    assert "/tags/?kind=cuda" in page.links
    assert "nvidia/jetson-nano" in page.text, "the list is there"


@pytest.mark.parametrize(
    "query", ["utm_source=news", "utm_campaign=a&utm_medium=b", "gclid=1", "fbclid=2", "ref=x"]
)
def test_what_trackers_add_is_left_alone(visit: Visitor, query: str) -> None:
    assert NOTICE not in visit(f"/tags/?{query}").text
    assert visit.client.get(f"/tags.csv?{query}").status_code == 200


@pytest.mark.parametrize("name", ["utm", "reference", "q", "namespace", "sid", "refresh", "site"])
def test_names_that_only_look_like_trackers_are_parameters(name: str) -> None:
    assert not TRACKING.fullmatch(name)


def test_a_file_refuses_what_it_cannot_say(visit: Visitor) -> None:
    """A program that asks for the GPUs must not get everything."""
    page = visit("/tags.csv?category=gpu")
    assert page.status == 400
    assert "there is no parameter category" in page.text
    assert visit.client.get("/tags.csv?namespace=nvidia").status_code == 200


@pytest.mark.parametrize("path", ["/feed.atom", "/badges/nvidia/jetson-nano.svg", "/robots.txt"])
def test_files_without_parameters_take_any(visit: Visitor, path: str) -> None:
    assert visit(f"{path}?v=2").status == 200


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("/kinds/cuda?option=arch&option=keys", "option", "keys"),
        ("/namespaces/?q=nvidia&q=amd", "q", "amd"),
        ("/docs/?q=tuning&q=keys", "q", "keys"),
        ("/resolved/nvidia/jetson-nano?node=/host&node=", "node", ""),
        ("/used-by/nvidia/jetson-nano?versions=all&versions=", "versions", ""),
        ("/proposals/?state=open&state=all", "state", "all"),
        ("/runs-on?driver=450&driver=570", "driver", "570"),
        ("/runs-on/nvidia/jetson-nano?verdict=no&verdict=yes", "verdict", "yes"),
    ],
)
def test_of_a_repeated_parameter_the_page_names_the_value_that_it_reads(
    visit: Visitor, path: str, name: str, value: str
) -> None:
    page = visit(path)
    assert page.status == 200
    assert f"The page takes {name} once. Of several, only the last is read: {value}" in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/compare?tag=nvidia/jetson-nano&tag=nvidia/jetson-nano:cuda",
        "/tags/?where=num-cores%3E1&where=num-cores%3C9&column=cores&column=memory",
        "/runs-on?ships=cubin&ships=ptx",
        "/runs-on/nvidia/jetson-nano?where=num-cores%3E1&where=num-cores%3C9",
        "/catalogue?utm_source=a&utm_source=b",
    ],
)
def test_what_may_be_repeated_needs_no_notice(visit: Visitor, path: str) -> None:
    assert "Of several" not in visit(path).text


@pytest.mark.parametrize("path", ["/tags/?q=a&q=b", "/tags.csv?q=a&q=b", "/suggestions?q=a&q=b"])
def test_lists_and_files_refuse_a_repeated_parameter(visit: Visitor, path: str) -> None:
    page = visit(path)
    assert page.status == 400
    assert "q is repeated" in page.text
    assert "Of several" not in page.text


def test_names_are_text_and_few(visit: Visitor) -> None:
    query = "&".join(f"x{number}=1" for number in range(50))
    page = visit(f"/catalogue?<script>=1&{'y' * 500}=1&{query}")
    assert "<script>=" not in page.html
    assert page.text.count(NOTICE) == 5
    assert "y" * 100 not in page.text


def test_pages_of_other_applications_are_left_alone(visit: Visitor) -> None:
    assert NOTICE not in visit("/accounts/login/?next=/me&anything=1").text
