"""Two lists give the machine types of Google Cloud and their platforms."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.cyclenerd import TYPES
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

HEADER = "NAME;VCPU;SHARED;MEMORY;DEPRECATED;\n"


def test_types_give_their_rows_without_deprecated_ones_and_twins(
    tmp_path: Path,
) -> None:
    lines = (
        "n1-highcpu-16;16;False;14.40;;\n"
        "c3-standard-8-lssd;8;False;32.00;;\n"
        "c3-standard-8;8;False;32.00;;\n"
        "a3-edgegpu-8g;208;False;1872.00;;\n"
        "z3-highmem-88;88;False;704.00;DEPRECATED;\n"
        "z3-highmem-88-highlssd;88;False;704.00;;\n"
        "n1-megamem-96;96;False;1433.60;DEPRECATED;\n"
        "x4-megamem-960-metal;960;False;16384.00;;\n"
    )
    reading = read("cyclenerd/gcp_types", clone_of(tmp_path, {TYPES: HEADER + lines}))
    names = ("c3-standard-8", "n1-highcpu-16", "z3-highmem-88-highlssd")
    assert list(reading.rows) == shipped_rows("cyclenerd/gcp_types", *names)
    assert reading.not_taken == ("x4: spare-cores/guests lacks its processor",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEADER, "has no lines"),
        (f"{HEADER}n1-highcpu-16;16\n", "a line of 2 columns instead of 5"),
        (f"{HEADER}n1-highcpu-16;16;False;much;;\n", "memory of n1-highcpu-16 is 'much'"),
        (f"{HEADER}n1-highcpu-16;many;False;14.4;;\n", "vCPUs of n1-highcpu-16 is 'many'"),
    ],
)
def test_list_of_another_form_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(SourceError, match=expected):
        read("cyclenerd/gcp_types", clone_of(tmp_path, {TYPES: text}))


def test_series_have_their_platforms_without_brackets(tmp_path: Path) -> None:
    files = {
        "instances/series/n2.sql": "UPDATE x SET cpuPlatform = 'Cascade Lake, [Ice Lake]', y = '1'",
        "instances/series/t2a.sql": "UPDATE x SET cpuPlatform = 'Ampere Altra'",
        "instances/series/m1.sql": "SET cpuPlatform = 'Skylake'; SET cpuPlatform = 'Broadwell'",
        "instances/series/x9.sql": "UPDATE x SET cpuPlatform = 'Sapphire Rapids'",
        "instances/series/a4.sql": "UPDATE x SET series = 'a4'",
    }
    reading = read("cyclenerd/gcp_series", clone_of(tmp_path, files))
    assert list(reading.rows) == shipped_rows("cyclenerd/gcp_series", "m1", "n2", "t2a")
    assert reading.not_taken == ("x9: spare-cores/guests lacks its processor",)


def test_series_without_platforms_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no cpuPlatform"):
        read("cyclenerd/gcp_series", clone_of(tmp_path, {"instances/series/n2.sql": ""}))
