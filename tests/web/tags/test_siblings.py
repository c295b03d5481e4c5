"""What a tag's page says of the tags that somebody may mean instead."""

import re
from typing import Any

import pytest

from registry.domain.reference import Reference, Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation, longer_names, variants
from tests.publishing import publish
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GIB = 2**30


def publish_card(name: str, arch: str = "sm_80", **facts: Any) -> None:
    hardware = {"category": "gpu", "vendor": "Acme", "family": "Ampere", "model": name, **facts}
    publish(f"acme/{name}", {"kind": "cuda", "arch": arch, "hardware": hardware})


def publish_a100() -> None:
    publish_card("a100")
    for name, memory in {
        "a100-sxm-64gb": 64,
        "a100-80gb-pcie": 80,
        "a100-sxm4-80gb": 80,
        "a100-pcie-40gb": 40,
        "a100-sxm4-40gb": 40,
        "a100-laptop-gpu": 16,
    }.items():
        publish_card(name, memory_bytes=memory * GIB)


def table(page: Page) -> str:
    return page.text.partition("Not this one?")[2].partition("Compare selected")[0]


def test_product_sold_in_several_forms_leads_to_them_first(visit: Visitor) -> None:
    publish_a100()
    page = visit("/tags/acme/a100")
    before, _, forms = page.text.partition("Which one?")
    assert "Use it Pinned" not in before
    assert (
        "40 GiB acme/a100-pcie-40gb , acme/a100-sxm4-40gb "
        "80 GiB acme/a100-80gb-pcie , acme/a100-sxm4-80gb 64 GiB acme/a100-sxm-64gb"
    ) in forms.partition("Use it")[0]
    assert "laptop" not in forms.partition("Use it")[0]


def test_forms_of_an_alias_are_those_of_the_tag(visit: Visitor, alice: User) -> None:
    publish_a100()
    publish_card("acme-a100", arch="sm_81")
    actor = Actor.operator(alice)
    for alias in ("acme/a100-sxm4", "acme/other"):
        aliases.point_alias(alias, Reference.parse("acme/acme-a100"), actor=actor)
    assert "40 GiB acme/a100-sxm4-40gb" in visit("/tags/acme/acme-a100").text


def test_tag_is_no_sibling_of_itself_by_a_shorter_alias(visit: Visitor, alice: User) -> None:
    publish("acme/x-one", {"kind": "cuda", "arch": "sm_80"})
    alias = Reference.parse("acme/x-one")
    aliases.point_alias("acme/x", alias, actor=Actor.operator(alice))
    assert "Not this one?" not in visit("/tags/acme/x-one").text
    publish_card("x-two")
    assert "acme/x-one this tag acme/x-two" in table(visit("/tags/acme/x-one"))


def test_tag_that_states_its_memory_is_one_of_the_forms(visit: Visitor) -> None:
    publish_card("a100", memory_bytes=40 * GIB)
    publish_card("a100-80gb", memory_bytes=80 * GIB)
    page = visit("/tags/acme/a100")
    assert "Which one?" not in page.text
    assert "acme/a100 this tag 40 GiB acme/a100-80gb 80 GiB" in table(page)


def test_only_facts_that_differ_have_a_column(visit: Visitor) -> None:
    publish_card("x1", memory_bytes=8 * GIB, power_watts=75)
    publish_card("x1-ti", memory_bytes=16 * GIB, power_watts=75, launched="2022")
    publish_card("x1-max", arch="sm_90", memory_bytes=8 * GIB)
    page = visit("/tags/acme/x1")
    assert table(page) == (
        " Tags whose names begin like this one, and machines near in size, with the facts in which "
        "they differ; select up to five to compare Tag Architecture Memory acme/x1 this tag sm_80 "
        "8 GiB acme/x1-max sm_90 8 GiB acme/x1-ti sm_80 16 GiB "
    )
    form = page.html.partition('aria-labelledby="siblings"')[2].partition("</form>")[0]
    assert re.findall(r'name="tag" value="([^"]*)"[^>]*checked', form) == ["acme/x1"]


def test_many_longer_names_are_counted_and_linked(visit: Visitor) -> None:
    publish_card("x1")
    for number in range(8):
        publish_card(f"x1-{number}")
    page = visit("/tags/acme/x1")
    assert "2 more names begin like this one" in page.text
    assert "/?q=acme/x1" in page.links


def test_names_that_were_not_read_are_not_counted(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longer_names, "MAX_LONGER_NAMES", 7)
    publish_card("x1")
    for number in range(7):
        publish_card(f"x1-{number}gb", memory_bytes=(number + 1) * GIB)
    page = visit("/tags/acme/x1")
    assert "1 more names begin like this one" in page.text
    assert "There are more names that begin like this one" not in page.text
    publish_card("x1-8gb", memory_bytes=8 * GIB)
    page = visit("/tags/acme/x1")
    assert "1+ more names begin like this one" in page.text
    assert "There are more names that begin like this one" in page.text


@pytest.mark.parametrize(("limit", "has_more"), [(3, False), (2, True)])
def test_table_of_variants_says_that_there_are_more(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch, limit: int, has_more: bool
) -> None:
    monkeypatch.setattr(variants, "MAX_VARIANTS", limit)
    for number, name in enumerate(("x1", "x1:a", "x1:b")):
        publish(f"acme/{name}", {"kind": "cuda", "arch": "sm_80", "max_num_threads": 256 + number})
    page = visit("/tags/acme/x1")
    assert ("Showing the first 2 by name. Search for the others" in page.text) is has_more
    assert ("/?q=acme/x1" in page.links) is has_more


def test_what_is_no_sibling_is_not_listed(visit: Visitor, alice: User) -> None:
    publish_card("x1", memory_bytes=8 * GIB)
    publish_card("x1:npu", memory_bytes=4 * GIB)
    publish_card("x10", arch="sm_90", family="Hopper", memory_bytes=16 * GIB)
    publish_card("x1-old", arch="sm_70", family="Volta", memory_bytes=2 * GIB)
    deprecation.deprecate(
        Tag.parse("acme/x1-old"), reason="wrong", successor=None, actor=Actor.operator(alice)
    )
    assert "Not this one?" not in visit("/tags/acme/x1").text
    assert "Not this one?" not in visit("/tags/acme/x1:npu").text
    assert "acme/x1:npu" in visit("/tags/acme/x1").text


def test_tag_without_facts_has_no_siblings(visit: Visitor) -> None:
    publish("acme/patch", {"executor": "vm"})
    page = visit("/tags/acme/patch")
    assert "Not this one?" not in page.text
    assert "Facts" not in page.text
