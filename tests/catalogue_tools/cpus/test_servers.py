"""Server processors are named as people write them, with the facts of their source."""

import pytest

from catalogue_tools.cpus import servers

TAGS = {tag.name: tag for tag in servers.tags()}


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("AMD EPYC 9654 96-Core Processor", "AMD EPYC 9654"),
        ("Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz", "Intel Xeon Platinum 8480+"),
        ("Intel(R) Xeon(R) CPU Max 9480 @ 1.90GHz", "Intel Xeon Max 9480"),
        ("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40 GHz", "Intel Xeon E5-2680 v4"),
        ("Intel(R) Xeon(R) 6780E CPU @ 2.20GHz", "Intel Xeon 6780E"),
    ],
)
def test_model_is_what_the_processor_says_without_marks_and_clock(text: str, model: str) -> None:
    assert servers.model_of(text) == model


@pytest.mark.parametrize(
    ("identifier", "model", "tag"),
    [
        ("amd/epyc_9654", "AMD EPYC 9654", "amd/epyc-9654"),
        ("intel/xeon_platinum_8480+", "", "intel/xeon-platinum-8480-plus"),
        ("intel/xeon_9480", "Intel Xeon Max 9480", "intel/xeon-max-9480"),
        ("intel/xeon_e5_2680v4", "Intel Xeon E5-2680 v4", "intel/xeon-e5-2680-v4"),
    ],
)
def test_tag_is_the_product_in_lowercase(identifier: str, model: str, tag: str) -> None:
    assert servers.tag_of(identifier, model) == tag


@pytest.mark.parametrize(
    ("tag", "family", "facts"),  # cores, threads, base clock in MHz, design power in W
    [
        ("amd/epyc-7763", "amd/zen3@1", (64, 128, 2450, 280)),
        ("amd/epyc-9654", "amd/zen4@1", (96, 192, 2400, 360)),
        ("amd/epyc-9965", "amd/zen5@1", (192, 384, 2250, 500)),
        ("intel/xeon-platinum-8480-plus", "intel/sapphire-rapids@1", (56, 112, 2000, 350)),
        ("intel/xeon-6980p", "intel/granite-rapids@1", (128, 256, 2000, 500)),
        ("intel/xeon-6780e", "intel/sierra-forest@1", (144, 144, 2200, 330)),
        ("intel/xeon-silver-4210r", "intel/cascade-lake@1", (10, 20, 2400, 100)),
        ("ampere/altra-max-m128-30", "ampere/altra@1", (128, 128, 3000, 250)),
    ],
)
def test_products_have_the_facts_of_their_source(
    tag: str, family: str, facts: tuple[int, int, int, int]
) -> None:
    cores, threads, base_clock_mhz, power_watts = facts
    body = TAGS[tag].body
    assert (body["tag"], body["num-cores"]) == (family, cores)
    hardware = body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware["cores"] == cores
    assert hardware["threads"] == threads
    assert hardware["base_clock_hz"] == base_clock_mhz * 1_000_000
    assert hardware["power_watts"] == power_watts


def test_altra_max_does_not_inherit_the_launch_of_the_first_altra() -> None:
    hardware = TAGS["ampere/altra-max-m128-30"].body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware["launched"] is None


def test_no_processor_without_avx_inherits_a_family_with_it() -> None:
    assert not [name for name in TAGS if "celeron" in name or "pentium" in name]


def test_source_is_the_file_of_the_product() -> None:
    first, *_lists = TAGS["amd/epyc-9654"].sources
    assert first.endswith("/hardware/cpu/amd/epyc_9654.pan")
