"""The home page and the list of tags."""
