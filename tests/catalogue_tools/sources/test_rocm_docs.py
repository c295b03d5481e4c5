"""ROCm's hardware specifications give AMD GPUs."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from catalogue_tools.sources.rocm_docs import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "rocm-docs/amd_gpus"
GFX, VRAM, CUS, L2 = "LLVM target name", "VRAM (GiB)", "Compute Units", "L2 Cache (MiB)"
INSTINCT = ("Name", GFX, VRAM, CUS, "L3 Cache (MiB)", L2)
RADEON = ("Name", GFX, VRAM, CUS, "Infinity Cache (MiB)", L2)
RYZEN = ("Name", "Graphics model", GFX, VRAM, CUS, "Infinity Cache (MiB)", L2)


def reading(folder: Path, **tables: Sequence[Sequence[str]]) -> Reading:
    """Return what is read from tables, by name; their first line has the columns."""
    lines = [".. tab-set::"]
    for name, items in tables.items():
        lines += ["    .. list-table::", f"        :name: {name}-arch-spec-table", ""]
        for item in items:
            lines += ["        *", *(f"          - {cell} ".rstrip() for cell in item)]
        lines += ["", f"  .. tab-item:: after {name}"]
    return read(TABLE, clone_of(folder, {PATH: "\n".join(lines)}))


def test_instinct_gpus_have_their_full_names(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        instinct=[
            INSTINCT,
            ["MI300X", "gfx942", "192", "304 (38 per XCD)", "256", "32 (4 per XCD)"],
            ["MI50 (32GB)", "gfx906", "32", "60", "", "4"],
            ["MI25", "gfx900", "16", "64", "", "4"],
        ],
    )
    names = ("Radeon Instinct MI25", "Instinct MI50 32GB", "Instinct MI300X")
    assert list(result.rows) == shipped_rows(TABLE, *names)


def test_doubtful_facts_are_left_out(tmp_path: Path) -> None:
    result = reading(
        tmp_path,
        radeon=[
            RADEON,
            ["Radeon RX 9070 GRE", "gfx1201", "16", "48", "48", "6"],
            ["Radeon Pro W5500", "gfx1012", "8", "22", "", "4"],
        ],
    )
    assert list(result.rows) == shipped_rows(TABLE, "Radeon Pro W5500", "Radeon RX 9070 GRE")


def test_graphics_of_several_processors_have_one_row(tmp_path: Path) -> None:
    graphics = ["Radeon 780M", "gfx1103", "Dynamic + carveout", "12", "N/A", "2"]
    processors = [["AMD Ryzen 7 7840U", *graphics], ["AMD Ryzen 9 270", *graphics]]
    result = reading(tmp_path, ryzen=[RYZEN, *processors])
    assert list(result.rows) == shipped_rows(TABLE, "Radeon 780M")


def test_new_architecture_is_not_taken(tmp_path: Path) -> None:
    known = ["Radeon VII", "gfx906", "16", "60", "", "4"]
    new = ["Radeon X", "gfx1399", "16", "60", "", "4"]
    result = reading(tmp_path, radeon=[RADEON, new, known])
    assert list(result.rows) == shipped_rows(TABLE, "Radeon VII")
    assert result.not_taken == ("Radeon X: rocm-docs/amd_architectures lacks gfx1399",)


def test_page_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no tables of products"):
        reading(tmp_path)
    with pytest.raises(SourceError, match="has no columns Name and LLVM target name"):
        reading(tmp_path, radeon=[["Model", "Target"], ["Radeon VII", "gfx906"]])
