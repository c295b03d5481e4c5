"""ExecuTorch's table of chips gives Hexagon versions."""

from pathlib import Path

import pytest

from catalogue_tools.sources.clone import SourceError
from catalogue_tools.sources.executorch import PATH
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

CHIPS = """
_soc_info_table = {
    QcomChipset.QCM6490: SocInfo(QcomChipset.QCM6490, HtpInfo(HtpArch.V68, 2)),
    QcomChipset.SM8750: SocInfo(
        QcomChipset.SM8750, HtpInfo(HtpArch.V79, 8), LpaiInfo(LpaiHardwareVersion.V6)
    ),
    QcomChipset.SXR2330P: SocInfo(QcomChipset.SXR2330P, HtpInfo(HtpArch.V79, 8)),
}
"""


def test_chips_of_the_table_have_their_version_and_memory(tmp_path: Path) -> None:
    reading = read("executorch/hexagon_socs", clone_of(tmp_path, {PATH: CHIPS}))
    tags = ("qcom/qcm6490", "qcom/sm8750")
    assert list(reading.rows) == shipped_rows("executorch/hexagon_socs", *tags)
    assert reading.not_taken == ("SXR2330P: no tag of the chip is known",)


def test_versions_of_the_table_have_their_chips(tmp_path: Path) -> None:
    reading = read("executorch/hexagon_versions", clone_of(tmp_path, {PATH: CHIPS}))
    assert reading.rows[0] == shipped_rows("executorch/hexagon_versions", "hexagonv79")[0]
    assert reading.rows[1] == {"hexagon": "hexagonv81", "socs": []}


@pytest.mark.parametrize("table", ["hexagon_socs", "hexagon_versions"])
def test_program_without_chips_is_refused(tmp_path: Path, table: str) -> None:
    with pytest.raises(SourceError, match=r"qc_schema\.py has no SocInfo with an HtpInfo"):
        read(f"executorch/{table}", clone_of(tmp_path, {PATH: "chips = {}"}))
