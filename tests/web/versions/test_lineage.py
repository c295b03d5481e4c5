"""The page of a version's lineage."""

import re
from typing import Any

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import chain, publish, yank
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 1}


def drawn_versions(page: Page) -> list[str]:
    """Return the URLs of the drawing's boxes."""
    svg = re.search(r'<svg class="graph".*?</svg>', page.html, re.DOTALL)
    return re.findall(r'<a href="/tags/([^"]+)"', svg[0]) if svg else []


def listed_versions(page: Page) -> list[str]:
    """Return the URLs in the list, in order."""
    return re.findall(r'href="/tags/([^"]+)"', page.html.partition('class="lineage-tree"')[2])


@pytest.fixture
def diamond(acme: object) -> None:
    """Publish a box whose host and parent both depend on one CPU."""
    publish("acme/cpu", CPU)
    publish("acme/host", {"tag": "acme/cpu@1", "num-cores": 4})
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_90", "host": "acme/cpu"})
    publish("acme/box", {"tag": ["acme/gpu"], "host": "acme/host"})


DIAMOND = ["acme/box@1.0.0", "acme/gpu@1.0.0", "acme/host@1.0.0", "acme/cpu@1.0.0"]


@pytest.mark.usefixtures("diamond")
def test_versions_are_drawn_once_and_linked(visit: Visitor) -> None:
    page = visit("/lineage/acme/box")
    assert page.status == 200
    assert drawn_versions(page) == DIAMOND
    assert '<path class="line line-inherits"' in page.html
    assert '<path class="line line-composes"' in page.html


@pytest.mark.usefixtures("diamond")
def test_list_has_the_same_content_as_the_drawing(visit: Visitor) -> None:
    page = visit("/lineage/acme/box")
    assert listed_versions(page) == [*DIAMOND[:2], DIAMOND[3], DIAMOND[2], DIAMOND[3]]
    assert "inherits acme/gpu@1.0.0 cuda composes acme/cpu@1.0.0 llvm at /host" in page.text
    assert "composes acme/host@1.0.0 llvm at /host inherits acme/cpu@1.0.0" in page.text


@pytest.mark.usefixtures("diamond")
def test_uses_of_a_repeated_version_are_listed_once(visit: Visitor) -> None:
    publish("acme/rack", {"kind": "composite", "devices": {"a": "acme/box", "b": "acme/gpu"}})
    page = visit("/lineage/acme/rack")
    assert page.text.count("its uses are listed above") == 1
    assert len(drawn_versions(page)) == 5


@pytest.mark.usefixtures("diamond")
def test_number_of_pointers_is_limited(visit: Visitor) -> None:
    devices = {f"d{number}": "acme/cpu" for number in range(9)}
    publish("acme/rack", {"kind": "composite", "devices": devices})
    text = visit("/lineage/acme/rack").text
    assert "llvm at /devices/d0 , /devices/d1 , /devices/d2 and 6 more" in text


def test_version_without_dependencies_has_no_drawing(visit: Visitor) -> None:
    page = visit("/lineage/arm/soc")
    assert page.status == 200
    assert "arm/soc@1.0.0 was written from scratch" in page.text
    assert "<svg" not in page.html


@pytest.mark.usefixtures("diamond")
def test_yanked_ancestor_is_marked_in_drawing_and_list(visit: Visitor) -> None:
    yank("acme/cpu@1.0.0")
    page = visit("/lineage/acme/box")
    assert "1.0.0 llvm yanked" in page.text
    assert page.html.count('class="status status-yanked"') == 2


def test_lineage_of_32_versions_is_complete(visit: Visitor) -> None:
    page = visit(f"/lineage/{chain(32)}")
    assert len(drawn_versions(page)) == len(listed_versions(page)) == 32
    assert "More distant versions" not in page.text
    assert len(page.html) < 60_000


@pytest.fixture
def many(acme: object) -> str:
    """Publish a composite of sixty-two tags."""
    devices: dict[str, Any] = {}
    for number in range(62):
        publish(f"acme/part-{number}", CPU | {"num-cores": number + 1})
        devices[f"d{number}"] = f"acme/part-{number}"
    publish("acme/many", {"kind": "composite", "devices": devices})
    return "acme/many"


def test_nearest_versions_of_a_large_lineage_are_drawn_and_the_others_listed(
    visit: Visitor, many: str
) -> None:
    page = visit(f"/lineage/{many}")
    assert "The nearest 60 of 63 versions" in page.text
    assert len(drawn_versions(page)) == 60
    assert "The other 3 versions" in page.text
    tags = {f"acme/part-{number}@1.0.0" for number in range(62)}
    assert tags <= {*listed_versions(page)}  # includes the list of distant versions
    assert len(page.html) < 60_000


def test_long_names_are_truncated_only_in_boxes(visit: Visitor) -> None:
    name = f"acme/{'long-' * 30}name"
    publish(name, CPU)
    publish("acme/late", {"tag": name, "num-cores": 2})
    page = visit("/lineage/acme/late")
    assert ">acme/long-long-lo…long-name<" in page.html
    assert f"<title>{name}@1.0.0</title>" in page.html
    assert f"{name}@1.0.0" in listed_versions(page)


def test_json_is_linked(visit: Visitor) -> None:
    page = visit("/lineage/arm/soc:aot@1")
    assert (
        'rel="alternate" type="application/json" href="/api/v1/lineage/arm/soc:aot@1"' in page.html
    )
    assert "/api/v1/lineage/arm/soc:aot@1" in page.links
    assert '<link rel="canonical" href="http://testserver/lineage/arm/soc:aot">' in page.html


def test_alias_shows_its_tag(visit: Visitor, alice: User) -> None:
    publish("acme/cpu", CPU)
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu"), actor=Actor.operator(alice))
    assert "acme/CPU is an alias of acme/cpu" in visit("/lineage/acme/CPU").text


@pytest.mark.parametrize(
    ("text", "status"),
    [("arm/socc", 404), ("arm/soc@9", 404), ("arm", 400), ("arm/soc@x", 400)],
)
def test_unknown_or_invalid_reference_is_an_error(visit: Visitor, text: str, status: int) -> None:
    assert visit(f"/lineage/{text}").status == status


def test_post_is_405(client: Client) -> None:
    assert client.post("/lineage/arm/soc").status_code == 405


def test_query_count_is_constant(visit: Visitor, many: str) -> None:
    visit("/lineage/arm/soc")  # warms up the process
    expected = visit("/lineage/arm/soc").queries
    assert visit(f"/lineage/{many}").queries == visit(f"/lineage/{chain(9)}").queries == expected
