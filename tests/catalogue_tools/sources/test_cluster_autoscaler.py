"""The cluster autoscaler's list gives the sizes of Azure."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.cluster_autoscaler import PATH
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "cluster-autoscaler/azure_sizes"
SIZES = {  # vCPUs, MiB, GPUs
    "Standard_B2als_v2": (2, 4096, 0),
    "Standard_D4s_v3": (4, 16384, 0),
    "Standard_D16s_v3": (16, 65536, 0),
    "Standard_NC24ads_A100_v4": (24, 225280, 1),
    "Standard_ND96is_MI300X_v5": (96, 1894400, 0),
    "Standard_NV6ads_A10_v5": (6, 56320, 1),
}


def reading(folder: Path, sizes: dict[str, tuple[int, int, int]]) -> Reading:
    """Return what is read from a list of sizes."""
    lines = ["package azure", "var InstanceTypes = map[string]*InstanceType{"]
    for name, (vcpus, memory, gpus) in reversed(sizes.items()):
        lines += [
            f'\t"{name}": {{',
            f'\t\tInstanceType: "{name}",',
            '\t\tSkuFamily:    "family",',
            f"\t\tVCPU:         {vcpus},",
            f"\t\tMemoryMb:     {memory},",
            f"\t\tGPU:          {gpus},",
            "\t},",
        ]
    return read(TABLE, clone_of(folder, {PATH: "\n".join([*lines, "}"])}))


def test_sizes_give_their_rows_in_natural_order(tmp_path: Path) -> None:
    result = reading(tmp_path, SIZES)
    assert list(result.rows) == shipped_rows(TABLE, *SIZES)
    assert result.not_taken == ()


def test_number_of_gpus_that_the_list_lacks_stays(tmp_path: Path) -> None:
    rows = {row["size"]: row for row in reading(tmp_path, SIZES).rows}
    assert rows["Standard_ND96is_MI300X_v5"]["gpus"] == 8
    assert "gpus" not in rows["Standard_NV6ads_A10_v5"]  # a slice of one


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        ("Standard_DS11_v2_Promo", (2, 14336, 0)),
        ("Standard_E4-2s_v3", (4, 32768, 0)),
        ("Standard_B1ls", (1, 0, 0)),
        ("Basic_A1", (1, 1792, 0)),
    ],
)
def test_sizes_that_are_no_machines_of_their_own_are_left_out(
    tmp_path: Path, size: str, counts: tuple[int, int, int]
) -> None:
    assert reading(tmp_path, {size: counts}) == Reading(())


def test_unknown_series_and_new_gpus_are_not_taken(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        {"Standard_M8ms": (8, 224000, 0), "Standard_NC48as_T4_v3": (48, 450560, 2)},
    )
    assert result.rows == ()
    assert result.not_taken == (
        "Mms: azure-docs/series and spare-cores/guests lack its processors",
        "Standard_NC48as_T4_v3: no source for its accelerator",
    )


def test_file_without_sizes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"azure_instance_types\.go has no sizes"):
        reading(tmp_path, {})
