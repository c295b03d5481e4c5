"""Details, aliases, renaming and deprecation of tags."""
