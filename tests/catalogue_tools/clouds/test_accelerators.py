"""A machine with accelerators is a device with a host."""

from dataclasses import replace

from catalogue_tools.clouds.accelerators import FACTS_OF_CARDS, Accelerator, machine_tags
from catalogue_tools.tags import Missing
from registry.services.core import shipped_facts
from tests.catalogue_tools.clouds.builders import C7, LARGE, URL, by_name

CARD = Accelerator(
    "Acme Card",
    "acme/card@1",
    "",
    memory_mib=24,
    memory_sources=("https://example.org/driver",),
    sources=("https://example.org/cards",),
)
UNKNOWN = Accelerator(
    "Acme Chip", "", "no code generator", memory_mib=0, memory_sources=(), sources=()
)
ACCELERATORS = {"card": CARD, "chip": UNKNOWN}
EIGHT = replace(LARGE, accelerator="card", accelerators=8)


def test_machine_without_accelerator_is_its_cpu() -> None:
    assert set(by_name(machine_tags([LARGE], ACCELERATORS))) == {"acme/c7", "acme/c7.large"}


def test_accelerators_are_one_device_with_the_cpu_as_host() -> None:
    tags = by_name(machine_tags([EIGHT], ACCELERATORS))
    assert set(tags) == {"acme/c7", "acme/c7:card", "acme/c7.large", "acme/c7.large:cpu"}
    tag = tags["acme/c7.large"]
    assert tag.body == {
        "tag": "acme/c7:card@1",
        "host": "acme/c7.large:cpu@1",
        "hardware": {
            "model": "c7.large",
            "cores": 4,
            "threads": 8,
            "memory_bytes": 17_179_869_184,
            "accelerators": 8,
        },
    }
    assert tag.message == "8 x Acme Card, and 4 cores as the host"
    assert tag.aliases == ("acme/C7_Large",)


def test_family_takes_the_card_without_facts_that_are_not_the_machines() -> None:
    tag = by_name(machine_tags([EIGHT], ACCELERATORS))["acme/c7:card"]
    assert tag.is_family
    assert tag.body["tag"] == "acme/card@1"
    hardware = tag.body["hardware"]
    assert isinstance(hardware, dict)
    assert {name for name, value in hardware.items() if value is None} == set(FACTS_OF_CARDS)
    assert hardware["family"] == "C7 with Acme Card"
    assert hardware["accelerator_memory_bytes"] == 24 * 2**20
    assert hardware["sources"] == {
        "identity": {"$append": [*C7.sources, "https://example.org/cards"]},
        "launch": None,
        "counts": [URL, "https://example.org/threads", "https://example.org/cards"],
        "memory": ["https://example.org/driver", URL],
        "caches": None,
        "throughput": None,
        "clocks": None,
        "power": None,
    }


def test_every_measure_of_a_card_is_dropped() -> None:
    measures = {"launch", "memory", "caches", "throughput", "clocks", "power"}
    schema = shipped_facts.kinds()["hardware"]["properties"]
    facts = {name for name, option in schema.items() if option.get("x-group") in measures}
    of_microcontrollers = {"configured_clock_hz", "flash_bytes", "flash_options_bytes"}
    of_other_products = {"accelerator_memory_bytes", *of_microcontrollers}
    assert facts - of_other_products <= {*FACTS_OF_CARDS}


def test_part_of_a_card_is_not_counted() -> None:
    tag = by_name(machine_tags([replace(EIGHT, accelerators=0)], ACCELERATORS))["acme/c7.large"]
    assert "accelerators" not in tag.body["hardware"]  # type: ignore[operator]
    assert tag.message == "Acme Card, and 4 cores as the host"


def test_host_whose_cores_are_hidden_has_threads() -> None:
    hidden = by_name(machine_tags([replace(EIGHT, cores=0)], ACCELERATORS))["acme/c7.large"]
    assert hidden.message == "8 x Acme Card, and 8 vCPUs as the host"
    assert "cores" not in hidden.body["hardware"]  # type: ignore[operator]


def test_correction_of_an_accelerator_is_that_of_its_families() -> None:
    corrected = {"card": replace(CARD, correction="Wrong figure.")}
    tags = by_name(machine_tags([EIGHT], corrected))
    assert tags["acme/c7:card"].correction == "Wrong figure."
    assert tags["acme/c7.large"].correction == ""


def test_accelerator_without_a_tag_is_missing_and_the_machine_its_cpu() -> None:
    items = list(machine_tags([replace(LARGE, accelerator="chip")], ACCELERATORS))
    assert set(by_name(items)) == {"acme/c7", "acme/c7.large"}
    assert Missing("Acme Chip", "no code generator") in items


def test_machine_with_an_unlisted_accelerator_has_no_tags() -> None:
    assert not list(machine_tags([replace(LARGE, accelerator="other")], ACCELERATORS))
