"""pci.ids gives the chips of NVIDIA's and AMD's products."""

from pathlib import Path

import pytest

from catalogue_tools.facts import Row, read_table
from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.pci_ids import PATH
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read

TABLE, AMD_TABLE = "pci-ids/nvidia_gpus", "pci-ids/amd_gpus"
OTHERS = "10dd  Another vendor\n\t1eb8  AD102 [Its product]\n"


def reading(folder: Path, **devices: str) -> Reading:
    """Return what is read from NVIDIA's devices, by id."""
    lines = [f"\t{device[1:]}  {text}\n\t\t10de 1234  A card\n" for device, text in devices.items()]
    text = f"# A comment\n{OTHERS}10de  NVIDIA Corporation\n{''.join(lines)}10df  Emulex\n{OTHERS}"
    return read(TABLE, clone_of(folder, {PATH: text}))


def row(result: Reading, name: str) -> Row:
    (found,) = [row for row in result.rows if row["name"] == name]
    return found


def test_chips_of_the_rows_change_nothing(tmp_path: Path) -> None:
    result = reading(tmp_path, x2236="GA102GL [A10]", x1d01="GP108 [GeForce GT 1030]")
    assert result == Reading(read_table(TABLE).rows)


@pytest.mark.parametrize(
    ("chip", "arch"),
    [
        ("GA100GL", "sm_80"),
        ("GA102GL", "sm_86"),
        ("GB102", "sm_100"),
        ("GB10B", "sm_110"),
        ("GB110", "sm_103"),
        ("GB202", "sm_120"),
        ("GB20B", "sm_121"),
        ("GK208BM", "sm_35"),
        ("XY100", "sm_86"),  # unknown: the row's own
    ],
)
def test_capability_is_that_of_the_chip(tmp_path: Path, chip: str, arch: str) -> None:
    result = reading(tmp_path, x2236=f"{chip} [A10]")
    assert row(result, "A10")["arch"] == arch


def test_product_of_which_an_id_is_missing_keeps_its_capability(tmp_path: Path) -> None:
    name = "GeForce GT 720"  # sold with two chips, of which one is older
    assert row(reading(tmp_path, x1286="GK208 [GeForce GT 720]"), name)["arch"] == "sm_30"


def test_new_products_are_not_taken_but_samples_left_out(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        x2236="GA102GL [A10]",
        xfff0="GB202 [GeForce RTX 6090]",
        xfff1="GB202 [Engineering Sample]",
        xfff2="GB202",
        xfff3="GK107 [GeForce GT 640 again]",
    )
    assert result.not_taken == ("fff0: GB202, GeForce RTX 6090",)


def test_list_without_nvidia_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"pci\.ids has no devices of vendor 10de"):
        read(TABLE, clone_of(tmp_path, {PATH: OTHERS}))


AMD_DEVICES = (
    ("6938", "Tonga XT / Amethyst XT [Radeon R9 380X / R9 M295X]"),
    ("6939", "Tonga PRO [Radeon R9 285/380]"),
    ("67df", "Ellesmere [Radeon RX 470/480/570/570X/580/580X/590]"),
    ("67ef", "Baffin [Radeon RX 460/560D / Pro 450/455/460/555/555X/560/560X]"),
    ("67ff", "Baffin [Radeon RX 550 640SP / RX 560/560X]"),
    ("7300", "Fiji [Radeon R9 FURY / NANO Series]"),
)


def amd_reading(folder: Path, *devices: tuple[str, str]) -> Reading:
    """Return what is read from AMD's devices: id, then chip and products."""
    lines = "".join(f"\t{device}  {text}\n" for device, text in devices)
    text = f"1002  Advanced Micro Devices, Inc. [AMD/ATI]\n{lines}10de  NVIDIA Corporation\n"
    return read(AMD_TABLE, clone_of(folder, {PATH: text}))


def test_amd_cards_have_llvms_name_of_their_chip(tmp_path: Path) -> None:
    assert amd_reading(tmp_path, *AMD_DEVICES) == Reading(read_table(AMD_TABLE).rows)


def test_ids_that_belong_to_two_chips_are_refused(tmp_path: Path) -> None:
    devices = (*AMD_DEVICES[:4], ("67ff", "Lexa PRO [Radeon RX 560]"), AMD_DEVICES[5])
    with pytest.raises(SourceError, match="Radeon RX 560 has the chips Baffin and Lexa"):
        amd_reading(tmp_path, *devices)


def test_chip_without_a_name_of_llvm_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Radeon R9 Nano has the chip Hawaii"):
        amd_reading(tmp_path, *AMD_DEVICES[:5], ("7300", "Hawaii [Radeon R9 290]"))


def test_file_without_devices_of_amd_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="devices of vendor 1002"):
        amd_reading(tmp_path)
