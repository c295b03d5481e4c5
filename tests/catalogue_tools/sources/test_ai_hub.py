"""AI Hub's devices give the chips of phones."""

from pathlib import Path

import pytest

from catalogue_tools.sources.ai_hub import PATH
from catalogue_tools.sources.clone import SourceError
from tests.catalogue_tools.sources.clones import clone_of, read, shipped_rows

TABLE = "ai-hub/phones"
DEVICES = """\
form_factors:
  Phone:
    display_name: Phone
devices:
  Samsung Galaxy S21+:
    chipset: qualcomm-snapdragon-888
    os:
      ostype: Android
      version: '11'
    form_factor: Phone
    vendor: samsung
  Samsung Galaxy Tab S7:
    chipset: qualcomm-snapdragon-888
    os:
      ostype: Android
    form_factor: Tablet
  Samsung Galaxy S99:
    chipset: qualcomm-snapdragon-888
    form_factor: Phone
chipsets:
  qualcomm-snapdragon-888:
    aliases:
    - qualcomm-snapdragon-888
    - sm8350
    marketing_name: Snapdragon® 888 Mobile
    world: Mobile
"""


def test_phones_of_the_table_have_their_chip(tmp_path: Path) -> None:
    reading = read(TABLE, clone_of(tmp_path, {PATH: DEVICES}))
    assert list(reading.rows) == shipped_rows(TABLE, "samsung/galaxy-s21-plus-sm8350")
    assert reading.not_taken == ("Samsung Galaxy S99: not among the chosen phones",)


def test_file_without_devices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no devices with chipsets"):
        read(TABLE, clone_of(tmp_path, {PATH: "devices:\n"}))
