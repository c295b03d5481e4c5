"""No tag of a cloud implies a feature that a machine of it does not report."""

from collections.abc import Set

import pytest

from catalogue_tools.clouds.accelerators import read_accelerators
from catalogue_tools.clouds.guests import (
    GPUS,
    GUESTS,
    hidden_features,
    left_out,
    measured,
)
from catalogue_tools.clouds.measured import CLOUDS
from catalogue_tools.clouds.processors import implied_features
from catalogue_tools.facts import Row, read_table, rows_by
from catalogue_tools.names import slug
from tests.catalogue_tools.clouds.builders import cpu_of, shipped

TYPES = {"aws": "karpenter/ec2_types", "gcp": "cyclenerd/gcp_types"}


MACHINE_GPUS = [row for row in read_table(GPUS).rows if ".gn6v" not in row["type"]]


def tag_of(row: Row) -> str:
    """Return the name that the tag of a measured machine has or would have."""
    name = row["type"].removeprefix("Standard_") if row["cloud"] == "azure" else row["type"]
    return f"{row['cloud']}/{slug(name)}"


MACHINES = [row for row in read_table(GUESTS).rows if tag_of(row) in shipped()]


def lacks(row: Row, mcpu: str, mattr: Set[str] = frozenset()) -> Set[str]:
    """Return the features that code for a processor may use and that a machine does not have."""
    if not implied_features(mcpu):
        return set() if row["mcpu"] == mcpu else {mcpu}
    had = implied_features(row["mcpu"]) - {*row.get("hides", ())}
    return implied_features(mcpu) - {feature.removeprefix("-") for feature in mattr} - had


def test_machines_have_what_their_tags_imply() -> None:
    assert len(MACHINES) > 3000
    missing = {}
    for row in MACHINES:
        body = cpu_of(tag_of(row))
        if features := lacks(row, body["mcpu"], {*body.get("mattr", ())}):
            missing[tag_of(row)] = features
    assert missing == {}


def test_newer_variants_imply_nothing_that_their_size_hides() -> None:
    rows = {tag_of(row): row for row in MACHINES if row["mcpu"] == "cascadelake"}
    tags = [name for name in shipped() if name.endswith(":cascadelake") and "." in name]
    assert len(tags) == 18
    for name in tags:
        row = rows.get(name.partition(":")[0], {"mcpu": "skylake-avx512"})
        assert not lacks(row, cpu_of(name)["mcpu"]), name


@pytest.mark.parametrize(
    ("family", "mcpu", "written_off"),
    [
        ("hetzner/ccx", "znver3", ["-vaes", "-vpclmulqdq"]),
        ("ovh/b3", "znver3", ["-vaes", "-vpclmulqdq"]),
        ("ovh/c3", "znver3", ["-vaes", "-vpclmulqdq"]),
        ("ovh/b2", "haswell", []),
        ("vultr/vc2", "broadwell", ["-adx", "-rdseed"]),
        ("vultr/voc-amd", "znver2", ["-adx", "-rdseed"]),
        ("vultr/vx1", "znver5", ["-rdseed"]),
        ("aws/r5d", "skylake-avx512", []),
        ("aws/d3", "skylake-avx512", []),
    ],
)
def test_features_that_a_hypervisor_hides_are_written_off(
    family: str, mcpu: str, written_off: list[str]
) -> None:
    body = shipped()[family].body
    assert (body["mcpu"], body.get("mattr", [])) == (mcpu, written_off)


@pytest.mark.parametrize(
    ("family", "mcpu"),
    [
        ("alibaba/ecs.c4", "broadwell"),  # some are Cooper Lake
        ("alibaba/ecs.c5", "skylake-avx512"),  # some are Cascade Lake
        ("alibaba/ecs.mn4", "broadwell"),  # three generations
        ("azure/ev3", "haswell"),  # Microsoft documents an older one than was seen
        ("gcp/m1", "broadwell"),  # Google documents a newer one than was seen
        ("hetzner/cpx", "znver2"),  # some are Zen 4
        ("hetzner/cx", "x86-64-v3"),  # of two makers
        ("upcloud/cloudnative", "znver2"),  # two of 43 are newer
        ("upcloud/gpu", "x86-64-v4"),  # of two makers
        ("github/ubuntu-24.04", "x86-64-v3"),
        ("github/ubuntu-24.04-arm", "neoverse-n1"),
    ],
)
def test_mixed_fleet_is_compiled_for_its_oldest_machine(family: str, mcpu: str) -> None:
    assert shipped()[family].body["mcpu"] == mcpu


def listed(field: str) -> dict[tuple[str, str], int]:
    """Return what the lists of three clouds state of each type, by cloud and type."""
    numbers = {
        (cloud, row["type"]): row[field]
        for cloud, table in TYPES.items()
        for row in read_table(table).rows
    }
    sizes = read_table("cluster-autoscaler/azure_sizes").rows
    return numbers | {("azure", row["size"]): row[field] for row in sizes}


def seen(field: str) -> dict[tuple[str, str], int]:
    """Return what machines show, by cloud and type."""
    rows = read_table(GUESTS).rows
    return {(row["cloud"], row["type"]): row[field] for row in rows if field in row}


