"""Products of lists have facts on which sources agree, and no flag that their chip lacks."""

import re
from collections import Counter
from typing import Any

import pytest

from catalogue_tools import corrections
from catalogue_tools.cpus import desktops, listed_products, product_lists, servers
from catalogue_tools.facts import Row, read_table, rows_by
from catalogue_tools.tags import Disagreement, GeneratedTag

TABLE = read_table(product_lists.TABLE)
ITEMS = tuple(listed_products.tags())
LISTED = {item.name: item for item in ITEMS if isinstance(item, GeneratedTag)}
DISAGREEMENTS = {(item.tag, item.fact) for item in ITEMS if isinstance(item, Disagreement)}
OTHERS = {
    item.name: item
    for generator in (desktops.tags, servers.tags)
    for item in generator()
    if isinstance(item, GeneratedTag)
}
CORRECTED = {(row["tag"], row["fact"]) for row in read_table(corrections.TABLE).rows}
SUFFICIENT = {11, 12}  # AMD's list of 2025, and OpenDB, may supply a fact alone
MIB, MHZ = 1 << 20, 1_000_000

PENTIUM = re.compile(r"Pentium|Celeron")
WITHOUT_AVX = {"intel/goldmont", "intel/goldmont-plus", "intel/no-avx", "intel/tremont"}
# Generations in which Pentium and Celeron have AVX: they share the chips of Xeon D, or are newer.
WITH_AVX = {
    *("intel/alder-lake", "intel/broadwell"),
    *("intel/tiger-lake", "intel/tiger-lake-no-avx512"),
}


def facts_of(tag: str) -> dict[str, Any]:
    body: Any = (LISTED | OTHERS)[tag].body
    facts: dict[str, Any] = body["hardware"]
    return facts


@pytest.mark.parametrize(
    ("tag", "family", "category", "facts"),
    [
        (
            "intel/core-i7-12700h",
            "intel/alder-lake",
            "laptop-cpu",
            {"cores": 14, "threads": 20, "performance_cores": 6, "efficiency_cores": 8},
        ),
        (
            "amd/ryzen-7-7840hs",
            "amd/zen4",
            "laptop-cpu",
            {"cores": 8, "boost_clock_hz": 5100 * MHZ, "l3_cache_bytes": 16 * MIB},
        ),
        (
            "amd/ryzen-ai-9-hx-370",
            "amd/zen5",
            "laptop-cpu",
            {"cores": 12, "threads": 24, "l2_cache_bytes": 12 * MIB, "power_watts": 28},
        ),
        (
            "intel/core-i5-8250u",
            "intel/kaby-lake",
            "laptop-cpu",
            {"cores": 4, "boost_clock_hz": 3400 * MHZ, "launched": "2017"},
        ),
        ("intel/xeon-w-2145", "intel/skylake-avx512", "desktop-cpu", {"cores": 8}),
        ("intel/xeon-e3-1535m-v6", "intel/kaby-lake", "laptop-cpu", {"cores": 4}),
        ("intel/xeon-d-1541", "intel/broadwell", "server-cpu", {"cores": 8, "power_watts": 45}),
        ("intel/xeon-e5-2670", "intel/sandy-bridge", "server-cpu", {"cores": 8}),
        ("intel/atom-x7-e3950", "intel/goldmont", "soc", {"cores": 4}),
        ("amd/ryzen-threadripper-pro-5995wx", "amd/zen3", "desktop-cpu", {"cores": 64}),
    ],
)
def test_products_have_the_facts_of_the_lists(
    tag: str, family: str, category: str, facts: dict[str, object]
) -> None:
    assert (LISTED | OTHERS)[tag].body["tag"] == f"{family}@1"
    assert facts_of(tag)["category"] == category
    assert {name: facts_of(tag)[name] for name in facts} == facts


def test_most_products_are_of_laptops() -> None:
    categories = Counter(facts_of(tag)["category"] for tag in LISTED)
    assert categories["laptop-cpu"] > 800
    assert categories["desktop-cpu"] > 500
    assert categories["server-cpu"] > 400
    assert categories.keys() == {"laptop-cpu", "desktop-cpu", "server-cpu", "soc"}


