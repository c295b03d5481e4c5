"""The whole catalogue, generated tags included, loads into an empty registry."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from registry.services.catalogue import first_hits
from registry.services.core import shipped_facts
from tests.databases import new_registry
from tests.patience import PATIENCE
from tests.profiles import is_thorough

# On a busy machine, a search takes longer than it may.
MANAGE = """
from registry.services.search import deadlines
deadlines.MAX_SECONDS = 60
from registry.command_line import main
main()
"""
FIRST, AMONG = (
    0.97,
    0.975,
)  # shares of searches with the wanted hit first, and among the first three
SHARES = re.compile(r"Of \d+ searches, \d+ \(([\d.]+)%\).*first, \d+ \(([\d.]+)%\)")
# What no public source describes, or no compiler takes: missing.json has the reasons.
WITHOUT_HITS = {
    *("gaudi 2", "gaudi 3", "trn2", "p5", "adreno 830", "dimensity 9400", "bl808"),
    *("hailo-8", "hailo-10h", "edge tpu", "intel npu", "xdna"),
}


def run(environment: Mapping[str, str], *command: str) -> str:
    """Run a command of manage.py with the whole catalogue; return its output."""
    process = subprocess.run(
        [sys.executable, "-c", MANAGE, *command],
        env={**environment, "REGISTRY_CATALOGUE": "all"},
        timeout=PATIENCE,
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout


@pytest.mark.system
@pytest.mark.any_database
def test_everything_is_loaded_once_and_nothing_skipped(tmp_path: Path) -> None:
    versions = sum(len(tag.versions) for tag in shipped_facts.every_tag())
    with new_registry(tmp_path) as environment:
        output = run(environment, "load_catalogue")
        assert f" {versions} versions," in output
        assert "Skipped" not in output
        assert "Catalogue: nothing new." in run(environment, "load_catalogue")
        near_misses = str(first_hits.NEAR_MISSES if is_thorough() else 60)
        wanted = run(environment, "find_wanted", "--near-misses", near_misses)
        assert_wanted_is_found(wanted)


def assert_wanted_is_found(output: str) -> None:
    tables, _, shares = output.partition("## Other first hits")
    rows = [line.strip("| ").split(" | ") for line in tables.splitlines() if line.startswith("| ")]
    hits = {text: hit.strip("`") for text, hit, *_ in rows if text != "search"}
    assert {text for text, hit in hits.items() if hit == "none"} <= WITHOUT_HITS
    assert len(hits) > 200
    match = SHARES.search(shares)
    assert match
    first, among = (float(share) / 100 for share in match.groups())
    assert first >= FIRST
    assert among >= AMONG
