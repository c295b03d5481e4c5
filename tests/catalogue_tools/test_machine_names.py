"""The shipped table of names: each name stands for a tag that is shipped, or for none."""

import json
from functools import cache

import pytest

from catalogue_tools.facts import Row, read_table
from catalogue_tools.generate import GenerationError
from catalogue_tools.machine_names import (
    ABSENT,
    DRIVERS,
    MACHINE_NAMES,
    Product,
    machine_names,
)
from catalogue_tools.tags import Missing
from registry.domain.identify.notations.product_names import read
from registry.domain.names.machine_names import (
    UNKNOWN,
    Absent,
    Ambiguous,
    OneTag,
    fold_machine_name,
    tags_named,
)
from registry.services.core import shipped_facts

MISSING = json.loads((shipped_facts.CATALOGUE / "missing.json").read_text())["missing"]


@cache
def table() -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = json.loads((shipped_facts.CATALOGUE / MACHINE_NAMES).read_text())
    return rows


def meaning(text: str) -> object:
    return tags_named(text, shipped_facts.machine_names())


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("NVIDIA H100 80GB HBM3", "nvidia/h100-80gb-hbm3"),  # nvidia-smi
        ("NVIDIA_H100_80GB_HBM3", "nvidia/h100-80gb-hbm3"),  # a tuned kernel's file
        ("AMD Instinct MI300X", "amd/instinct-mi300x"),
        ("AMD Radeon RX 7900 XTX (RADV NAVI31)", "amd/radeon-rx-7900-xtx"),  # Vulkan
        ("Intel(R) Arc(TM) A770 Graphics", "intel/arc-a770"),  # OpenCL
        ("Adreno (TM) 740", "qcom/adreno-740"),
        ("Mali-G78", "arm/mali-g78"),
        ("Apple M1 Max", "apple/m1-max"),  # Metal, and sysctl
        ("10de:2330", "nvidia/h100-80gb-hbm3"),
        ("10de:2684", "nvidia/geforce-rtx-4090"),
        ("8086:56a0", "intel/arc-a770"),
        ("AMD EPYC 7763 64-Core Processor", "amd/epyc-7763"),  # lscpu
        ("13th Gen Intel(R) Core(TM) i9-13900K", "intel/core-i9-13900k"),
        ("Raspberry Pi 4 Model B Rev 1.4", "raspberry-pi/4-model-b"),
        ("iPhone16,1", "apple/iphone-15-pro"),
        ("SM-T870", "samsung/galaxy-tab-s7"),
        ("rpi4", "raspberry-pi/4-model-b"),
        ("pi 4b", "raspberry-pi/4-model-b"),
        ("7840hs", "amd/ryzen-7-7840hs"),
        ("i7 12700h", "intel/core-i7-12700h"),
        ("threadripper 5995wx", "amd/ryzen-threadripper-pro-5995wx"),
        ("rtx 4090", "nvidia/geforce-rtx-4090"),
        ("mac mini m4", "apple/mac-mini-m4-2024"),
        ("snapdragon 8 gen 3", "qcom/sm8650"),
        ("Samsung Galaxy S23", "samsung/galaxy-s23-sm8550"),  # sold with one chip
        ("galaxy s24 ultra", "samsung/galaxy-s24-ultra-sm8650"),
        ("SM-G960F", "samsung/galaxy-s9-exynos-9810"),
        ("iris xe max", "intel/iris-xe-max"),
    ],
)
def test_name_stands_for_a_tag(text: str, tag: str) -> None:
    answer = meaning(text)
    assert isinstance(answer, OneTag)
    assert answer.tag == tag


@pytest.mark.parametrize(
    "text",
    [
        *("inferentia2", "steam deck", "gaudi 3", "trn2", "edge tpu", "hailo-8", "tpu v5e"),
        *("core 7 150u", "14900hx", "ps5", "apple watch", "p5.48xlarge", "ascend 910c", "n150"),
    ],
)
def test_name_of_a_missing_product_has_the_reason(text: str) -> None:
    answer = meaning(text)
    assert isinstance(answer, Absent)
    assert answer.reason in {row["reason"] for row in MISSING}


