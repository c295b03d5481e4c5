"""Names that drivers print belong to one tag, or to none."""

from collections import Counter

import pytest

from catalogue_tools.facts import Row, read_table, rows_by
from catalogue_tools.generators import GENERATORS
from catalogue_tools.tags import GeneratedTag
from registry.services.core import shipped_facts

TABLE = "device-names/gpus"


def row(name: str) -> Row:
    return rows_by(TABLE, "name")[name]


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("NVIDIA H100 80GB HBM3", "nvidia/h100-80gb-hbm3"),
        ("NVIDIA GeForce RTX 4090", "nvidia/geforce-rtx-4090"),
        ("AMD Instinct MI300X", "amd/instinct-mi300x"),
        ("AMD Radeon RX 480 Graphics", "amd/radeon-rx-480"),
        ("Intel(R) Arc(TM) B390 GPU", "intel/arc-b390"),
        ("Apple M1 Max", "apple/m1-max:metal"),
    ],
)
def test_name_of_one_product_has_its_tag(name: str, tag: str) -> None:
    assert row(name)["tag"] == tag


@pytest.mark.parametrize(
    "name",
    [
        "AMD Radeon Graphics",
        "AMD Radeon 500 Series",
        "AMD Instinct MI250X / MI250",
        "AMD Radeon 840M Graphics",
        "Intel(R) Graphics",
        "Intel(R) UHD Graphics 730",
        "Intel(R) Arc(TM) Pro A40/A50 Graphics",
        "NVIDIA H100",
        "QUALCOMM Adreno(TM)",
    ],
)
def test_name_that_products_share_belongs_to_none(name: str) -> None:
    assert row(name)["generic"]
    assert "tag" not in row(name)


def test_every_name_has_a_tag_of_the_catalogue_or_is_shared() -> None:
    generated = (item for generator in GENERATORS for item in generator())
    tags = {
        item.name for item in generated if isinstance(item, GeneratedTag) and not item.is_family
    }
    tags |= {tag.name for tag in shipped_facts.written_tags() if not tag.is_family}
    for entry in read_table(TABLE).rows:
        assert ("tag" in entry) != entry.get("generic", False), entry
        assert entry.get("tag") is None or entry["tag"] in tags, entry
        assert entry["sources"]
        assert entry["reported_by"]


def test_a_name_stands_there_once_in_any_case() -> None:
    spelled = Counter(entry["name"].strip() for entry in read_table(TABLE).rows)
    assert set(spelled.values()) == {1}
    tags_by_name: dict[str, set[str | None]] = {}
    for entry in read_table(TABLE).rows:
        tags_by_name.setdefault(entry["name"].lower(), set()).add(entry.get("tag"))
    assert all(len(tags) == 1 for tags in tags_by_name.values())
