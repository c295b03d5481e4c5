"""The list of devices of Asahi Linux gives Macs with their chip."""

from pathlib import Path

from catalogue_tools.sources.asahi_docs import CODENAMES, LIST
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read

NAMES = (
    '| M1 ("A14X") | H13G | Tonga | T8103 | Firestorm | Icestorm\n'
    "| M2 Ultra | H14J | Rhodes 2C | T6022 | Avalanche | Blizzard\n"
    "| M3     | H15G | Ibiza | T8122 | Everest | Sawtooth\n"
    "| M3 Max | H15J/H15S | Palma | T6031 / T6034 | Everest | Sawtooth |\n"
)


def reading(folder: Path, *macs: str) -> Reading:
    files = {LIST: "".join(f"| {mac}\n" for mac in macs), CODENAMES: NAMES}
    return read("asahi-docs/macs", clone_of(folder, files))


def test_kinds_and_ports_of_one_mac_are_one_row(tmp_path: Path) -> None:
    rows = reading(
        tmp_path,
        "iMac (24-inch (4-port), M1, 2021) | iMac21,1 | J456AP | T8103",
        "iMac (24-inch (2-port), M1, 2021) | iMac21,2 | J457AP | T8103",
        "MacBook Pro (14-inch, M3 Max, Nov 2023) | Mac15,8 | J514cAP | T6031",
        "MacBook Pro (14-inch, M3 Max, Nov 2023) | Mac15,10 | J514mAP | T6034",
    ).rows
    assert [(row["tag"], row["identifiers"]) for row in rows] == [
        ("apple/imac-24-inch-m1-2021", ["iMac21,1", "iMac21,2"]),
        ("apple/macbook-pro-14-inch-m3-max-nov-2023", ["Mac15,8", "Mac15,10"]),
    ]


def test_number_names_the_chip_that_the_name_does_not(tmp_path: Path) -> None:
    (row,) = reading(tmp_path, "Mac Pro (2023) | Mac14,8 | J180dAP | T6022").rows
    assert row["chip"] == "apple/m2-ultra"


def test_name_and_number_of_different_chips_are_not_taken(tmp_path: Path) -> None:
    other = reading(tmp_path, "Mac mini (M3, 2030) | Mac99,1 | J1AP | T6022")
    assert other.rows == ()
    assert other.not_taken == ("Mac mini (M3, 2030): its name and T6022 are of different chips",)


def test_identifier_of_two_products_is_left_out(tmp_path: Path) -> None:
    rows = reading(
        tmp_path,
        "iMac (24-inch (2-port), M3, 2023) | Mac15,4 | J433AP | T8122",
        "Mac Studio (M3 Ultra, 2025) | Mac15,4 | J575dAP | T6032",
    ).rows
    assert [row["identifiers"] for row in rows] == [[], []]


def test_laptop_of_the_device_trees_is_not_repeated(tmp_path: Path) -> None:
    air = "MacBook Air (M1, 2020) | MacBookAir10,1 | J313AP | T8103"
    pro = "MacBook Pro (13-inch, M1, 2020) | MacBookPro17,1 | J293AP | T8103"
    assert reading(tmp_path, air, pro).rows == ()
