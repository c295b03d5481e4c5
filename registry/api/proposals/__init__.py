"""Resources about proposals."""