@pytest.mark.parametrize(
    "text",
    [
        *("NVIDIA H100", "AMD Radeon Graphics", "Intel(R) UHD Graphics 730", "1002:744c", "jetson"),
        *("10de:1f91", "macbook air m3", "mac mini", "alioth", "1250p", "xt2083-3", "orin"),
        *("galaxy s9", "Samsung Galaxy S22 5G", "s24", "Galaxy S21 Ultra", "galaxy note10+"),
        *("iris xe", "Intel Iris Xe", "LG Velvet", "Redmi Note 10 Pro", "realme 9 5g", "LEX720"),
        *("ThinkPad T14s Gen 6", "Surface Laptop 7", "ASUS Vivobook S 15", "ASUS Zenbook A14"),
        *("A100 80GB", "nvidia a100 80gb", "matebook e go", "surface pro 11"),
    ],
)
def test_ambiguous_name_stands_for_no_tag(text: str) -> None:
    assert isinstance(meaning(text), Ambiguous)


def test_the_whole_of_a_name_goes_before_a_product_in_it() -> None:
    listed = [name for row in table()["names"] for name in row["names"]]
    chosen = {*listed[::40], *(name for name in listed if "," in name)}  # each takes a millisecond
    first = {name: [reading.names[0] for reading in read(name)] for name in chosen}
    assert sum(map(bool, first.values())) > 100
    assert {name: names for name, names in first.items() if {*names} - {name}} == {}


# One digit or letter away, another generation, a part of a name, or a word of it.
UNNAMED = (
    *("rtx 4095", "rtx 5095", "rtx 4090 super", "rtx 40900", "rtx 409", "rtx 4090x", "4090", "rtx"),
    *("geforce", "geforce rtx", "gtx 4090", "rx 4090", "radeon rx 7900", "rx 7950 xtx", "rx 9090"),
    *("nvidia h110 80gb hbm3", "nvidia h100 80gb hbm2", "h101", "h300", "a101", "b250"),
    *("amd instinct mi310x", "mi300y", "instinct", "mi3000x", "arc a775", "arc a7700", "arc"),
    *("i7 12701h", "i7 12700hz", "i7-1270h", "i9-13901k", "i7-12700 h 5", "i6-12700h", "core i7"),
    *("7841hs", "7840hsx", "784hs", "ryzen 7 7841hs", "ryzen 7", "ryzen", "threadripper 5996wx"),
    *("5995w", "7900x", "5500u", "9700f", "6800k", "12700", "5950", "epyc 7764", "epyc", "xeon"),
    *("xeon gold 6449y", "xeon platinum 8481c x", "e5-2689x", "2650l", "2687w", "core 7150u"),
    *("rpi6", "rpi44", "raspberry pi", "raspberry pi 6 model b", "pi", "pi 6", "rpi4 rev", "pi 4c"),
    *("iphone", "iphone 99", "iphone 3gs", "iphone161", "iphone16,9", "ipad mini 9", "galaxy"),
    *("galaxy s99", "pixel", "pixel 99", "pixel 7b", "sm-t879x", "mac mini m9", "macbook m4"),
    *("mac", "apple", "apple m9", "apple m1 mini", "m1 maxx", "m12", "adreno 999", "adreno"),
    *("mali", "mali-g79", "mali-g7800", "snapdragon", "snapdragon 8 gen 9", "snapdragon 821 lite"),
    *("jetson nano 2", "jetson orin mega", "esp32-s9", "stm32", "teensy 9", "10de:ffff", "10de"),
    *("10de:", "8086:0000", "1003:2330", "vulkan", "cuda", "metal", "cpu", "gpu", "native"),
    *("steam", "deck", "gaudi 9", "trn9", "inferentia 3", "tpu v99", "hailo-9", "ps6", "xbox"),
    *("x" * 40, "0", "1", "q", "", " ", "-", "(r)", "NVIDIA", "AMD", "Intel(R) Core(TM)"),
)


def test_other_texts_stand_for_nothing() -> None:
    assert len(set(UNNAMED)) >= 130
    assert {text: meaning(text) for text in UNNAMED if meaning(text) != UNKNOWN} == {}


def test_every_name_is_of_a_shipped_tag_that_is_no_family() -> None:
    tags = {tag.name for tag in shipped_facts.every_tag() if not tag.is_family}
    assert {row["tag"] for row in table()["names"]} - tags == set()
    assert {tag for row in table()["ambiguous"] for tag in row["tags"]} - tags == set()


