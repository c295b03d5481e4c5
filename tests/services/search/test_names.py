"""Search by name."""

import pytest

from registry.domain.names.machine_names import OneTag, tags_named
from registry.domain.reference import Tag as TagName
from registry.models import Entry, Name, Namespace, Status, User
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from tests.publishing import publish, yank
from tests.services.search.searches import BOARD, search, tags

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("nvidia/jetson-nano", ["nvidia/jetson-nano", "nvidia/jetson-nano:cuda"]),
        ("nvidia/jetson-nano:cuda", ["nvidia/jetson-nano:cuda"]),
        ("jetson nano", ["nvidia/jetson-nano", "nvidia/jetson-nano:cuda"]),
        ("nvidia/a100", ["nvidia/nvidia-a100"]),
        ("a10", ["nvidia/nvidia-a10"]),
        ("m1", ["apple/m1-gpu", "apple/m1-gpu-restricted"]),
        ("t4", ["nvidia/nvidia-t4"]),
        ("v100", ["nvidia/nvidia-v100"]),
        ("p100", ["nvidia/tesla-p100"]),
        ("RTX4090", ["nvidia/geforce-rtx-4090"]),
        ("3080 ti", ["nvidia/geforce-rtx-3080-ti"]),
        ("c4.4xlarge", ["aws/c4.4xlarge"]),
        ("c5 9xlarge", ["aws/cpu/c5.9xlarge"]),
        ("soc", ["arm/soc", "arm/soc:aot", "example/soc-with-npu"]),
        ("tx2", ["nvidia/jetson-tx2"]),
        ("k80", ["nvidia/tesla-k80"]),
    ],
)
def test_best_match_comes_first(query: str, expected: list[str]) -> None:
    results = search(query)
    assert tags(results)[: len(expected)] == expected
    assert results.similar == ()


@pytest.mark.usefixtures("acme")
def test_mobile_and_laptop_mean_the_same() -> None:
    for name in ("zt-2060", "zt-2060-mobile", "zt-3060", "zt-3060-laptop-gpu", "zt-4060"):
        publish(f"acme/{name}", BOARD | {"model": name})
    for text in ("zt 2060 mobile", "zt 2060 laptop", "zt2060-mobile", "ZT2060 Laptop"):
        assert tags(search(text)) == ["acme/zt-2060-mobile"], text
    for text in ("zt 3060 mobile", "zt 3060 laptop", "zt-3060-laptop-gpu"):
        assert tags(search(text)) == ["acme/zt-3060-laptop-gpu"], text
    for text in ("zt 4060 mobile", "zt 4060 laptop", "zt mobile 2060 3060"):
        assert tags(search(text)) == [], text
    assert tags(search("zt 2060"))[0] == "acme/zt-2060"


def test_tag_with_several_matching_names_is_listed_once() -> None:
    results = search("a100")
    assert tags(results) == ["nvidia/nvidia-a100"]
    assert (results.total, results.is_capped) == (1, False)


@pytest.mark.usefixtures("acme")
def test_active_tags_come_first_among_equal_matches(alice: User) -> None:
    for name in ("a", "bb", "ccc", "zyx"):
        publish(f"acme/zyx-{name}", BOARD)
    yank("acme/zyx-a@1.0.0")
    deprecation.deprecate(TagName.parse("acme/zyx-bb"), reason="old", actor=Actor.operator(alice))
    assert tags(search("zyx")) == ["acme/zyx-ccc", "acme/zyx-zyx", "acme/zyx-a"]
    assert tags(search("acme/zyx-a"))[0] == "acme/zyx-a"


@pytest.mark.parametrize("query", ["qqqq", "\x00", "日本", "///", "%", "x" * 5000])
def test_unrelated_text_finds_nothing(query: str) -> None:
    results = search(query)
    assert (results.entries, results.similar, results.total, results.next_key) == ((), (), 0, None)
    assert not any(results.facets.values())


@pytest.mark.parametrize("query", ["", " ", "\n"])
def test_empty_text_matches_all_tags(query: str) -> None:
    assert search(query).total == Entry.objects.exclude(status=Status.DEPRECATED).count()


@pytest.mark.parametrize("query", ["jetsn-nono", "jetson nano qqqq", "NVDIA Jetson Nano"])
def test_misspelt_and_unknown_words_do_not_hide_the_others(query: str) -> None:
    assert tags(search(query))[:1] == ["nvidia/jetson-nano"]


def test_words_that_no_tag_has_are_ignored() -> None:
    assert search("jetson nano qqqq").ignored == ("qqqq",)
    assert search("jetson").ignored == search("qqqq").ignored == ()


def test_hits_have_the_reasons_why_they_match() -> None:
    (hit,) = search("t4").entries
    assert [(reason.field, reason.words) for reason in hit.reasons] == [("name", ("t4",))]


