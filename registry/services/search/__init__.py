"""Finding tags: by name in any spelling, by facts, by values."""
