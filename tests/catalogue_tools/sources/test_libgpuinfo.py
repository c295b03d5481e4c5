"""libGPUInfo's products give Mali and Immortalis GPUs."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.libgpuinfo import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "libgpuinfo/mali"
PRODUCTS = """
    // ID, mask, cores, name, architecture
    product_entry { 0x9001, MASK_NEW, 1, "Mali-G57", "Valhall", get_num<16> },
    product_entry { 0x9003, MASK_NEW, 1, "Mali-G57", "Valhall", get_num<16> },
    product_entry { 0xe000, MASK_NEW, 10, "Mali G1-Ultra", "Arm 5th Gen", get_num<64> },
    product_entry { 0x0880, MASK_OLD, 1, "Mali-T880", "Midgard", get_num<4> },
"""


def test_products_give_their_rows_once(tmp_path: Path) -> None:
    reading = read(TABLE, clone_of(tmp_path, {PATH: PRODUCTS}))
    assert list(reading.rows) == shipped_rows(TABLE, "Mali-G57", "Mali-G1-Ultra", "Mali-T880")


def test_program_without_products_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"libgpuinfo\.cpp has no product_entry"):
        read(TABLE, clone_of(tmp_path, {PATH: "struct product_entry {"}))
