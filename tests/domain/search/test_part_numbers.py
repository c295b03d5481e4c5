"""Part numbers name a line of chips."""

import pytest

from registry.domain.search.part_numbers import chip_of, line_of


@pytest.mark.parametrize(
    ("part_number", "line"),
    [
        ("stm32h743zi", "stm32h743"),
        ("stm32f103c8t6", "stm32f103"),
        ("stm32wb55rg", "stm32wb55"),
        ("stm32mp157caa3", "stm32mp157"),
        ("stm32h743", ""),
        ("12700h", ""),
        ("rtx4090ti", ""),
    ],
)
def test_only_part_numbers_of_st_are_shortened(part_number: str, line: str) -> None:
    assert line_of(part_number) == line


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        ("ESP32-S3-WROOM-1 N16R8", "ESP32-S3"),
        ("esp32-s3-wroom-1-n16r8", "esp32-s3"),
        ("ESP32-WROOM-32E-N4", "ESP32"),
        ("esp32 wroom 32", "esp32"),
        ("esp32-wrover-e", "esp32"),
        ("ESP-WROOM-32", "ESP32"),
        ("ESP32-C3-MINI-1", "ESP32-C3"),
        ("ESP32-S3FH4R2", "ESP32-S3"),
        ("ESP32-D0WDQ6-V3", "ESP32"),
        ("ESP32-PICO-D4", "ESP32"),
        ("nRF52840-QIAA-R7", "nRF52840"),
        ("nRF5340-QKAA", "nRF5340"),
        ("nRF9160-SICA", "nRF9160"),
        ("ATSAMD21G18A-AU", "SAMD21"),
        ("MIMXRT1062DVL6A", "IMXRT1062"),
        ("EFR32MG24B210F1536IM48-B", "EFR32MG24"),
        ("MAX78000EXG+", "MAX78000"),
        ("MK64FN1M0VLL12", "MK64FN1M0"),
        ("CH32V203C8T6", "CH32V203"),
        ("RP2350A", "RP2350"),
        ("BX8071512700K", "12700K"),
        ("BX80677I77700K", "I77700K"),
    ],
)
def test_a_part_number_names_its_chip(text: str, chip: str) -> None:
    assert chip_of(text) == chip


@pytest.mark.parametrize(
    "text",
    [
        "esp32",
        "esp32-s3",
        "ESP32-S3-DevKitC-1",  # boards
        "esp32-pico-kit",
        "freenove esp32-s3-wroom",
        "ESP-WROOM-02",  # an ESP8266
        "ESP8266",
        "nRF52840 DK",
        "nRF52840-MDK",
        "SAMD21",
        "MIMXRT1062-EVK",
        "MAX78000FTHR",
        "CH32V003",
        "RP2350",
        "RP2350C",
        "12700K",
        "i7-12700H",
        "BX4090",
        "RTX 4090",
        "stm32h743zit6",  # a word of any search: line_of
    ],
)
def test_boards_and_other_names_are_no_part_numbers(text: str) -> None:
    assert chip_of(text) == ""
