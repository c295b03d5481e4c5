"""Pages of the LineageOS wiki give facts of phones and their chips."""

from pathlib import Path

import pytest

from catalogue_tools.facts import Row, read_table
from catalogue_tools.sources.clone import Clone, SourceError
from tests.catalogue_tools.sources.clones import clone_of, read

PHONES, CHIPS = read_table("lineageos/phones").rows, read_table("lineageos/socs").rows
CLOCKS = (3.0, 2.5, 2.0, 1.5)


def page(chip: Row, released: str = "2022-07") -> str:
    """Return a page that states a chip."""
    clusters = zip(chip.get("clusters") or [], CLOCKS, strict=False)
    clocks = " + ".join(f"{cores} x {clock} GHz" for cores, clock in clusters)
    return (
        f"codename: x\ncpu: {chip['cpu']}\ncpu_cores: '{chip['cores']}'\ncpu_freq: {clocks}\n"
        f"gpu: Qualcomm {chip['gpu']}\nrelease: {released}\n"
    )


def wiki(folder: Path, **changes: str) -> Clone:
    """Return a wiki with the pages of the tables; `changes` are other pages by their name."""
    phones = {row["file"]: page(CHIPS[0], row["released"]) for row in PHONES}
    chips = {row["file"]: page(row) for row in CHIPS}
    released = {row["file"]: row["released"] for row in PHONES}
    chips = {
        name: text.replace("2022-07", released.get(name, "2022-07")) for name, text in chips.items()
    }
    others = {f"{name}.yml": text for name, text in changes.items()}
    pages = phones | chips | others
    return clone_of(folder, {f"_data/devices/{name}": text for name, text in pages.items()})


def test_pages_give_the_tables(tmp_path: Path) -> None:
    clone = wiki(tmp_path)
    assert read("lineageos/phones", clone).rows == PHONES
    assert read("lineageos/socs", clone).rows == CHIPS


def test_clusters_are_ordered_by_clock(tmp_path: Path) -> None:
    clocks = "cpu: Kryo\ncpu_cores: 8\ncpu_freq: 6 x 1.8 GHz & 2x 2.3 GHz\ngpu: x\nrelease: 2020\n"
    rows = read("lineageos/socs", wiki(tmp_path, bluejay=clocks)).rows
    (row,) = [row for row in rows if row["file"] == "bluejay.yml"]
    assert row["clusters"] == [2, 6]


def test_clusters_that_pages_dispute_stay(tmp_path: Path) -> None:
    (disputed,) = [row for row in CHIPS if "disputed" in row]
    name = disputed["file"].removesuffix(".yml")
    rows = read("lineageos/socs", wiki(tmp_path, **{name: page({**disputed, "clusters": [8]})}))
    assert disputed in rows.rows


def test_several_dates_leave_the_chosen_one(tmp_path: Path) -> None:
    row = PHONES[0]
    name = row["file"].removesuffix(".yml")
    clone = wiki(tmp_path, **{name: page(CHIPS[0], "\n- Europe: 2001-01-01")})
    assert read("lineageos/phones", clone).rows[0] == row


def test_other_phones_are_not_taken(tmp_path: Path) -> None:
    reading = read("lineageos/phones", wiki(tmp_path, newphone=page(CHIPS[0])))
    assert "newphone.yml: not among the chosen phones" in reading.not_taken


def test_page_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"bluejay\.yml states no cpu and no cpu_cores"):
        read("lineageos/socs", wiki(tmp_path, bluejay="name: Pixel 6a\n"))
