"""Machine types of the clouds, compared by hand with the tables that state them."""

from typing import Any

import pytest

from catalogue_tools.clouds import aws, azure, gcp, graviton
from catalogue_tools.tags import Disagreement, Missing
from tests.catalogue_tools.clouds.builders import cpu_of, shipped

GIB = 2**30


@pytest.mark.parametrize(
    ("name", "family", "cores", "threads", "memory"),
    [
        ("aws/c5.9xlarge", "aws/c5", 18, 36, 72 * GIB),
        ("aws/c7a.xlarge", "aws/c7a", 4, 4, 8 * GIB),  # AMD without multithreading
        ("aws/c8g.4xlarge", "aws/c8g", 16, 16, 32 * GIB),
        ("aws/t2.nano", "aws/t2", 1, 1, GIB // 2),
        ("aws/t3.nano", "aws/t3", 1, 2, GIB // 2),
        ("azure/d4s-v5", "azure/dsv5", 2, 4, 16 * GIB),
        ("azure/d4ps-v6", "azure/dpsv6", 4, 4, 16 * GIB),
        ("azure/f4as-v6", "azure/fasv6", 4, 4, 16 * GIB),
        ("azure/fx12mds", "azure/fx", 6, 12, 252 * GIB),
        ("azure/hb120rs-v3", "azure/hbv3", 120, 120, 456 * GIB),
        ("gcp/c3-standard-22", "gcp/c3", 11, 22, 88 * GIB),
        ("gcp/e2-micro", "gcp/e2", 1, 2, GIB),
        ("gcp/n1-standard-1", "gcp/n1", 1, 1, 15 * GIB // 4),
        ("gcp/n2-standard-8", "gcp/n2", 4, 8, 32 * GIB),
        ("gcp/t2d-standard-60", "gcp/t2d", 60, 60, 240 * GIB),
    ],
)
def test_machine_has_the_size_that_the_table_states(
    name: str, family: str, cores: int, threads: int, memory: int
) -> None:
    body: dict[str, Any] = dict(shipped()[name].body)
    assert body["tag"] == f"{family}@1"
    assert body["num-cores"] == body["hardware"]["cores"] == cores
    assert (body["hardware"]["threads"], body["hardware"]["memory_bytes"]) == (threads, memory)


@pytest.mark.parametrize(
    ("family", "mcpu"),
    [
        ("aws/c5", "skylake-avx512"),  # some are Cascade Lake
        ("aws/graviton", "cortex-a72"),
        ("aws/graviton4", "neoverse-v2"),
        ("aws/m4", "haswell"),  # most are Broadwell
        ("azure/dasv4", "znver2"),  # only Milan was seen
        ("azure/dpsv6", "neoverse-n2"),
        ("azure/dsv2", "haswell"),  # the oldest that was seen is a Broadwell
        ("azure/dsv5", "icelake-server"),
        ("gcp/c4a", "neoverse-v2"),
        ("gcp/e2", "x86-64-v3"),  # Intel and AMD
        ("gcp/n1", "sandybridge"),
        ("gcp/n2", "cascadelake"),
        ("gcp/n2d", "znver2"),
    ],
)
def test_family_takes_the_oldest_processor(family: str, mcpu: str) -> None:
    assert shipped()[family].is_family
    assert shipped()[family].body["mcpu"] == mcpu


@pytest.mark.parametrize(
    ("family", "mcpu"),
    [
        *(("n1", "haswell"), ("n2", "haswell"), ("e3", "haswell"), ("sn1", "haswell")),
        *(("sn2", "haswell"), ("n4", "broadwell"), ("d1ne", "broadwell"), ("i1", "broadwell")),
        *(("se1", "broadwell"), ("sn2ne", "broadwell"), ("ic5", "skylake-avx512")),
        # Nothing is documented that is older than what was measured.
        *(("mn4", "broadwell"), ("c5", "skylake-avx512"), ("c6", "cascadelake")),
        *(("g7ne", "cooperlake"), ("t5", "skylake-avx512"), ("c8a", "znver4")),
    ],
)
def test_measured_family_takes_an_older_processor_that_is_documented(
    family: str, mcpu: str
) -> None:
    assert cpu_of(f"alibaba/ecs.{family}")["mcpu"] == mcpu


@pytest.mark.parametrize(
    ("family", "processor"),
    [("aws/a1", "graviton"), ("aws/c6g", "graviton2"), ("aws/t4g", "graviton2")],
)
def test_families_with_graviton_inherit_from_it(family: str, processor: str) -> None:
    assert shipped()[family].body["tag"] == f"aws/{processor}@1"


def test_cascade_lake_of_c5_and_ice_lake_of_n2_are_variants() -> None:
    assert shipped()["aws/c5:cascadelake"].body["mcpu"] == "cascadelake"
    assert shipped()["aws/c5.24xlarge:cascadelake"].body["tag"] == "aws/c5:cascadelake@1"
    assert shipped()["gcp/n2-standard-8:icelake-server"].body["tag"] == "gcp/n2:icelake-server@1"


def test_azure_sizes_are_found_by_azures_names() -> None:
    assert shipped()["azure/d4s-v5"].aliases == ("azure/Standard_D4s_v5",)


@pytest.mark.parametrize(
    "name",
    [
        "alibaba/ecs.gn6v-c8g1.2xlarge",  # hides AVX
        "aws/m1.large",
        "aws/p5.48xlarge",
        "aws/r9g.large",
        "aws/t8i.large",
        "azure/d1",
        "azure/e4-2s-v5",
        "azure/m128ms",
        "gcp/a3-edgegpu-8g",  # no list says which GPU it has
        "gcp/tpu7x-standard-1t",
        "upcloud/gpu-16xcpu-192gb-2xl40s",  # nvidia-smi showed no GPU
        "vultr/vbm-4c-32gb",
    ],
)
def test_what_the_facts_do_not_settle_is_left_out(name: str) -> None:
    assert name not in shipped()


def test_every_machine_has_a_known_family_and_a_number_of_cores() -> None:
    tags = shipped()
    families = {name for name, tag in tags.items() if tag.is_family}
    for name, tag in tags.items():
        if not tag.is_family and "num-cores" in tag.body and "tag" in tag.body:
            assert str(tag.body["tag"]).removesuffix("@1") in families, name
            assert int(str(tag.body["num-cores"])) >= 1


def test_trainium_of_tvm_gets_hosts() -> None:
    tag = shipped()["aws/trn1/trn1.2xlarge:cpu"]
    assert tag.body["num-cores"] == 4
    assert tag.aliases == ("aws/trn1.2xlarge:cpu",)
    assert shipped()["aws/trn1n.32xlarge"].body["tag"] == "aws/trn1/trn1.32xlarge@1"


def test_inferentia_is_missing_and_its_instances_are_cpus() -> None:
    missing = [item.product for item in aws.tags() if isinstance(item, Missing)]
    assert "AWS Inferentia (inf1)" in missing
    assert shipped()["aws/inf1.xlarge"].body["num-cores"] == 2


@pytest.mark.parametrize(
    ("name", "parent", "cores", "accelerators"),
    [
        ("aws/g4dn.12xlarge", "aws/g4dn:nvidia-t4", 24, 4),
        ("aws/g5g.16xlarge", "aws/g5g:t4g", 64, 2),
        ("aws/g6.xlarge", "aws/g6:l4", 2, 1),
        ("aws/p3.8xlarge", "aws/p3:tesla-v100-sxm2-16gb", 16, 4),
        ("aws/p4d.24xlarge", "aws/p4d:a100-sxm4-40gb", 48, 8),
        ("azure/nc24ads-a100-v4", "azure/ncads-a100-v4:a100-80gb-pcie", 24, 1),
        ("azure/nd96isr-h100-v5", "azure/ndisr-h100-v5:h100-80gb-hbm3", 96, 8),
        ("azure/nv36ads-a10-v5", "azure/nvads-a10-v5:nvidia-a10", 18, 1),
        ("gcp/a2-ultragpu-8g", "gcp/a2:a100-sxm4-80gb", 48, 8),
        ("gcp/a3-highgpu-8g", "gcp/a3:h100-80gb-hbm3", 104, 8),
        ("gcp/g2-standard-24", "gcp/g2:l4", 12, 2),
    ],
)
def test_gpus_are_devices_of_the_machine(
    name: str, parent: str, cores: int, accelerators: int
) -> None:
    body: dict[str, Any] = dict(shipped()[name].body)
    assert (body["tag"], body["host"]) == (f"{parent}@1", f"{name}:cpu@1")
    assert body["hardware"]["accelerators"] == accelerators
    assert shipped()[f"{name}:cpu"].body["num-cores"] == cores


@pytest.mark.parametrize(
    ("name", "parent"),
    [("aws/g6f.xlarge", "aws/g6f:ada"), ("azure/nv6ads-a10-v5", "azure/nvads-a10-v5:ampere-sm86")],
)
def test_part_of_a_gpu_is_its_architecture_without_a_number(name: str, parent: str) -> None:
    body: dict[str, Any] = dict(shipped()[name].body)
    assert body["tag"] == f"{parent}@1"
    assert "accelerators" not in body["hardware"]


def test_names_of_tvm_get_the_machines_that_they_mean() -> None:
    assert shipped()["aws/cpu/c5.9xlarge"].body == {"tag": "aws/c5.9xlarge@1"}
    assert shipped()["aws/cpu/c5.12xlarge"].body == {"tag": "aws/c5.12xlarge:cascadelake@1"}
    body: dict[str, Any] = dict(shipped()["aws/trn1/trn1.2xlarge"].body)
    assert (body["kind"], body["num-cores"]) == ("trn", 2)
    assert body["hardware"]["accelerator_memory_bytes"] == 32 * GIB
    assert body["host"] == "aws/trn1/trn1.2xlarge:cpu@1"


def test_disagreements_name_both_values() -> None:
    items = [
        item
        for generator in (aws.tags, azure.tags, gcp.tags, graviton.tags)
        for item in generator()
    ]
    disagreements = [item for item in items if isinstance(item, Disagreement)]
    assert {item.tag for item in disagreements} >= {"aws/graviton3", "aws/g4dn:nvidia-t4"}
    for item in disagreements:
        assert len(item.values) == 2
        assert item.tag in shipped()


def test_sources_are_files_at_a_commit_or_pages() -> None:
    for tag in shipped().values():
        assert tag.sources
        assert all("*" not in url and url.startswith("https://") for url in tag.sources)


def test_no_machine_of_a_family_with_accelerators_is_a_mere_cpu() -> None:
    tags = shipped()
    accelerated = {
        name.partition(":")[0]
        for name, tag in tags.items()
        if tag.is_family and ":" in name and "mcpu" not in tag.body
    }
    assert len(accelerated) > 35
    parents = {
        name: str(tag.body.get("tag", "")).partition("@")[0]
        for name, tag in tags.items()
        if not tag.is_family and ":" not in name
    }
    assert [name for name, parent in parents.items() if parent in accelerated] == []
