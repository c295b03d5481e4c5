"""A shop's name of a card leads to its GPU; the name of another thing leads nowhere."""

import pytest

from registry.domain.names.machine_names import MachineNames
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search
from registry.services.search.shop_names import card_query

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NAMES = MachineNames.of(
    {
        "names": [
            {"tag": "nvidia/rtx-4090", "names": ["NVIDIA GeForce RTX 4090"]},
            {"tag": "nvidia/rtx-4070-ti-super", "names": ["NVIDIA GeForce RTX 4070 Ti Super"]},
            {"tag": "amd/radeon-rx-7900-xtx", "names": ["AMD Radeon RX 7900 XTX"]},
            {"tag": "amd/radeon-vii", "names": ["AMD Radeon VII"]},
            {"tag": "intel/arc-a770", "names": ["Intel Arc A770"]},
        ],
        "ambiguous": [],
        "absent": [],
    }
)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("MSI RTX 4070 Ti Super 16GB Gaming X", "nvidia/rtx-4070-ti-super 16GB"),
        ("ASUS ROG Strix GeForce RTX 4090 OC", "nvidia/rtx-4090"),
        ("INNO3D RTX 4090 X3 OC 24GB", "nvidia/rtx-4090 24GB"),
        ("GIGABYTE RTX 4090 GAMING OC 24G", "nvidia/rtx-4090 24gb"),
        ("RTX 4090 FE", "nvidia/rtx-4090"),
        ("MSI RTX 4090 Suprim Liquid X", "nvidia/rtx-4090"),
        ("Gigabyte RTX 4090 Turbo", "nvidia/rtx-4090"),
        ("Sapphire Nitro+ RX 7900 XTX", "amd/radeon-rx-7900-xtx"),
    ],
)
def test_a_shop_name_leads_to_the_card(text: str, query: str) -> None:
    assert card_query(text, NAMES) == query


@pytest.mark.parametrize(
    "text",
    [
        "ASUS ROG Strix GeForce RTX 4095 OC",
        "MSI RTX 4090 Ti Gaming X",
        "INNO3D RTX 4070 X3 OC",
        "i9-14900HX RTX 4090",
        "RTX 4090 or RTX 4070 Ti Super",
        "AMD Ryzen AI 9 HX 375X w/ RTX 4090",
        "gaming PC with RTX 4090",
        "RTX 4090 56th anniversary",
        "RTX 4090 1628bit",
        "RTX 4090\u041e",  # a Cyrillic O
        "Legion 9 laptop RTX 4090",
        "AMD RTX 4090",
        "Intel RTX 4090",
        "Radeon RTX 4090",
        "RTX 4090 Radeon",
        "NVIDIA RX 7900 XTX",
        "GeForce RX 7900 XTX",
        "NVIDIA Arc A770",
        "MacBook RTX 4090",
        "PlayStation RTX 4090",
        "RTX 4090 Pro",
        "RTX 4090+",
        "Texas Instruments RTX 4090",
        "Broadcom RTX 4090",
        "RTX 4090 Max",
        "RTX 4090 S",
        "Radeon VII Pro Max",
        "gaming x",
        "",
    ],
)
def test_other_names_lead_nowhere(text: str) -> None:
    assert card_query(text, NAMES) == ""


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("MSI RTX 4090 Ventus X3 Gaming X", ["nvidia/geforce-rtx-4090"]),
        ("MSI RTX 4091 Ventus X3 Gaming X", []),
    ],
)
def test_search_finds_the_card(text: str, tags: list[str]) -> None:
    assert [entry.text for entry in search(SearchQuery(text)).entries[:1]] == tags
