"""Quattor's templates give server processors."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.reader import Reading
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "quattor/server_cpus"
EPYC = {
    "model": '"AMD EPYC 4124P 4-Core Processor"',
    "speed": "3800",
    "cores": "4",
    "max_threads": "8",
    "type": '"zen4"',
    "power": "65",
}
XEON_E5 = {
    "model": '"Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40 GHz"',
    "speed": "2400",
    "cores": "6",
    "max_threads": "12",
    "type": '"Haswell"',
    "power": "85",
}


def reading(folder: Path, **templates: dict[str, str]) -> Reading:
    """Return what is read from templates; two underscores separate maker and name."""
    files = {}
    for key, fields in templates.items():
        name = f"hardware/cpu/{key.replace('__', '/')}"
        lines = [f'"{field}" = {value}; # as stated' for field, value in fields.items()]
        files[f"{name}.pan"] = f"structure template {name};\n\n" + "\n".join(lines)
    return read(TABLE, clone_of(folder, files))


def test_templates_give_their_rows(tmp_path: Path) -> None:
    result = reading(tmp_path, amd__epyc_4124p=EPYC, intel__xeon_e5_2620v3=XEON_E5)
    assert list(result.rows) == shipped_rows(TABLE, "amd/epyc_4124p", "intel/xeon_e5_2620v3")
    assert result.not_taken == ()


@pytest.mark.parametrize(
    "name", ["amd__opteron_6272", "intel__core_i7_920", "intel__xeon_silver_4210R"]
)
def test_other_products_are_left_out(tmp_path: Path, name: str) -> None:
    assert reading(tmp_path, **{name: EPYC}) == Reading(())


def test_xeon_phi_is_left_out_by_its_model(tmp_path: Path) -> None:
    fields = XEON_E5 | {"model": '"Intel(R) Xeon Phi(TM) CPU 7210"'}
    assert reading(tmp_path, intel__xeon_7210=fields) == Reading(())


def test_xeon_e5_that_the_table_lacks_is_not_taken(tmp_path: Path) -> None:
    result = reading(tmp_path, intel__xeon_e5_2603v3=XEON_E5)
    assert result.rows == ()
    assert [line.partition(":")[0] for line in result.not_taken] == ["intel/xeon_e5_2603v3"]


def test_template_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"epyc_1\.pan has no model and type"):
        reading(tmp_path, amd__epyc_1={"cores": "4"})
    with pytest.raises(SourceError, match="cores of amd/epyc_1 is 'four', not a whole number"):
        reading(tmp_path, amd__epyc_1=EPYC | {"cores": '"four"'})
