"""Accelerators that an open compiler takes, and those that none does."""

import pytest

from catalogue_tools import gaps
from catalogue_tools.facts import read_table
from catalogue_tools.gpus import npus
from catalogue_tools.tags import GeneratedTag
from registry.services.core import shipped_facts
from tests.catalogue_tools.gpus.facts_of import hardware

GB = 10**9


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    return {tag.name: tag for tag in npus.tags()}


@pytest.mark.parametrize(
    ("name", "codegen", "model"),
    [
        ("tenstorrent/n300", "tt-mlir", "wormhole_b0"),
        ("tenstorrent/p150", "tt-mlir", "blackhole"),
        ("amd/xdna", "iree-amd-aie", "npu1_4col"),
        ("amd/xdna-2", "iree-amd-aie", "npu4"),
        ("intel/npu-4000", "npu_compiler", "4000"),
        ("canaan/k210-kpu", "nncase", "k210"),
    ],
)
def test_accelerator_names_its_compiler_and_the_name_that_it_takes(
    tags: dict[str, GeneratedTag], name: str, codegen: str, model: str
) -> None:
    body = tags[name].body
    assert (body["kind"], body["codegen"]) == ("byoc", codegen)
    assert body["devices"] == {"core": {"kind": "ext_dev", "model": model}}


def test_ethos_u_is_a_sub_compilation(tags: dict[str, GeneratedTag]) -> None:
    npu = tags["arm/ethos-u55-256"]
    assert npu.body["codegen"] == "ethos-u"
    assert npu.message == "Ethos-U55 with 256 multiplications and additions in a cycle"
    assert hardware(npu)["compute_units"] == 1
    assert not npu.correction


def test_ethos_u_that_tvm_refuses_is_compiled_by_vela(tags: dict[str, GeneratedTag]) -> None:
    codegens = {name: tag.body["codegen"] for name, tag in tags.items() if "/ethos-u" in name}
    assert {name for name, codegen in codegens.items() if codegen == "vela"} == {
        *("arm/ethos-u65-512", "arm/ethos-u85-128", "arm/ethos-u85-256", "arm/ethos-u85-512"),
        *("arm/ethos-u85-1024", "arm/ethos-u85-2048"),
    }
    assert tags["arm/ethos-u85-256"].correction.startswith("TVM's code generator ethos-u refuses")
    assert npus.ETHOS_NAMES in tags["arm/ethos-u85-256"].sources


def test_message_names_the_chips_and_the_compiler(tags: dict[str, GeneratedTag]) -> None:
    assert tags["amd/xdna"].message == (
        "AMD XDNA of Phoenix and Hawk Point, which iree-amd-aie takes as npu1_4col"
    )
    assert tags["tenstorrent/n150"].message == (
        "Tenstorrent n150, which tt-mlir takes as wormhole_b0"
    )


def test_compilers_of_accelerators_are_not_those_of_tvm() -> None:
    known = shipped_facts.lint_facts().codegens
    assert not {row["codegen"] for row in read_table(npus.ACCELERATORS).rows} & known.keys()


def test_facts_of_a_card_are_those_of_its_vendor(tags: dict[str, GeneratedTag]) -> None:
    facts = hardware(tags["tenstorrent/n150"])
    assert facts["memory_bytes"] == 12 << 30
    assert facts["memory_bandwidth_bytes_per_s"] == 288 * GB
    assert facts["power_watts"] == 160
    assert facts["peak_ops_per_s"] == {"fp8": 262_000 * GB, "fp16": 74_000 * GB}
    assert [url.rpartition("core/")[2] for url in facts["sources"]["memory"]] == [
        "aibs/wormhole/index.md"
    ]


@pytest.mark.parametrize("name", ["tenstorrent/n150", "tenstorrent/n300", "tenstorrent/p150"])
def test_cores_that_the_vendor_states_differently_are_listed_and_left_out(
    tags: dict[str, GeneratedTag], name: str
) -> None:
    (listed,) = [item for item in gaps.disagreements() if item.tag == name]
    assert listed.fact == "compute_units"
    assert len(listed.values) == 2
    assert "compute_units" not in hardware(tags[name])


@pytest.mark.parametrize("prefix", ["amd/xdna", "intel/npu-", "canaan/"])
def test_figures_that_only_the_press_states_are_left_out(
    tags: dict[str, GeneratedTag], prefix: str
) -> None:
    facts = [hardware(tag) for name, tag in tags.items() if name.startswith(prefix)]
    assert facts
    assert all(
        each.keys() == {"category", "vendor", "model", "family", "sources"} for each in facts
    )


def test_peaks_of_block_formats_are_left_out(tags: dict[str, GeneratedTag]) -> None:
    assert "peak_ops_per_s" not in hardware(tags["tenstorrent/p150"])


def test_every_accelerator_has_a_tag_or_a_reason(tags: dict[str, GeneratedTag]) -> None:
    listed = {item.product for item in gaps.missing()}
    assert not listed & {"AMD XDNA", "Intel NPU"}  # have tags now
    for product in ("Google TPU v5e", "Hailo-8L", "Tenstorrent Grayskull e75", "AWS Trainium2"):
        assert product in listed
    models = {str(hardware(tag)["model"]) for tag in tags.values()}
    assert not {name for name in listed if any(name.endswith(model) for model in models)}