def test_machines_have_the_threads_that_lists_state() -> None:
    stated, shown = listed("vcpus"), seen("threads")
    shared = stated.keys() & shown.keys()
    assert len(shared) > 2200
    assert {key: (stated[key], shown[key]) for key in shared if stated[key] != shown[key]} == {}


def test_machines_have_the_memory_that_lists_state() -> None:
    stated, shown = listed("memory_mib"), seen("memory_mib")
    shared = stated.keys() & shown.keys()
    different = {name for _, name in shared if abs(stated[_, name] - shown[_, name]) > 1}
    assert len(shared) > 1900
    # Enclaves take a part, a bare machine has more than is sold, and a list cuts 3.5 GiB to 3,
    # which corrections/facts corrects.
    enclaves = {name for name in different if name.startswith("Standard_DC")}
    metal = {"c4-highmem-288-metal", "c4-standard-288-metal"}
    assert different - enclaves == metal | {"Standard_D1_v2", "Standard_DS1_v2"}


def test_machines_of_clouds_without_lists_state_their_memory() -> None:
    for name in ("alibaba/ecs.c6.large", "ovh/b3-8", "upcloud/1xcpu-1gb", "azure/d4ds-v7"):
        assert "memory_bytes" in shipped()[name].body["hardware"]  # type: ignore[operator]


def test_machines_have_the_gpus_that_lists_state() -> None:
    listed = {row["type"]: row for row in read_table("karpenter/ec2_types").rows if "gpu" in row}
    listed |= {
        row["size"]: row
        for row in read_table("cluster-autoscaler/azure_sizes").rows
        if "gpu" in row
    }
    listed |= rows_by("skypilot/gcp_accelerators", "type")
    seen = {
        row["type"]: row.get("gpus")
        for row in MACHINE_GPUS
        if row["cloud"] in ("aws", "azure", "gcp")
    }
    shared = listed.keys() & seen.keys()
    assert len(shared) > 55
    wrong = {name for name in shared if listed[name].get("gpus") != seen[name]}
    assert wrong == set()


@pytest.mark.parametrize(
    ("family", "memory_mib"),
    [
        ("aws/g6e:l40s", 46068),  # with error correction
        ("vultr/vcg:l40s", 49140),  # without
        ("ovh/l40s:l40s", 46068),
        ("alibaba/ecs.gn6i:nvidia-t4", 15360),  # some have more
        ("aws/g6:l4", 23034),
    ],
)
def test_memory_of_a_gpu_is_what_its_driver_shows_in_that_cloud(
    family: str, memory_mib: int
) -> None:
    hardware = shipped()[family].body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware["accelerator_memory_bytes"] == memory_mib * 2**20


def test_part_of_a_gpu_states_no_memory_and_no_number() -> None:
    hardware = shipped()["vultr/vcg:ampere-sm86"].body["hardware"]
    assert isinstance(hardware, dict)
    assert "accelerator_memory_bytes" not in hardware
    assert "accelerators" not in shipped()["vultr/vcg-a16-2c-8g-2vram"].body["hardware"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "name",
    [
        "vultr/vhf-3c-8gb",
        "ovh/b3-8",
        "hetzner/cpx11",
        "upcloud/1xcpu-1gb",
        "ovh/l4-90:cpu",
        "azure/dc2s-v3",
    ],
)
def test_threads_of_a_hypervisor_that_hides_them_are_no_cores(name: str) -> None:
    body = shipped()[name].body
    assert "num-cores" not in body
    assert "cores" not in body["hardware"]  # type: ignore[operator]
    assert "threads" in body["hardware"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "cores"),
    [
        ("hetzner/cax11", 2),
        ("hetzner/ccx13", 1),
        ("vultr/vx1-g-2c-8g", 1),
        ("aws/u-6tb1.56xlarge", 224),
        ("aws/u-6tb1.112xlarge", 224),
    ],
)
def test_other_hypervisors_show_cores(name: str, cores: int) -> None:
    assert shipped()[name].body["num-cores"] == cores


@pytest.mark.parametrize("cloud", ["alibaba", "aws", "azure", "gcp", "vultr"])
def test_family_that_is_left_out_was_measured_and_has_no_tags(cloud: str) -> None:
    seen = {row["family"] for row in read_table(GUESTS).rows if row["cloud"] == cloud}
    assert left_out(cloud)
    assert left_out(cloud) <= seen
    assert not {f"{cloud}/{family}" for family in left_out(cloud)} & shipped().keys()
    assert not left_out(cloud) & measured(cloud).keys()


def test_hidden_features_are_those_of_the_processor_only() -> None:
    machines = [{"hides": ["vaes", "adx"]}, {}]
    assert hidden_features("znver3", machines) == ("adx", "vaes")
    assert hidden_features("haswell", machines) == ()
    assert hidden_features("neoverse-n1", machines) == ()


def test_every_gpu_of_a_measured_cloud_has_a_tag() -> None:
    gpus = {(row["cloud"], row["gpu"]) for row in MACHINE_GPUS if row["cloud"] in CLOUDS}
    assert len(gpus) > 15
    assert not {gpu for gpu in gpus if gpu[1] not in read_accelerators(gpu[0])}


def test_no_file_holds_more_than_400_tags() -> None:
    sizes: dict[str, int] = {}
    for tag in shipped().values():
        sizes[tag.file] = sizes.get(tag.file, 0) + 1
    assert max(sizes.values()) <= 400
