"""The whole catalogue, generated tags included, loads into an empty registry."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from registry.services.core import shipped_facts
from tests.databases import new_registry

MANAGE = (sys.executable, "manage.py")
TIMEOUT = 300  # seconds
FIRST_HITS = {
    "rtx 4090": "nvidia/geforce-rtx-4090",
    "a100": "nvidia/nvidia-a100",
    "raspberry pi 4": "raspberry-pi/4-model-b",
    "m1": "apple/m1",
    "c5.9xlarge": "aws/c5.9xlarge",
    "jetson orin": "nvidia/jetson-orin-nx",
    "cortex-m4": "arm/cortex-m4",
    "graviton": "aws/graviton",
    "h100 sxm": "nvidia/h100-80gb-hbm3",
    "pixel 7": "google/pixel-7",
    "esp32": "espressif/esp32",
    "mi300": "amd/instinct-mi300a",
    "epyc": "amd/epyc-7203",
    "stm32h7": "st/stm32h7a3",
}
# What no public source describes, or no compiler takes: missing.json has the reasons.
WITHOUT_HITS = {
    *("gaudi 2", "gaudi 3", "trn2", "adreno 830", "dimensity 9400", "bl808"),
    *("hailo-8", "hailo-10h", "edge tpu", "intel npu", "xdna"),
}


def run(environment: Mapping[str, str], command: str) -> str:
    """Run a command of manage.py with the whole catalogue; return its output."""
    process = subprocess.run(
        [*MANAGE, command],
        env={**environment, "REGISTRY_CATALOGUE": "all"},
        timeout=TIMEOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout


@pytest.mark.any_database
def test_everything_is_loaded_once_and_nothing_skipped(tmp_path: Path) -> None:
    versions = sum(len(tag.versions) for tag in shipped_facts.every_tag())
    with new_registry(tmp_path) as environment:
        output = run(environment, "load_catalogue")
        assert f" {versions} versions," in output
        assert "Skipped" not in output
        assert "Catalogue: nothing new." in run(environment, "load_catalogue")
        assert_wanted_is_found(run(environment, "find_wanted"))


def assert_wanted_is_found(table: str) -> None:
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    hits = {text: hit.strip("`") for text, hit, *_ in rows if text != "search"}
    assert {text: hits[text] for text in FIRST_HITS} == FIRST_HITS
    assert {text for text, hit in hits.items() if hit == "none"} <= WITHOUT_HITS
    assert len(hits) > 250
