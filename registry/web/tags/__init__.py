"""Pages about a tag as a whole."""
