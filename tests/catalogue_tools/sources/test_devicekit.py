"""DeviceKit gives iPhones and iPads with their chip."""

from pathlib import Path

from catalogue_tools.sources.devicekit import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

LINE = (
    '            Device("{case}", "Device is an [{name}](https://example.org)", "", [{ids}], 6.1, '
    '(9, 19.5), "{name}", "{name}", 460, False, True, 0, False, 123, True, "{chip}", True, True),\n'
)


def line(name: str, chip: str, *identifiers: str) -> str:
    ids = ", ".join(f'"{identifier}"' for identifier in identifiers)
    return LINE.format(case="".join(filter(str.isalnum, name)), name=name, ids=ids, chip=chip)


def test_lines_give_rows(tmp_path: Path) -> None:
    text = (
        line("iPhone 15 Pro", "a17Pro", "iPhone16,1")
        + line("iPad (A16)", "a16Bionic", "iPad15,7", "iPad15,8")
        + line("iPad Pro (11-inch)", "a12XBionic", "iPad8,1", "iPad8,2", "iPad8,3", "iPad8,4")
    )
    rows = read("devicekit/apple_devices", clone_of(tmp_path, {PATH: text})).rows
    tags = [row["tag"] for row in rows]
    assert list(rows) == sorted(
        shipped_rows("devicekit/apple_devices", *tags), key=lambda row: tags.index(row["tag"])
    )
    assert len(rows) == 3


def test_other_products_and_chips_without_a_tag_are_not_taken(tmp_path: Path) -> None:
    text = line("iPhone 8", "a11Bionic", "iPhone10,1") + line("iPod touch", "a10Fusion", "iPod9,1")
    reading = read("devicekit/apple_devices", clone_of(tmp_path, {PATH: text}))
    assert reading.rows == ()
    assert reading.not_taken == ("iPhone 8: apple/a11 has no tag",)
