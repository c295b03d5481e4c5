"""Pages and feeds of proposals."""
