"""Pages of the LineageOS wiki give facts of phones and their chips."""

from pathlib import Path

import pytest

from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import GIB, MIB
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.lineageos import sizes
from tests.catalogue_tools.sources.clones import clone_of, read

PHONES, CHIPS = read_table("lineageos/phones").rows, read_table("lineageos/socs").rows
NAMES = read_table("lineageos/names").rows
DEVICES, MEMORY = read_table("lineageos/devices").rows, read_table("lineageos/memory").rows
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
    phones = {row["file"]: page(CHIPS[0], row["released"]) for row in (*PHONES, *DEVICES)}
    chips = {row["file"]: page(row) for row in CHIPS}
    released = {row["file"]: row["released"] for row in (*PHONES, *DEVICES)}
    chips = {
        name: text.replace("2022-07", released.get(name, "2022-07")) for name, text in chips.items()
    }
    others = {f"{name}.yml": text for name, text in changes.items()}
    memory = {
        file: "ram: " + "/".join(f"{size / GIB:g}" for size in row["sizes_bytes"]) + " GB\n"
        for row in MEMORY
        for file in row["files"]
    }
    names = {
        file: f"codename: {', '.join(row['technical'])}\n"
        f"models: [{', '.join(row.get('names', ())).upper()}]\n"
        for row in NAMES
        for file in row["files"]
    }
    stated = {**dict.fromkeys((*memory, *names), ""), **phones, **chips}
    pages = {
        name: text.removeprefix("codename: x\n") + memory.get(name, "") + names.get(name, "")
        for name, text in stated.items()
    } | others
    return clone_of(folder, {f"_data/devices/{name}": text for name, text in pages.items()})


def test_pages_give_the_tables(tmp_path: Path) -> None:
    clone = wiki(tmp_path)
    assert read("lineageos/phones", clone).rows == PHONES
    assert read("lineageos/devices", clone).rows == DEVICES
    assert read("lineageos/memory", clone).rows == MEMORY
    assert read("lineageos/names", clone).rows == NAMES
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
    assert "newphone.yml: not among the chosen devices" in reading.not_taken


def test_phones_of_one_table_are_not_missed_in_the_other(tmp_path: Path) -> None:
    clone = wiki(tmp_path)
    for table, others in (("lineageos/phones", DEVICES), ("lineageos/devices", PHONES)):
        missed = " ".join(read(table, clone).not_taken)
        assert not [row["file"] for row in others if row["file"] in missed]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("8 GB", (8 * GIB,)),
        ("1.5 GB", (1536 * MIB,)),
        ("512 MB", (512 * MIB,)),
        ("4 or 6 GB", (4 * GIB, 6 * GIB)),
        ("2 / 3 / 4 GB", (2 * GIB, 3 * GIB, 4 * GIB)),
        ("8/12GB LPDDR5", (8 * GIB, 12 * GIB)),
        ("8/12 GB LPDDR4X/LPDDR5", (8 * GIB, 12 * GIB)),
        ("6/8 GB LPDDR5 (uMPC5)", (6 * GIB, 8 * GIB)),
        ("2 GB (R5), 3 GB (R5s)", ()),
        ("12 GB LPDDR5X / 16 GB LPDDR5T", ()),
        ("4 GB LPDDR4 (Standard edition) / 6 GB LPDDR4 (Exclusive edition)", ()),
        ("up to 8 GB", ()),
        ("2-3 GB", ()),
        ("", ()),
    ],
)
def test_sizes_are_read_from_lists_of_numbers_only(text: str, stated: tuple[int, ...]) -> None:
    assert sizes(text) == stated


def test_device_one_of_whose_pages_has_no_sizes_is_left_out(tmp_path: Path) -> None:
    row = next(row for row in MEMORY if len(row["files"]) > 1)
    name = row["files"][1].removesuffix(".yml")
    reading = read("lineageos/memory", wiki(tmp_path, **{name: "ram: up to 8 GB\n"}))
    assert row not in reading.rows
    assert f"{row['tag']}: a page states its memory in another form" in reading.not_taken


def test_page_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"bluejay\.yml states no cpu and no cpu_cores"):
        read("lineageos/socs", wiki(tmp_path, bluejay="name: Pixel 6a\n"))
