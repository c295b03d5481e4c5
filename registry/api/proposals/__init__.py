"""Resources about proposals and their review."""