def test_similar_tags_are_listed_without_matches() -> None:
    results = search("4091")
    assert results.entries == ()
    assert "nvidia/geforce-rtx-4090" in [entry.text for entry in results.similar]
    assert results.similar[0].version


def test_similar_tags_match_the_facts_and_conditions() -> None:
    assert search("4091", kind="cuda").similar
    assert search("4091", kind="hexagon").similar == ()
    assert search("4091", "arch=sm_89").similar
    assert search("4091", "arch=sm_90").similar == ()


@pytest.mark.usefixtures("acme")
def test_short_names_that_people_type_find_the_machine() -> None:
    publish("raspberry-pi/3-model-b-plus", BOARD)
    publish("acme/macbook-pro-14-inch", BOARD)
    assert tags(search("raspi 3b+")) == ["raspberry-pi/3-model-b-plus"]
    assert tags(search("mbp 14")) == ["acme/macbook-pro-14-inch"]
    assert tags(search("mbp 16")) == []
    assert tags(search("raspi 6b")) == []


def test_matching_name_without_the_facts_is_not_found() -> None:
    results = search("jetson-nano", kind="hexagon")
    assert (results.entries, results.similar) == ((), ())


def test_a_name_of_a_tag_that_is_not_here_finds_what_has_its_words() -> None:
    """The table of names has the tag of the generated catalogue."""
    meaning = tags_named("raspberry pi 4b", shipped_facts.machine_names())
    assert meaning == OneTag("raspberry-pi/4-model-b")
    assert not Name.objects.filter(text="raspberry-pi/4-model-b").exists()
    assert search("raspberry pi 4b").entries[0].text == "raspberry-pi/4b-aarch64"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("q4g.2xlarge", ["acme/q4g.2xlarge"]),
        ("q4g 2xlarge", ["acme/q4g.2xlarge", "acme/w5.2xlarge"]),
        ("k7x.2xlarge", []),
        ("k7x.metal", []),
        ("k7x 2xlarge", ["acme/w5.2xlarge"]),
        ("w5.metal", ["acme/w5.metal"]),
    ],
)
def test_the_size_of_an_instance_belongs_to_its_type(
    acme: Namespace, text: str, found: list[str]
) -> None:
    for name, gpu in (("q4g.2xlarge", ""), ("w5.2xlarge", "q4g k7x"), ("w5.metal", "k7x")):
        publish(f"acme/{name}", BOARD | {"hardware": {"model": f"{name} {gpu}".strip()}})
    assert tags(search(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fenix 1", ["acme/fenix-1", "acme/fenix-1-ii"]),
        ("fenix 1 ii", ["acme/fenix-1-ii"]),
        ("fenix 1 ix", []),
        ("fenix 1 viii", []),
    ],
)
def test_a_mark_after_a_number_makes_another_machine(
    acme: Namespace, text: str, found: list[str]
) -> None:
    for name in ("fenix-1", "fenix-1-ii"):
        publish(f"acme/{name}", BOARD | {"model": name})
    assert tags(search(text)) == found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [("u8", True), ("core u8", True), ("fenix u8", False), ("tesla u8", False)],
)
def test_a_letter_and_a_digit_begin_a_name_only_by_themselves(
    acme: Namespace, text: str, is_found: bool
) -> None:
    for name, model in (("fenix-p3", "core u820"), ("fenix-p4", "core u830")):
        publish(f"acme/{name}", BOARD | {"hardware": {"model": model}})
    assert bool(tags(search(text))) is is_found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("zlate 5th generation", []),
        ("zlate air 5th generation", ["acme/zlate-air-5th-generation"]),
        ("zlate air", ["acme/zlate-air-5th-generation"]),
        ("zv1021a-iot", ["acme/zv1021a-iot"]),
        ("zv1021a", ["acme/zv1021a-iot"]),
        ("zv1021a qqqq", []),  # the qqqq is another board with it than the iot
        ("zperia x compact", []),
        ("zperia compact", ["acme/zperia-compact"]),
        ("qqqq zones", []),  # is no acme/zones
        ("zones", ["acme/zones"]),
        ("qqqq zaswell", ["acme/zaswell"]),  # long enough to mean it
        ("zadeon z9 qqqq", []),
        ("zadeon z9 380", ["acme/zadeon-z9-380"]),
        ("zeforce 3000m", []),
        ("zeforce 3000 mobile", ["acme/zeforce-3000-mobile"]),
    ],
)
def test_what_a_name_has_besides_or_lacks_makes_another_machine(
    acme: Namespace, text: str, found: list[str]
) -> None:
    """Decision 202."""
    for name in ("zlate-air-5th-generation", "zv1021a-iot", "zones", "zaswell", "zadeon-z9-380"):
        publish(f"acme/{name}", BOARD)
    publish("acme/zeforce-3000-mobile", BOARD)
    publish("acme/zperia-compact", BOARD | {"hardware": {"family": "4 x Kryo"}})
    assert tags(search(text))[:1] == found
