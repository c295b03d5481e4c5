"""The client decides as the registry does, with the same files."""

from pathlib import Path

import pytest

from tests.client.compatibility.copies import CLIENT, CLIENT_NOTATIONS, copies

COPIES = copies()


# Decision 149: one file in two packages, because neither imports the other.
@pytest.mark.parametrize("path", COPIES, ids=lambda path: str(path.relative_to(CLIENT.parent)))
def test_file_is_the_same_in_both_packages(path: Path) -> None:
    assert path.read_text() == COPIES[path]


def test_the_client_has_no_other_files_there() -> None:
    folders = (CLIENT, CLIENT_NOTATIONS)
    present = {each for folder in folders for each in folder.rglob("*.*") if each.suffix != ".pyc"}
    assert present == set(COPIES)