@pytest.mark.parametrize(
    ("tag", "family"),
    [
        # Dumps of these lack AVX, though LLVM's name of their microarchitecture implies it.
        ("intel/celeron-g1610", "intel/no-avx"),
        ("intel/pentium-g4400", "intel/no-avx"),
        ("intel/pentium-g4600", "intel/no-avx"),
        ("intel/pentium-gold-g5400", "intel/no-avx"),
        ("intel/pentium-gold-4415u", "intel/no-avx"),
        ("intel/pentium-gold-4425y", "intel/no-avx"),
        ("intel/pentium-gold-5405u", "intel/no-avx"),
        ("intel/celeron-6305", "intel/tiger-lake-no-avx512"),
        ("intel/pentium-gold-7505", "intel/tiger-lake-no-avx512"),
        ("intel/pentium-gold-g7400", "intel/alder-lake"),
        ("intel/core-ultra-7-265u", "intel/arrow-lake-u"),
        ("intel/core-ultra-9-285h", "intel/arrow-lake"),
        ("intel/core-ultra-9-275hx", "intel/arrow-lake-s"),
        ("amd/ryzen-5-5500u", "amd/zen2"),
        ("amd/ryzen-5-5600u", "amd/zen3"),
        ("amd/ryzen-3-7320u", "amd/zen2"),
        ("amd/ryzen-5-7530u", "amd/zen3"),
        ("amd/ryzen-7-7735hs", "amd/zen3-plus"),
        ("amd/ryzen-9-7945hx", "amd/zen4"),
        ("amd/ryzen-7-8845hs", "amd/zen4"),
    ],
)
def test_products_whose_name_misleads_have_the_family_of_their_dump(tag: str, family: str) -> None:
    assert LISTED[tag].body["tag"] == f"{family}@1"


def test_no_pentium_or_celeron_has_avx_that_only_its_family_implies() -> None:
    families = {row["family"] for row in TABLE.rows if "family" in row and is_pentium(row)}
    assert families <= WITHOUT_AVX | WITH_AVX
    mcpu = {row["tag"]: row["mcpu"] for row in read_table("llvm/x86_families").rows}
    assert mcpu["intel/no-avx"] == "x86-64-v2"
    assert mcpu["intel/tiger-lake-no-avx512"] == "x86-64-v3"
    assert mcpu["intel/arrow-lake-u"] == "meteorlake"


def is_pentium(row: Row) -> bool:
    return bool(PENTIUM.search(row["name"]))


@pytest.mark.parametrize(
    "tag",
    [
        "intel/celeron-847e",  # whether it has AVX, no page says
        "intel/celeron-b840",
        "intel/pentium-6805",
        "intel/celeron-4305u",  # its page says so, but a sister's dump has none
        "intel/pentium-1405",
        "intel/xeon-e3-1105c-v2",  # Ivy Bridge, which its list calls as Sandy Bridge
        "intel/celeron-3955u",  # 2 or 14 cores
        "intel/core-i9-14900hx",  # one list only
        "intel/core-5-120u",
        "intel/core-17-11375h",  # a typing error of one list
        "intel/300",
        "amd/ryzen-7-250",  # Zen 4 by no source
        "amd/ryzen-z1-extreme",
        "amd/ryzen-ai-9-465",  # a dump only
        "amd/ryzen-embedded-v1605b",
        "amd/epyc-7b13",
        "amd/fx-8350-with-wraith-cooler",  # another box of a product
        "amd/ryzen-7-3780u-microsoft-surface-edition",
        "intel/core-i7-plus-8700-includes-intel-optane-memory",
    ],
)
def test_products_that_sources_do_not_prove_have_no_tag(tag: str) -> None:
    assert tag not in LISTED


@pytest.mark.parametrize("row", [row for row in TABLE.rows if "Ryzen" in row["name"]], ids=str)
def test_ryzen_of_laptops_since_2022_have_the_cores_that_their_third_digit_says(row: Row) -> None:
    number = re.search(r"[78]\d(\d)(\d)(?:U|C|H|HS|HX|HX3D)$", row["name"])
    if row.get("category") == "laptop-cpu" and number:
        third, fourth = number.groups()
        zen3 = "amd/zen3-plus" if fourth == "5" else "amd/zen3"
        assert row["family"] == {"2": "amd/zen2", "3": zen3, "4": "amd/zen4"}[third]


def test_every_fact_has_two_sources_or_one_that_suffices() -> None:
    for row in TABLE.rows:
        for field in set(product_lists.FIELDS) & row.keys():
            sources = {*row.get("by", {}).get(field, row["sources"])}
            assert len(sources) > 1 or sources <= SUFFICIENT, (row["tag"], field)


def test_two_files_of_one_project_do_not_agree_with_each_other() -> None:
    repos = [source["repo"] for source in TABLE.header["sources"]]
    makers = {0: "ark", 1: "amd"}  # of one project, but of two makers
    for row in TABLE.rows:
        for field in set(product_lists.FIELDS) & row.keys():
            sources = {*row.get("by", {}).get(field, row["sources"])}
            independent = {makers.get(source, repos[source]) for source in sources}
            assert len(independent) == len(sources), (row["tag"], field)


def test_what_sources_state_differently_is_listed_and_left_out_unless_a_rule_decides() -> None:
    for row in TABLE.rows:
        for field, values in row.get("differ", {}).items():
            assert len(set(values.values())) > 1
            assert field not in row or field in product_lists.CHOICES, (row["tag"], field)
    listed = {(row["tag"], field) for row in TABLE.rows for field in row.get("differ", ())}
    assert len(listed) == len(DISAGREEMENTS) > 50
    for item in ITEMS:
        if isinstance(item, Disagreement):
            is_stated = item.fact in facts_of(item.tag) or (item.tag, item.fact) in CORRECTED
            assert bool(item.choice) == is_stated, item


