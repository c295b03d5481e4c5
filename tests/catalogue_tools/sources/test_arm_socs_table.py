"""The table of Arm SoCs gives the features that Linux does not report."""

from pathlib import Path

import pytest

from catalogue_tools.sources.arm_socs_table import PATH
from catalogue_tools.sources.clone import SourceError
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "arm-socs-table/socs"


def entry(name: str, flags: str) -> str:
    """Return a chip in the form of the table."""
    lines = "".join(f"  - {flag}\n" for flag in flags.split())
    return (
        "- announce:\n    time: '2022.01'\n  cores:\n  - implementer: 0x41\n    part: 0xd03\n"
        f"  features:\n{lines}  name: {name}\n  vendor: Acme\n"
    )


def test_chips_of_the_table_lack_what_linux_does_not_report(tmp_path: Path) -> None:
    text = (
        entry("A64", "fp asimd aes pmull sha1 sha2 crc32")
        + entry("Snapdragon 8+ Gen 1 (SM8475)", "aes sha2 lrcpc asimddp i8mm sve")
        + entry("'New 1'", "aes")
    )
    reading = read(TABLE, clone_of(tmp_path, {PATH: text}))
    assert list(reading.rows) == shipped_rows(TABLE, "allwinner/a64", "qcom/sm8475")
    assert reading.not_taken == ("New 1: no tag of the chip is known",)


def test_file_without_chips_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no chips with name and features"):
        read(TABLE, clone_of(tmp_path, {PATH: "- name: A64\n"}))
