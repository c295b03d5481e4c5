"""Folders of tuning keys."""

from pathlib import Path

import pytest

from ttag.errors import SettingsError
from ttag.records.database import database_for, folder_name, key_of_folder

KEY = f"tk1:{'0a' * 32}"


def test_folder_is_named_after_the_key() -> None:
    assert database_for(KEY, "records") == Path("records", f"tk1-{'0a' * 32}")


def test_key_is_read_back_from_the_folder() -> None:
    assert key_of_folder(Path("records", folder_name(KEY))) == KEY


@pytest.mark.parametrize("name", ["records", "tk1-", f"tk1-{'0A' * 32}", f"x-tk1-{'0a' * 32}"])
def test_other_folders_have_no_key(name: str) -> None:
    assert key_of_folder(Path(name)) == ""


@pytest.mark.parametrize("key", ["", "tk1:", f"bk1:{'0a' * 32}", f"tk1:{'0a' * 32}/..", "../tk1:0"])
def test_folder_of_something_else_is_refused(key: str) -> None:
    with pytest.raises(SettingsError, match="is not a tuning key"):
        folder_name(key)
