"""Resources about versions."""