def test_every_printed_name_has_the_recorded_tag_or_none() -> None:
    for row in read_table(DRIVERS).rows:
        answer = meaning(row["name"])
        if row.get("generic"):
            assert isinstance(answer, Ambiguous), row
        else:
            assert isinstance(answer, OneTag), row
            assert row["tag"] in {answer.tag, *answer.variants}, row


def test_no_name_of_a_missing_product_is_that_of_a_tag() -> None:
    names = {fold_machine_name(name) for row in table()["names"] for name in row["names"]}
    stated = {fold_machine_name(row["name"]) for row in (*table()["absent"], *table()["ambiguous"])}
    assert names & stated == set()


@pytest.mark.parametrize(
    ("platform", "tags"),
    [
        ("msmnile", ("qcom/sm8150", "qcom/sm8150-ac")),
        ("kona", ("qcom/sm8250", "qcom/sm8250-ab", "qcom/sm8250-ac")),
        ("lahaina", ("qcom/sm8350", "qcom/sm8350-ac", "qcom/sm7325")),
        ("taro", ("qcom/sm8450", "qcom/sm8475")),
        ("kalama", ("qcom/sm8550",)),
        ("Pineapple", ("qcom/sm8650",)),
        ("lito", ("qcom/sm7250",)),
    ],
)
def test_a_platform_of_android_stands_for_its_chips_and_for_none(
    platform: str, tags: tuple[str, ...]
) -> None:
    meaning = tags_named(platform, shipped_facts.machine_names())
    assert isinstance(meaning, Ambiguous)
    assert meaning.tags == tags
    assert meaning.reason


@pytest.mark.parametrize(
    "text",
    ["kalam", "kalama2", "taro root", "kona coffee", "lahainap", "pine apple 2", "msm", "mt6983"],
)
def test_what_is_like_a_platform_is_none(text: str) -> None:
    assert tags_named(text, shipped_facts.machine_names()) is UNKNOWN


def test_there_are_thousands_of_names_and_few_are_ambiguous() -> None:
    meanings = list(shipped_facts.machine_names().meanings.values())
    assert sum(isinstance(each, OneTag) for each in meanings) > 15_000
    assert sum(isinstance(each, Ambiguous) for each in meanings) < 450
    assert sum(isinstance(each, Absent) for each in meanings) > 200


def names_of(*products: Product) -> dict[str, list[str]]:
    """Return the names that products get by their model, with those of no table."""
    missing = [Missing(**row) for row in MISSING]
    rows = machine_names(products, missing)["names"]
    own = {product.tag for product in products}
    return {row["tag"]: row["names"] for row in rows if row["tag"] in own}


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (
            "Intel Core i7-99700H",
            ["99700H", "Core i7-99700H", "Intel Core i7-99700H", "i7-99700H"],
        ),
        ("AMD Ryzen 9 9999X", ["AMD Ryzen 9 9999X", "Ryzen 9 9999X"]),  # a Core may be called so
        (
            "Intel Xeon E5-9650L v3",
            ["E5-9650L v3", "Intel Xeon E5-9650L v3", "Xeon E5-9650L v3"],
        ),
        ("GeForce RTX 9990", ["GeForce RTX 9990", "RTX 9990", "acme GeForce RTX 9990"]),
    ],
)
def test_part_of_a_model_is_a_name_if_nothing_else_can_be_meant(
    model: str, names: list[str]
) -> None:
    assert names_of(Product("acme/x", (), model)) == {"acme/x": names}


def test_pro_can_be_left_out_unless_another_product_is_called_so() -> None:
    pro = Product("acme/pro", (), "AMD Ryzen 7 PRO 9940HS")
    plain = Product("acme/plain", (), "AMD Ryzen 7 9940HS")
    assert "Ryzen 7 9940HS" in names_of(pro)["acme/pro"]
    both = names_of(pro, plain)
    assert "9940HS" in both["acme/plain"]
    assert not {"9940HS", "Ryzen 7 9940HS"} & {*both["acme/pro"]}


def test_missing_product_without_a_reason_is_an_error() -> None:
    with pytest.raises(GenerationError, match=f"{ABSENT} names .*, which 0 products are"):
        machine_names((), ())
