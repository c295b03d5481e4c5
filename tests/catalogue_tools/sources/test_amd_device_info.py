"""The device table of AMD's tools gives the GPUs that ROCm's documentation lacks."""

from pathlib import Path

import pytest

from catalogue_tools.sources.amd_device_info import PATH
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "amd-device-info/gpus"


def reading(folder: Path, *devices: tuple[str, str, str]) -> Reading:
    """Return what is read from devices: id, gfx number and name."""
    lines = [
        f'    {{GDT_X, 0x{device}, 0xC1, GDT_HW_GENERATION_GFX10, false, "{gfx}", "{name}"}},'
        for device, gfx, name in devices
    ]
    return read(TABLE, clone_of(folder, {PATH: "\n".join(lines)}))


def test_devices_give_products_with_their_ids(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        ("7312", "gfx1010", "AMD Radeon(TM) Pro W5700"),
        ("7319", "gfx1010", "AMD Radeon Pro 5700 XT"),
        ("69AF", "gfx904", "AMD Radeon RX Vega 16 Graphics"),
    )
    names = ("Radeon Pro 5700 XT", "Radeon Pro W5700", "Radeon RX Vega 16")
    assert list(result.rows) == shipped_rows(TABLE, *names)


def test_product_of_two_chips_has_two_rows(tmp_path: Path) -> None:
    name = "AMD Radeon 840M Graphics"
    result = reading(tmp_path, ("1114", "gfx1152", name), ("1902", "gfx1153", name))
    assert [row["name"] for row in result.rows] == [
        "Radeon 840M (gfx1152)",
        "Radeon 840M (gfx1153)",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "7318:40",
        "AMD Radeon Graphics",
        "AMD Radeon(TM) Graphics",
        "AMD Radeon RX 5700 series",
        "AMD Radeon Pro V520 MxGPU",
        "AMD Instinct MI300X",  # ROCm's documentation lists it
    ],
)
def test_names_that_are_no_product_of_this_table_are_left_out(tmp_path: Path, name: str) -> None:
    other = ("7312", "gfx1010", "AMD Radeon Pro W5700")
    result = reading(tmp_path, ("7318", "gfx1010", name), other)
    assert list(result.rows) == shipped_rows(TABLE, "Radeon Pro W5700")
    assert result.not_taken == ()


def test_new_architecture_is_not_taken(tmp_path: Path) -> None:
    result = reading(tmp_path, ("1111", "gfx1399", "AMD Radeon X"))
    assert result.not_taken == ("Radeon X: rocm-docs/amd_architectures lacks gfx1399",)


def test_table_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no devices with a name and a gfx number"):
        reading(tmp_path)
