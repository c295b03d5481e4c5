"""The page of the diff of two versions."""

import re

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.memory_cache import cache
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import chain, publish, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture
def board_versions(acme: object) -> None:
    """Publish 1.0.0, 1.1.0 with a runtime, 2.0.0 with eight cores, 2.0.1 with a fact."""
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"runtime": "cpp"})
    publish("acme/board", BOARD | {"num-cores": 8})
    publish("acme/board", BOARD | {"num-cores": 8, "hardware": {"cores": 8}})


@pytest.mark.usefixtures("board_versions")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1.0.0", "1.1.0", "MINOR : rebuild, keep the tuning records"),
        ("1.1.0", "2.0.0", "MAJOR : some tuning records no longer match"),
        ("2.0.0", "2.0.1", "PATCH : nothing to do"),
        ("1.0.0", "1.0.0", "SAME : both references resolve to the same version"),
    ],
)
def test_meaning_of_the_change_is_shown(visit: Visitor, old: str, new: str, message: str) -> None:
    page = visit(f"/diff/acme/board@{old}...acme/board@{new}")
    assert page.status == 200
    assert message in page.text


@pytest.mark.usefixtures("board_versions")
def test_rows_show_both_values_and_consumers(visit: Visitor) -> None:
    text = visit("/diff/acme/board@1.1.0...acme/board@2.0.0").text
    assert "≠ changed /num-cores 4 cores own 8 cores own tuning ◆ affects tuning" in text
    assert f'{chr(0x2212)} removed /runtime/kind "cpp" own not stated runtime' in text
    assert "Read by runtime 1, tuning 1" in text


@pytest.mark.usefixtures("acme")
def test_facts_are_read_by_people_as_on_the_page_of_values(visit: Visitor) -> None:
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_86"})
    publish("acme/gpu", {"kind": "cuda", "arch": "sm_86", "hardware": {"memory_bytes": 49152}})
    text = visit("/diff/acme/gpu@1.0.0...acme/gpu@1.0.1").text
    assert "+ added /hardware/memory_bytes not stated 49152 48 KiB own people" in text
    assert "Read by people 1" in text
    assert "annotation" not in text
    assert "/hardware/memory_bytes 49152 48 KiB own people" in visit("/resolved/acme/gpu").text


def test_rows_are_grouped_by_node_with_their_origin(visit: Visitor) -> None:
    page = visit("/diff/arm/soc...nvidia/jetson-nano:cuda")
    root, host = page.text.index("The target itself c → cuda"), page.text.index("/host new: llvm")
    assert root < page.text.index("+ added /arch") < host
    assert 'added /mcpu not stated "cortex-a57" by nvidia/jetson-nano@1.1.1' in page.text[host:]
    assert "/tags/nvidia/jetson-nano@1.1.1" in page.links


@pytest.mark.usefixtures("board_versions")
def test_tuning_keys_are_classified(visit: Visitor) -> None:
    text = visit("/diff/acme/board@1.0.0...acme/board@2.0.0").text
    assert "0 kept, 1 lost, 1 new" in text
    assert re.search(r"lost tk1:\w{64} the target itself nowhere", text)
    assert re.search(r"\+ new tk1:\w{64} nowhere the target itself", text)


@pytest.mark.usefixtures("board_versions")
@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("acme/board@2.0.0...acme/board@2.0.1", "Build keys equal: both compile to the same code"),
        ("acme/board@1.0.0...acme/board@1.1.0", "Build keys differ: rebuild"),
        ("acme/board...acme/gpu", "Build keys missing: a compiler completes a target"),
    ],
)
def test_build_keys_are_compared(visit: Visitor, pair: str, message: str) -> None:
    publish("acme/gpu", {"kind": "cuda"})
    assert message in visit(f"/diff/{pair}").text


def test_equal_leaves_are_counted(visit: Visitor) -> None:
    m7 = {"kind": "c", "mcpu": "cortex-m7"}
    publish(
        "acme/farm", {"kind": "composite", "devices": {f"d{number}": m7 for number in range(9)}}
    )
    publish("acme/farm", {"kind": "composite", "devices": {"d0": m7}})
    text = visit("/diff/acme/farm@1...acme/farm").text
    assert "1 kept, 8 lost, 0 new" in text
    assert "lost \N{MULTIPLICATION SIGN} 8" in text
    assert "/devices/d5 and 9 in all" in text


@pytest.mark.usefixtures("board_versions")
def test_page_links_to_swapped_sides_comparison_and_json(visit: Visitor) -> None:
    page = visit("/diff/acme/board@1...acme/board")
    assert "/diff/acme/board...acme/board@1" in page.links
    assert "/compare?tag=acme%2Fboard%401&amp;tag=acme%2Fboard" in page.links
    assert "/api/v1/diff/acme/board@1...acme/board" in page.links
    assert '<link rel="alternate" type="application/json" href="/api/v1/diff/' in page.html


@pytest.mark.usefixtures("board_versions")
def test_form_redirects_to_the_diff(visit: Visitor, client: Client) -> None:
    page = visit("/diff/")
    assert page.status == 200
    assert {'id="old" name="old"', 'id="new" name="new"'} <= {
        *re.findall('id="[a-z]+" name="[a-z]+"', page.html)
    }
    response = client.get("/diff/", {"old": " acme/board@1.0.0", "new": "acme/board"})
    assert response.status_code == 302
    assert response["Location"] == "/diff/acme/board@1.0.0...acme/board"


