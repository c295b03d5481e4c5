"""The page that compares targets side by side."""

import re
from urllib.parse import urlencode

import pytest

from tests.publishing import chain, publish
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}
DASH = "\N{EN DASH}"
HARDWARE = {"vendor": "Acme", "memory_bytes": 4 << 30, "peak_ops_per_s": {"fp32": 10**12}}


def compare(visit: Visitor, *tags: str, **parameters: str) -> Page:
    return visit(f"/compare?{urlencode([*(('tag', tag) for tag in tags), *parameters.items()])}")


def columns(page: Page) -> list[str]:
    header = page.html.partition("<thead>")[2].partition("</thead>")[0]
    return re.findall(r'<a class="name" href="/tags/([^"]*)"', header)


@pytest.fixture
def boards(acme: object) -> None:
    """Publish two boards that differ in cores and memory."""
    publish("acme/small", BOARD | {"hardware": HARDWARE})
    facts = {"memory_bytes": 16 << 30, "sources": {"all": ["https://example.org/"]}}
    publish("acme/big", BOARD | {"num-cores": 16, "hardware": HARDWARE | facts})


@pytest.mark.usefixtures("boards")
def test_values_are_grouped_by_topic(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big")
    assert page.status == 200
    assert columns(page) == ["acme/small", "acme/big"]
    titles = ("Identity", "Code generation", "Tuning limits", "Hardware facts")
    assert [*titles] == sorted(titles, key=page.text.index)
    for row in (
        "Identity kind llvm llvm Code generation mcpu haswell haswell",
        "≠ differs: num-cores 4 cores 16 cores",
        "≠ differs: Memory 4 GiB 4294967296 16 GiB 17179869184",
        "Vendor Acme Acme",
        "Peak ops fp32 1 Top/s 1000000000000 1 Top/s 1000000000000",
    ):
        assert row in page.text
    assert "example.org" not in page.text


def test_each_number_of_a_list_has_its_unit(visit: Visitor) -> None:
    for name, options in (("small", [4 << 30, 8 << 30]), ("big", [8 << 30, 16 << 30])):
        publish(f"acme/{name}", BOARD | {"hardware": HARDWARE | {"memory_options_bytes": options}})
    page = compare(visit, "acme/small", "acme/big")
    assert "Memory options 4 GiB, 8 GiB 8 GiB, 16 GiB" in page.text
    assert str(8 << 30) not in page.text


@pytest.mark.usefixtures("boards")
def test_differing_quantities_have_bars(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big")
    assert re.findall(r'<rect width="(\d+)"', page.html) == ["25", "100", "25", "100"]
    assert "style=" not in page.html


@pytest.mark.usefixtures("boards")
def test_equal_tuning_keys_are_shown(visit: Visitor) -> None:
    publish("acme/twin", BOARD)
    text = compare(visit, "acme/small", "acme/twin").text
    assert re.search(r"limits Tuning key (\w{12}) \1 ", text)


@pytest.mark.usefixtures("boards")
def test_only_differences_is_a_query_parameter(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big", only="differences")
    assert "num-cores" in page.text
    assert "mcpu" not in page.text
    assert "/compare?tag=acme%2Fsmall&amp;tag=acme%2Fbig" in page.links
    assert '<input type="hidden" name="only" value="differences">' in page.html
    page = compare(visit, "acme/small", "acme/big")
    assert "/compare?tag=acme%2Fsmall&amp;tag=acme%2Fbig&amp;only=differences" in page.links


def test_equal_targets_are_reported(visit: Visitor) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    text = compare(visit, "acme/a", "acme/b", only="differences").text
    assert "All values are equal." in text
    assert "Add a tag to compare" in compare(visit, "acme/a", only="differences").text


@pytest.mark.usefixtures("boards")
def test_columns_can_be_removed_and_added(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big", "arm/soc")
    assert "/compare?tag=acme%2Fbig&amp;tag=arm%2Fsoc" in page.links
    assert "/compare?tag=acme%2Fsmall&amp;tag=arm%2Fsoc" in page.links
    inputs = re.findall(r'<input type="hidden" name="tag" value="([^"]*)"', page.html)
    assert inputs == ["acme/small", "acme/big", "arm/soc"]
    assert '<input id="another" name="tag"' in page.html
    assert "/diff/acme/small...arm/soc" in page.links
    page = compare(visit, "acme/small", "acme/big", "arm/soc", "arm/soc:aot", "micro/aot")
    assert 'name="tag"' not in page.html.partition("<main")[2]


def test_nodes_of_at_least_two_targets_are_compared(visit: Visitor) -> None:
    publish("acme/a", {"kind": "composite", "devices": {"cpu": BOARD, "gpu": "cuda"}})
    publish("acme/b", {"kind": "composite", "devices": {"cpu": BOARD | {"num-cores": 8}}})
    text = compare(visit, "acme/a", "acme/b").text
    assert "/devices/cpu Identity kind llvm llvm" in text
    assert "differs: num-cores 4 cores 8 cores" in text
    assert f"Nodes of only one target ≠ differs: /devices/gpu cuda {DASH} not stated" in text
    assert "/devices/gpu" in compare(visit, "acme/a").text


def test_mixins_can_be_compared_and_missing_values_are_marked(visit: Visitor) -> None:
    text = compare(visit, "micro/aot", "arm/soc").text
    assert f"differs: kind {DASH} not stated c" in text
    assert "mixin: a patch for other targets" in text


def test_duplicate_tags_are_shown_once(visit: Visitor) -> None:
    page = compare(visit, "arm/soc", "arm/soc", "arm/soc:aot", "arm/soc@1.0.0")
    assert columns(page) == ["arm/soc", "arm/soc:aot"]
    assert "which is shown once" in page.text
    assert "/compare?tag=arm%2Fsoc%3Aaot" in page.links


def test_columns_link_to_their_json(visit: Visitor) -> None:
    page = compare(visit, "arm/soc", "micro/aot@1")
    for tag in ("arm/soc", "micro/aot@1"):
        assert f"/api/v1/resolve/{tag}" in page.links
        assert f'rel="alternate" type="application/json" href="/api/v1/resolve/{tag}"' in page.html


def test_page_without_tags_is_a_form(visit: Visitor) -> None:
    for path in ("/compare", "/compare?tag=&tag=+"):
        page = visit(path)
        assert page.status == 200
        assert page.html.count('name="tag"') == 2


def test_six_tags_are_too_many(visit: Visitor) -> None:
    tags = [f"acme/t{number}" for number in range(6)]
    page = compare(visit, *tags, only="differences")
    assert page.status == 400
    assert "6 tags do not fit side by side: at most 5" in page.text
    query = urlencode([*(("tag", tag) for tag in tags[1:]), ("only", "differences")])
    assert f"/compare?{query}".replace("&", "&amp;") in page.links
    assert page.text.count("Remove acme/t") == 6
    assert len(compare(visit, *(f"acme/t{number}" for number in range(900))).html) < 40_000


@pytest.mark.parametrize(
    ("invalid", "status"), [("arm/socc", 404), ("arm/soc@9", 404), ("X<i>", 400)]
)
def test_invalid_tag_is_marked_and_the_others_are_kept(
    visit: Visitor, invalid: str, status: int
) -> None:
    page = compare(visit, "micro/aot", invalid)
    assert page.status == status
    assert page.html.count('aria-invalid="true"') == 1
    assert 'value="micro/aot"' in page.html
    assert "<i>" not in page.html


def test_suggestions_link_to_the_comparison(visit: Visitor) -> None:
    page = compare(visit, "micro/aot", "arm/socc", "arm/soc@9")
    assert "/compare?tag=micro%2Faot&amp;tag=arm%2Fsoc&amp;tag=arm%2Fsoc%409" in page.links
    assert page.html.count('aria-invalid="true"') == 2


def test_unknown_filter_names_the_expected_value(visit: Visitor) -> None:
    page = compare(visit, "arm/soc", only="everything")
    assert page.status == 400
    assert "only=everything is not valid: expected differences." in page.text
    assert 'value="arm/soc"' in page.html


def test_number_of_rows_is_limited(visit: Visitor) -> None:
    for name in ("a", "b", "c", "d", "e"):
        devices = {
            f"d{number}": BOARD | {"model": name, "num-cores": number + 1} for number in range(150)
        }
        publish(f"acme/{name}", {"kind": "composite", "devices": devices})
    page = compare(visit, *(f"acme/{name}" for name in "abcde"))
    assert re.search(r"The first \d+ of 90\d rows", page.text)
    assert len(page.html) < 75_000  # and 20 KB of style and script


def test_query_count_is_three_for_any_number_of_tags(visit: Visitor) -> None:
    all_tags = ("arm/soc", "micro/aot", "nvidia/jetson-nano", "aws/c4.4xlarge", chain(4))
    for tags in (all_tags[:1], all_tags):
        compare(visit, *tags)
        assert compare(visit, *tags).queries == 3
