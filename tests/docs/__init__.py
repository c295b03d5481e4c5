"""The documents say what is so: their examples run, their tables and maps are complete."""
