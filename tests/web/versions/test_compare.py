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


def compare(visit: Visitor, *tags: str, **more: str) -> Page:
    return visit(f"/compare?{urlencode([*(('tag', tag) for tag in tags), *more.items()])}")


def heads(page: Page) -> list[str]:
    head = page.html.partition("<thead>")[2].partition("</thead>")[0]
    return re.findall(r'<a class="name" href="/tags/([^"]*)"', head)


@pytest.fixture
def boards(acme: object) -> None:
    """Publish two boards that differ in cores and memory."""
    publish("acme/small", BOARD | {"hardware": HARDWARE})
    more = {"memory_bytes": 16 << 30, "sources": ["https://example.org/"]}
    publish("acme/big", BOARD | {"num-cores": 16, "hardware": HARDWARE | more})


@pytest.mark.usefixtures("boards")
def test_values_stand_beside_each_other_in_groups(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big")
    assert page.status == 200
    assert heads(page) == ["acme/small", "acme/big"]
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


@pytest.mark.usefixtures("boards")
def test_bars_stand_where_quantities_differ(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big")
    assert re.findall(r'<rect width="(\d+)"', page.html) == ["25", "100", "25", "100"]
    assert "style=" not in page.html


@pytest.mark.usefixtures("boards")
def test_equal_tuning_keys_are_seen(visit: Visitor) -> None:
    publish("acme/twin", BOARD)
    text = compare(visit, "acme/small", "acme/twin").text
    assert re.search(r"limits Tuning key (\w{12}) \1 ", text)


@pytest.mark.usefixtures("boards")
def test_differences_only_stand_in_the_url(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big", only="differences")
    assert "num-cores" in page.text
    assert "mcpu" not in page.text
    assert "/compare?tag=acme%2Fsmall&amp;tag=acme%2Fbig" in page.links
    assert '<input type="hidden" name="only" value="differences">' in page.html
    full = compare(visit, "acme/small", "acme/big")
    assert "/compare?tag=acme%2Fsmall&amp;tag=acme%2Fbig&amp;only=differences" in full.links


def test_what_does_not_differ_says_so(visit: Visitor) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", BOARD)
    assert (
        "do not differ in any value" in compare(visit, "acme/a", "acme/b", only="differences").text
    )
    assert "add a tag" in compare(visit, "acme/a", only="differences").text


@pytest.mark.usefixtures("boards")
def test_each_column_can_be_removed_and_one_added(visit: Visitor) -> None:
    page = compare(visit, "acme/small", "acme/big", "arm/soc")
    assert "/compare?tag=acme%2Fbig&amp;tag=arm%2Fsoc" in page.links
    assert "/compare?tag=acme%2Fsmall&amp;tag=arm%2Fsoc" in page.links
    kept = re.findall(r'<input type="hidden" name="tag" value="([^"]*)"', page.html)
    assert kept == ["acme/small", "acme/big", "arm/soc"]
    assert '<input id="another" name="tag"' in page.html
    assert "/diff/acme/small...arm/soc" in page.links
    assert (
        'name="tag"'
        not in compare(
            visit, "acme/small", "acme/big", "arm/soc", "arm/soc:aot", "micro/aot"
        ).html.partition("<main")[2]
    )


def test_nodes_are_compared_where_two_have_them(visit: Visitor) -> None:
    publish("acme/a", {"kind": "composite", "devices": {"cpu": BOARD, "gpu": "cuda"}})
    publish("acme/b", {"kind": "composite", "devices": {"cpu": BOARD | {"num-cores": 8}}})
    text = compare(visit, "acme/a", "acme/b").text
    assert "/devices/cpu Identity kind llvm llvm" in text
    assert "differs: num-cores 4 cores 8 cores" in text
    assert f"Nodes that only one of them has ≠ differs: /devices/gpu cuda {DASH} not stated" in text
    assert "/devices/gpu" in compare(visit, "acme/a").text


def test_missing_values_say_so_and_mixins_stand_beside_targets(visit: Visitor) -> None:
    text = compare(visit, "micro/aot", "arm/soc").text
    assert f"differs: kind {DASH} not stated c" in text
    assert "mixin: a patch for other targets" in text


def test_a_tag_named_twice_is_shown_once(visit: Visitor) -> None:
    page = compare(visit, "arm/soc", "arm/soc", "arm/soc:aot", "arm/soc@1.0.0")
    assert heads(page) == ["arm/soc", "arm/soc:aot"]
    assert "which is shown once" in page.text
    assert "/compare?tag=arm%2Fsoc%3Aaot" in page.links


def test_every_column_leads_to_its_data(visit: Visitor) -> None:
    page = compare(visit, "arm/soc", "micro/aot@1")
    for tag in ("arm/soc", "micro/aot@1"):
        assert f"/api/v1/resolve/{tag}" in page.links
        assert f'rel="alternate" type="application/json" href="/api/v1/resolve/{tag}"' in page.html


def test_without_tags_there_is_a_form(visit: Visitor) -> None:
    for path in ("/compare", "/compare?tag=&tag=+"):
        page = visit(path)
        assert page.status == 200
        assert page.html.count('name="tag"') == 2


def test_six_tags_are_one_too_many(visit: Visitor) -> None:
    tags = [f"acme/t{at}" for at in range(6)]
    page = compare(visit, *tags, only="differences")
    assert page.status == 400
    assert "6 tags do not fit side by side: at most 5" in page.text
    less = urlencode([*(("tag", tag) for tag in tags[1:]), ("only", "differences")])
    assert f"/compare?{less}".replace("&", "&amp;") in page.links
    assert page.text.count("leave out") == 6
    assert len(compare(visit, *(f"acme/t{at}" for at in range(900))).html) < 40_000


@pytest.mark.parametrize(("bad", "status"), [("arm/socc", 404), ("arm/soc@9", 404), ("X<i>", 400)])
def test_bad_tags_are_named_and_the_others_kept(visit: Visitor, bad: str, status: int) -> None:
    page = compare(visit, "micro/aot", bad)
    assert page.status == status
    assert page.html.count('aria-invalid="true"') == 1
    assert 'value="micro/aot"' in page.html
    assert "<i>" not in page.html


def test_near_names_lead_to_the_comparison(visit: Visitor) -> None:
    page = compare(visit, "micro/aot", "arm/socc", "arm/soc@9")
    assert "/compare?tag=micro%2Faot&amp;tag=arm%2Fsoc&amp;tag=arm%2Fsoc%409" in page.links
    assert page.html.count('aria-invalid="true"') == 2


def test_nonsense_filter_says_what_was_expected(visit: Visitor) -> None:
    page = compare(visit, "arm/soc", only="everything")
    assert page.status == 400
    assert "expected only=differences" in page.text
    assert 'value="arm/soc"' in page.html


def test_of_many_rows_the_first_are_shown(visit: Visitor) -> None:
    for name in ("a", "b", "c", "d", "e"):
        devices = {f"d{at}": BOARD | {"model": name, "num-cores": at + 1} for at in range(150)}
        publish(f"acme/{name}", {"kind": "composite", "devices": devices})
    page = compare(visit, *(f"acme/{name}" for name in "abcde"))
    assert re.search(r"The first \d+ of 90\d rows", page.text)
    assert len(page.html) < 75_000  # and 20 KB of style and script


def test_three_queries_however_many_tags(visit: Visitor) -> None:
    five = ("arm/soc", "micro/aot", "nvidia/jetson-nano", "aws/c4.4xlarge", chain(4))
    for tags in (five[:1], five):
        compare(visit, *tags)
        assert compare(visit, *tags).queries == 3
