"""The devices of Intel's compute runtime give Intel GPUs."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.intel_compute_runtime import PATH
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "intel-compute-runtime/gpus"


def reading(folder: Path, *devices: tuple[str, str, str]) -> Reading:
    """Return what is read from devices: id, platform and name."""
    lines = ["#ifdef SUPPORT_DG2", "DEVICE(0x4F80, Dg2HwConfig)"]
    for device, platform, name in devices:
        lines.append(f'NAMEDDEVICE(0x{device}, {platform}HwConfig, "{name}")')
    return read(TABLE, clone_of(folder, {PATH: "\n".join([*lines, "#endif"])}))


def test_devices_give_products_with_their_ids_and_kept_facts(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        ("56A6", "Dg2", "Intel(R) Arc(TM) A310 LP Graphics"),
        ("4C8B", "Rkl", "Intel(R) UHD Graphics 730"),
        ("4682", "Adls", "Intel(R) UHD Graphics 730"),
        ("4692", "Adls", "Intel(R) UHD Graphics 730"),
        ("A782", "Adls", "Intel(R) UHD Graphics 730"),
        ("0B6E", "Pvc", "Intel(R) Data Center GPU Max 1100C"),
    )
    names = ("Arc A310", "UHD Graphics 730", "Data Center GPU Max 1100C")
    rows = shipped_rows(TABLE, *names)
    assert list(result.rows) == sorted(rows, key=lambda row: (row["platform"], row["name"]))


def test_name_of_two_cards_gives_both(tmp_path: Path) -> None:
    result = reading(tmp_path, ("56B1", "Dg2", "Intel(R) Arc(TM) Pro A40/A50 Graphics"))
    assert list(result.rows) == shipped_rows(TABLE, "Arc Pro A40", "Arc Pro A50")


@pytest.mark.parametrize(
    "name",
    [
        "Intel(R) Graphics",
        "Intel(R) Arc(TM) Graphics",
        "Intel(R) Iris(R) Xe MAX Graphics",
        "Intel(R) Data Center GPU Flex 170V",
    ],
)
def test_shared_names_and_virtual_functions_are_left_out(tmp_path: Path, name: str) -> None:
    result = reading(tmp_path, ("1", "Dg2", name), ("0B6E", "Pvc", "Intel(R) Data Center GPU X"))
    assert [row["name"] for row in result.rows] == ["Data Center GPU X"]
    assert result.not_taken == ()


def test_new_platform_is_not_taken(tmp_path: Path) -> None:
    known = ("E20B", "Bmg", "Intel(R) Arc(TM) B580 Graphics")
    result = reading(tmp_path, known, ("1", "Cri", "Intel(R) Arc(TM) C1 Graphics"))
    assert result.not_taken == ("Arc C1: Cri is none of the platforms with tags",)


def test_file_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no NAMEDDEVICE with a known platform"):
        reading(tmp_path)
