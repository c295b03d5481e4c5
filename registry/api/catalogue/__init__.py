"""The API of what the catalogue covers."""
