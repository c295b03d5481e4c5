"""One folder for the records of each tuning key."""

from __future__ import annotations

import re
from pathlib import Path

from ttag.errors import SettingsError
from ttag.records.database import RECORDS, Database

KEY = re.compile(r"tk[0-9]+:[0-9a-f]{64}")
FOLDER = re.compile(r"tk[0-9]+-[0-9a-f]{64}")


def folder_name(key: str) -> str:
    """Return the name of the folder of a key: the key, with a hyphen in place of the colon."""
    if not KEY.fullmatch(key):
        raise SettingsError(
            f"{key!r} is not a tuning key: expected tk1: and 64 hexadecimal digits."
        )
    return key.replace(":", "-")


def database_for(key: str, root: Path | str = "records") -> Path:
    """Return the folder of a key's records below `root`. It need not exist yet."""
    return Path(root) / folder_name(key)


def databases_in(root: Path) -> list[Database]:
    """Return the database in a folder, and those of keys below it. Raises `FileError`."""
    folders = [root, *(each for each in sorted(root.glob("tk*")) if key_of_folder(each))]
    return [Database.read(folder) for folder in folders if (folder / RECORDS).is_file()]


def key_of_folder(folder: Path) -> str:
    """Return the key that a folder is named after, or nothing."""
    name = folder.resolve().name
    return name.replace("-", ":") if FOLDER.fullmatch(name) else ""
