"""Pages about kinds and their options."""
