"""The page of the diff of two versions."""

import re

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.publishing import chain, publish, yank
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture
def line(acme: object) -> None:
    """1.0.0, 1.1.0 with a runtime, 2.0.0 with eight cores, 2.0.1 with a fact."""
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"runtime": "cpp"})
    publish("acme/board", BOARD | {"num-cores": 8})
    publish("acme/board", BOARD | {"num-cores": 8, "hardware": {"cores": 8}})


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("1.0.0", "1.1.0", "MINOR : rebuild, keep the tuning records"),
        ("1.1.0", "2.0.0", "MAJOR : some tuning records no longer match"),
        ("2.0.0", "2.0.1", "PATCH : nothing to do"),
        ("1.0.0", "1.0.0", "SAME : both references are answered by one version"),
    ],
)
def test_it_says_what_the_change_means(visit: Visitor, old: str, new: str, says: str) -> None:
    page = visit(f"/diff/acme/board@{old}...acme/board@{new}")
    assert page.status == 200
    assert says in page.text


@pytest.mark.usefixtures("line")
def test_each_row_has_a_word_both_values_readers_and_tuning(visit: Visitor) -> None:
    text = visit("/diff/acme/board@1.1.0...acme/board@2.0.0").text
    assert "≠ changed /num-cores 4 4 cores own 8 8 cores own tuning ◆ affects tuning" in text
    assert f'{chr(0x2212)} removed /runtime/kind "cpp" own not stated runtime' in text
    assert "Read by runtime 1, tuning 1" in text


def test_rows_stand_by_node_and_say_which_version_set_them(visit: Visitor) -> None:
    page = visit("/diff/arm/soc...nvidia/jetson-nano:cuda")
    root, host = page.text.index("The target itself c → cuda"), page.text.index("/host new: llvm")
    assert root < page.text.index("+ added /arch") < host
    assert 'added /mcpu not stated "cortex-a57" by nvidia/jetson-nano@1.1.0' in page.text[host:]
    assert "/tags/nvidia/jetson-nano@1.1.0" in page.links


@pytest.mark.usefixtures("line")
def test_tuning_keys_are_kept_lost_and_new(visit: Visitor) -> None:
    text = visit("/diff/acme/board@1.0.0...acme/board@2.0.0").text
    assert "0 kept, 1 lost, 1 new" in text
    assert re.search(r"lost tk1:\w{64} the target itself nowhere", text)
    assert re.search(r"\+ new tk1:\w{64} nowhere the target itself", text)


def test_equal_leaves_are_counted(visit: Visitor) -> None:
    m7 = {"kind": "c", "mcpu": "cortex-m7"}
    publish("acme/farm", {"kind": "composite", "devices": {f"d{at}": m7 for at in range(9)}})
    publish("acme/farm", {"kind": "composite", "devices": {"d0": m7}})
    text = visit("/diff/acme/farm@1...acme/farm").text
    assert "1 kept, 8 lost, 0 new" in text
    assert "lost \N{MULTIPLICATION SIGN} 8" in text
    assert "/devices/d5 and 9 in all" in text


@pytest.mark.usefixtures("line")
def test_sides_swap_stand_side_by_side_and_are_data(visit: Visitor) -> None:
    page = visit("/diff/acme/board@1...acme/board")
    assert "/diff/acme/board...acme/board@1" in page.links
    assert "/compare?tag=acme%2Fboard%401&amp;tag=acme%2Fboard" in page.links
    assert "/api/v1/diff/acme/board@1...acme/board" in page.links
    assert '<link rel="alternate" type="application/json" href="/api/v1/diff/' in page.html


@pytest.mark.usefixtures("line")
def test_the_form_leads_to_the_diff(visit: Visitor, client: Client) -> None:
    page = visit("/diff/")
    assert page.status == 200
    assert {'id="old" name="old"', 'id="new" name="new"'} <= {
        *re.findall('id="[a-z]+" name="[a-z]+"', page.html)
    }
    answer = client.get("/diff/", {"old": " acme/board@1.0.0", "new": "acme/board"})
    assert (answer.status_code, answer["Location"]) == (
        302,
        "/diff/acme/board@1.0.0...acme/board",
    )


@pytest.mark.usefixtures("line")
def test_yanked_sides_and_aliases_say_so(visit: Visitor, alice: User) -> None:
    yank("acme/board@2.0.1")
    aliases.point_alias("acme/brett", Reference.parse("acme/board"), actor=Actor.operator(alice))
    text = visit("/diff/acme/board@2.0.1...acme/brett").text
    assert "acme/board@2.0.1 ✕ yanked" in text
    assert "acme/board@2.0.0 requested as acme/brett , an alias" in text


def test_same_targets_made_differently_are_nothing_to_do(visit: Visitor) -> None:
    publish("acme/a", BOARD)
    publish("acme/b", {"tag": "acme/a"})
    text = visit("/diff/acme/a...acme/b").text
    assert "PATCH : the targets are the same, though not made alike: nothing to do" in text
    assert "Values all the same" in text


def test_a_mixin_says_what_it_cannot_say(visit: Visitor) -> None:
    text = visit("/diff/micro/aot...arm/soc:aot").text
    assert "MAJOR : a mixin is a patch for other targets" in text
    publish("acme/mixin", {"arch": "sm_80"})
    publish("acme/mixin", {"arch": "sm_90", "host": None})
    text = visit("/diff/acme/mixin@1...acme/mixin").text
    assert "Two mixins: they have no tuning keys of their own" in text
    assert "+ added /host not stated null own" in text


def test_of_many_rows_the_first_are_shown(visit: Visitor) -> None:
    devices = {f"d{at}": BOARD | {"num-cores": at + 1} for at in range(100)}
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
def test_what_cannot_be_compared_is_kept_in_the_form(
    visit: Visitor, path: str, status: int, old: str, new: str
) -> None:
    page = visit(f"/diff/{path}")
    assert page.status == status
    assert re.findall(r'<input id="(?:old|new)" [^>]*value="([^"]*)"', page.html) == [old, new]
    assert "namespace/name[:variant][@version]" in page.text
    assert "<i>" not in page.html


def test_near_names_lead_to_a_diff_with_the_other_side(visit: Visitor) -> None:
    page = visit("/diff/arm/socc...arm/soc@9")
    assert "/diff/arm/soc...arm/soc@9" in page.links
    assert "/diff/arm/socc...arm/soc@1.0.0" in page.links
    assert page.html.count('aria-invalid="true"') == 2


def test_posting_is_answered_with_405(client: Client) -> None:
    assert Client(enforce_csrf_checks=True).post("/diff/arm/soc...arm/soc:aot").status_code == 405


def test_three_queries_however_much_differs(visit: Visitor) -> None:
    for path in ("arm/soc...arm/soc:aot", f"micro/aot...{chain(6)}", "arm/soc...arm/soc"):
        visit(f"/diff/{path}")
        assert visit(f"/diff/{path}").queries == 3
