"""Resources about versions and what they resolve to."""
