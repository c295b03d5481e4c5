"""Resources about tags and aliases."""
