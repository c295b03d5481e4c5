"""The registry reads what tools print with the files of `ttag probe`, which it cannot import."""

from pathlib import Path

import pytest

from tests.databases import ROOT

COPIES = sorted((ROOT / "registry/domain/probe").glob("[!_]*.py"))


# Decision 145: one file in two packages, because neither imports the other.
@pytest.mark.parametrize("copy", COPIES, ids=lambda path: path.stem)
def test_parser_is_the_same_file_in_both_packages(copy: Path) -> None:
    original = (ROOT / "client/ttag/probe" / copy.name).read_text()
    assert copy.read_text() == original.replace("ttag.probe", "registry.domain.probe")
