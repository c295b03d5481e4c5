"""Paths to the files of the site: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
IN_WHEEL = PACKAGE / "site"  # pyproject.toml says what a wheel holds there
IS_INSTALLED = IN_WHEEL.is_dir()
BASE_DIR = IN_WHEEL if IS_INSTALLED else PACKAGE.parent
CLIENT = BASE_DIR / "client"  # decision 121
# Files that the server writes: next to manage.py, or where the installed command is run.
DEFAULT_VAR = (Path() if IS_INSTALLED else BASE_DIR) / "var"