def test_no_value_of_small_cores_counts_as_level_3_cache() -> None:
    small = {"intel/goldmont", "intel/goldmont-plus", "intel/tremont", "intel/lakefield"}
    rows = [row for row in TABLE.rows if row.get("family") in small]
    assert len(rows) > 50
    assert not [row["tag"] for row in rows if "l3_mib" in row]


def test_kinds_of_cores_add_up() -> None:
    hybrid = [row for row in TABLE.rows if "e" in row]
    assert len(hybrid) > 100
    for row in hybrid:
        assert row["p"] + row["e"] == row["cores"], row["tag"]
        assert row["p"] > 0 < row["e"]


@pytest.mark.parametrize(
    ("tag", "megahertz"),
    [
        ("intel/core-i7-12700k", 5000),  # 4900 without Turbo Boost Max 3.0
        ("intel/core-i7-13700k", 5400),
        ("intel/core-i7-14700k", 5600),
        ("intel/core-i9-14900k", 6000),  # with Thermal Velocity Boost
        ("intel/core-ultra-7-265k", 5500),
        ("intel/core-i7-7820x", 4500),  # 4300 without Turbo Boost Max 3.0
        ("intel/core-i9-10980xe", 4800),
        ("intel/xeon-w-3275", 4600),
    ],
)
def test_boost_is_the_highest_clock_of_one_core(tag: str, megahertz: int) -> None:
    assert facts_of(tag)["boost_clock_hz"] == megahertz * MHZ
    assert (tag, "boost_clock_hz") in DISAGREEMENTS


@pytest.mark.parametrize(
    "tag",
    [
        *("intel/core-i7-6800k", "intel/core-i7-6950x", "intel/core-i9-9980xe"),
        *("intel/core-i7-14700kf", "intel/core-i9-14900ks", "intel/core-ultra-9-285k"),
        *("intel/xeon-w-2295", "intel/xeon-w-11855m"),
    ],
)
def test_boost_that_one_source_states_higher_than_others_is_left_out(tag: str) -> None:
    assert "boost_clock_hz" not in facts_of(tag)
    assert (tag, "boost_clock_hz") in DISAGREEMENTS


def test_a_cache_is_what_the_chip_reports_in_its_dump() -> None:
    assert facts_of("intel/core-i3-6100")["l3_cache_bytes"] == 3 * MIB
    assert facts_of("intel/xeon-platinum-8180")["l3_cache_bytes"] == int(38.5 * MIB)
    assert "l3_cache_bytes" not in facts_of("intel/xeon-gold-6336y")


def test_server_processors_gain_cache_and_boost() -> None:
    facts = [facts_of(tag) for tag in OTHERS if facts_of(tag)["category"] == "server-cpu"]
    assert sum("l3_cache_bytes" in each and "boost_clock_hz" in each for each in facts) > 340


def test_a_list_that_only_confirms_states_three_facts_of_epyc() -> None:
    paths = [source["path"] for source in TABLE.header["sources"]]
    confirming = next(number for number, path in enumerate(paths) if "techpowerup" in path)
    confirmed = {
        (row["name"].split()[1], field)
        for row in TABLE.rows
        for field in set(product_lists.FIELDS) & row.keys()
        if confirming in row.get("by", {}).get(field, row["sources"])
    }
    assert confirmed == {("EPYC", "boost_ghz"), ("EPYC", "l3_mib"), ("EPYC", "launched")}


def test_tables_agree_on_every_fact_that_both_state_or_the_difference_is_listed() -> None:
    """Compare the tables of one source with the lists: no value of theirs is wrong."""
    compared, wrong = 0, []
    for tag, facts in own_facts().items():
        for statement in product_lists.statements(tag):
            for fact in facts.keys() & statement.facts.keys():
                compared += 1
                same = _near(facts[fact], statement.facts[fact])
                if not same and (tag, fact) not in DISAGREEMENTS | CORRECTED:
                    wrong.append((tag, fact))
    assert wrong == []
    assert compared > 3000


def own_facts() -> dict[str, dict[str, Any]]:
    """Return what the tables of one source state, by tag."""
    products = (*desktops.desktop_products(), *servers.server_products())
    return {product.tag: dict(product.statements[0].facts) for product in products}


def _near(one: Any, other: Any) -> bool:
    if isinstance(one, int) and one > 100 * MHZ:
        return abs(one - other) <= 10 * MHZ
    return bool(one == other)


def test_tags_of_the_table_are_unique() -> None:
    assert len(rows_by(product_lists.TABLE, "tag")) == len(TABLE.rows)
    assert not LISTED.keys() & OTHERS.keys()
