"""What lists say about each tag: facts, chip and family."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Entry, Tag
from registry.services.search.list_facts import ListedFacts, read_list_facts
from tests.publishing import publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def hardware(category: str, **facts: Any) -> dict[str, Any]:
    return {"hardware": {"category": category, **facts}}


def listed(*names: str) -> list[ListedFacts]:
    entries = list(Entry.objects.filter(text__in=names).with_version())
    facts = read_list_facts(entries)
    return [facts[entry.pk] for entry in sorted(entries, key=lambda entry: names.index(entry.text))]


def make_family(name: str, body: dict[str, Any]) -> None:
    publish(name, body)
    Tag.objects.filter(text=name).update(is_family=True)


def test_numbers_and_texts_are_read_by_pointer() -> None:
    facts = {"memory_bytes": 1024, "gpu": "Fast", "launched": "2022-10", "model": "Card"}
    publish("acme/card", {"kind": "cuda", **hardware("gpu", **facts)})
    (card,) = listed("acme/card")
    assert (card.category, card.model) == ("gpu", "Card")
    memory, gpu = card.facts["/hardware/memory_bytes"], card.facts["/hardware/gpu"]
    assert (memory.text, memory.number) == ("1024", 1024)
    assert (gpu.text, gpu.number) == ("Fast", None)
    assert card.facts["/hardware/launched/year"].number == 2022
    assert "/hardware/cores" not in card.facts


def test_chip_is_the_nearest_one_that_the_machine_is_built_around() -> None:
    publish("acme/old-chip", {"kind": "llvm", **hardware("soc", model="Old")})
    publish("acme/chip", {"tag": "acme/old-chip", **hardware("soc", model="New")})
    publish("acme/phone", {"tag": "acme/chip", **hardware("phone", model="Phone")})
    chip, phone = listed("acme/chip", "acme/phone")
    assert (phone.chip, phone.chip_model) == ("acme/chip", "New")
    assert (chip.chip, chip.family) == ("", "")


def test_family_has_the_category_of_its_members() -> None:
    make_family("acme/gpus", {"kind": "cuda", **hardware("gpu")})
    publish("acme/card", {"tag": "acme/gpus"})
    publish("acme/cloud", {"tag": "acme/card", **hardware("cloud-instance")})
    card, cloud = listed("acme/card", "acme/cloud")
    assert (card.family, cloud.family) == ("acme/gpus", "")


def test_it_takes_two_queries() -> None:
    for number in range(3):
        publish(f"acme/card-{number}", {"kind": "llvm", "num-cores": number + 1, **hardware("gpu")})
    entries = list(Entry.objects.filter(text__startswith="acme/"))
    with CaptureQueriesContext(connection) as queries:
        assert len(read_list_facts(entries)) == 3
    assert len(queries) == 2
