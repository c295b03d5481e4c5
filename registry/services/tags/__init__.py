"""Tags as a whole: aliases, renaming, deprecation."""