@pytest.mark.usefixtures("board_versions")
def test_yanked_versions_and_aliases_are_marked(visit: Visitor, alice: User) -> None:
    yank("acme/board@2.0.1")
    aliases.point_alias("acme/brett", Reference.parse("acme/board"), actor=Actor.operator(alice))
    text = visit("/diff/acme/board@2.0.1...acme/brett").text
    assert "acme/board@2.0.1 ✕ yanked" in text
    assert "acme/board@2.0.0 requested as acme/brett , an alias" in text


def test_equal_targets_from_different_sources_are_a_patch(visit: Visitor) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", {"tag": "acme/a"})
    text = visit("/diff/acme/a...acme/b").text
    assert "PATCH : source or lineage differ, but the targets are the same: nothing to do" in text
    assert "Values unchanged" in text


@pytest.mark.parametrize(
    ("addition", "meaning"),
    [
        ({"flow": {}}, "MINOR : only objects without a value differ: rebuild, keep the tuning"),
        ({"hardware": {}}, "PATCH : only objects without a value differ: nothing to do"),
    ],
)
def test_targets_that_differ_in_an_empty_object_are_not_said_to_be_the_same(
    visit: Visitor, addition: dict[str, object], meaning: str
) -> None:
    publish("acme/a", BOARD)
    publish("acme/a", BOARD | addition)
    text = visit("/diff/acme/a@1.0.0...acme/a").text
    assert meaning in text
    assert "the targets are the same" not in text


def test_diff_of_mixins_explains_its_limits(visit: Visitor) -> None:
    text = visit("/diff/micro/aot...arm/soc:aot").text
    assert "MAJOR : a mixin is a patch for other targets" in text
    publish("acme/mixin", {"arch": "sm_80"})
    publish("acme/mixin", {"arch": "sm_90", "host": None})
    text = visit("/diff/acme/mixin@1...acme/mixin").text
    assert "Two mixins: they have no tuning keys of their own" in text
    assert "+ added /host not stated null own" in text


def test_number_of_rows_is_limited(visit: Visitor) -> None:
    devices = {f"d{number}": BOARD | {"num-cores": number + 1} for number in range(100)}
    publish("acme/large", {"kind": "composite", "devices": devices, "model": "farm"})
    page = visit("/diff/arm/soc...acme/large")
    assert re.search(r"The first 80 of 40\d\. All of them as JSON", page.text)
    assert "/model" in page.text
    assert re.search(r"The first 30 of 101", page.text)
    assert len(page.html) < 75_000  # and 20 KB of style and script


@pytest.mark.parametrize(
    ("path", "status", "old", "new"),
    [
        ("arm/socc...arm/soc", 404, "arm/socc", "arm/soc"),
        ("arm/soc...arm/soc@9", 404, "arm/soc", "arm/soc@9"),
        ("XX...arm/soc", 400, "XX", "arm/soc"),
        ("arm/soc", 400, "arm/soc", ""),
        ("...arm/soc", 400, "", "arm/soc"),
        ("arm/soc...a/b...c/d", 400, "arm/soc", "a/b...c/d"),
        ("?old=arm/soc&new=", 400, "arm/soc", ""),
        ("?old=a b&new=arm/soc", 400, "a b", "arm/soc"),
        ("a/%3Ci%3E...b/%22", 400, "a/&lt;i&gt;", "b/&quot;"),
    ],
)
def test_invalid_pair_is_kept_in_the_form(
    visit: Visitor, path: str, status: int, old: str, new: str
) -> None:
    page = visit(f"/diff/{path}")
    assert page.status == status
    assert re.findall(r'<input id="(?:old|new)" [^>]*value="([^"]*)"', page.html) == [old, new]
    assert "namespace/name[:variant][@version]" in page.text
    assert "<i>" not in page.html


def test_suggestions_link_to_a_diff_with_the_other_side(visit: Visitor) -> None:
    page = visit("/diff/arm/socc...arm/soc@9")
    assert "/diff/arm/soc...arm/soc@9" in page.links
    assert "/diff/arm/socc...arm/soc@1.0.0" in page.links
    assert page.html.count('aria-invalid="true"') == 2


def test_post_is_405(client: Client) -> None:
    assert Client(enforce_csrf_checks=True).post("/diff/arm/soc...arm/soc:aot").status_code == 405


def test_query_count_is_three_for_any_diff_and_then_two(visit: Visitor) -> None:
    for path in ("arm/soc...arm/soc:aot", f"micro/aot...{chain(6)}", "arm/soc...arm/soc"):
        visit(f"/diff/{path}")
        cache.clear()
        assert [visit(f"/diff/{path}").queries for _ in range(2)] == [3, 2]


def test_a_pair_with_two_dots_links_to_the_one_with_three(visit: Visitor) -> None:
    page = visit("/diff/arm/soc@1..arm/soc")
    assert page.status == 400
    assert "/diff/arm/soc@1...arm/soc" in page.links
